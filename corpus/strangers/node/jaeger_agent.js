// Adds the Jaeger agent to Pods that ask for it.
'use strict';
const { serve } = require('./admission');

const INJECT = 'sidecar.jaegertracing.io/inject';
const AGENT = 'jaeger-agent';
const COLLECTOR = 'jaeger-collector-headless.observability.svc:14250';

function agent() {
  return {
    name: AGENT,
    image: 'docker.io/jaegertracing/jaeger-agent:1.53.0',
    args: [`--reporter.grpc.host-port=dns:///${COLLECTOR}`],
  };
}

serve((pod) => {
  if (pod.metadata.annotations?.[INJECT] !== 'true') return;
  const { containers } = pod.spec;
  const last = containers[containers.length - 1];
  if (last.name !== AGENT) containers.push(agent());
  const running = [...(pod.spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always'), ...containers];
  for (const container of running) {
    if (container.name === AGENT) continue;
    const env = container.env ?? [];
    if (env.some(({ name }) => name === 'JAEGER_AGENT_HOST')) continue;
    container.env = [...env, { name: 'JAEGER_AGENT_HOST', value: '127.0.0.1' }];
  }
});
