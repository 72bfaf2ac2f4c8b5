// Runs the span collector as a native sidecar: it starts before the application and ends after it.
'use strict';
const { serve, Denied } = require('./admission');

const SAMPLE = 'tracing.example.io/sample-percent';
const NAME = 'span-collector';

function percentOf(text) {
  if (!/^(100|[1-9]?[0-9])$/.test(text)) throw new Denied(`${SAMPLE}: ${JSON.stringify(text)} is not a whole number from 0 to 100`);
  return text;
}

serve((pod) => {
  const text = pod.metadata.annotations?.[SAMPLE];
  if (text === undefined) return;
  const percent = percentOf(text);
  const { spec } = pod;
  const everyone = [...(spec.initContainers ?? []), ...spec.containers];
  if (!everyone.some(({ name }) => name === NAME)) {
    spec.initContainers = [...(spec.initContainers ?? []), {
      name: NAME,
      image: 'ghcr.io/example/span-collector:2.4.0',
      restartPolicy: 'Always',
      args: [`--sample-percent=${percent}`],
      // A Pod with resources as a whole shares them with the collector.
      resources: spec.resources ? {} : { requests: { cpu: '20m', memory: '24Mi' }, limits: { memory: '96Mi' } },
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    }];
  }
  for (const container of everyone) {
    if (container.name === NAME) continue;
    const env = container.env ?? [];
    if (!env.some(({ name }) => name === 'ZIPKIN_ENDPOINT')) {
      container.env = [...env, { name: 'ZIPKIN_ENDPOINT', value: 'http://127.0.0.1:9411/api/v2/spans' }];
    }
  }
});
