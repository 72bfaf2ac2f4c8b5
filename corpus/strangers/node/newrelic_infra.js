// Runs the infrastructure agent beside an application, as a licence of the namespace's account.
'use strict';
const { serve } = require('./admission');

const INJECT = 'newrelic.example.io/inject';
const STATUS = 'newrelic.example.io/status';
const AGENT = 'newrelic-agent';

const agent = (namespace) => ({
  name: AGENT,
  image: 'docker.io/newrelic/infrastructure-k8s:3.18.0',
  env: [
    { name: 'NRIA_LICENSE_KEY', valueFrom: { secretKeyRef: { name: 'newrelic-license', key: 'license' } } },
    { name: 'NRIA_DISPLAY_NAME', value: `${namespace}/agent` },
  ],
});

serve((pod, request) => {
  const annotations = pod.metadata.annotations ?? {};
  if (annotations[INJECT] !== 'enabled' || annotations[STATUS] === 'injected') return;
  const taken = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(({ name }) => name === AGENT);
  if (!taken) pod.spec.containers.push(agent(request.namespace));
  const sidecars = (pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const container of [...sidecars, ...pod.spec.containers]) {
    if (container.name === AGENT || container.env?.some(({ name }) => name === 'NEW_RELIC_HOST')) continue;
    container.env = [...(container.env ?? []), { name: 'NEW_RELIC_HOST', value: '127.0.0.1' }];
  }
  pod.metadata.annotations = { ...annotations, [STATUS]: 'injected' };
});
