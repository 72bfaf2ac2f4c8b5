// Sizes the heap of Java applications by the memory limit of their container.
'use strict';
const { serve } = require('./admission');

const RUNTIME = 'runtime.example.io/language';
const HEAP_SHARE = 0.75;
const UNITS = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, K: 1e3, M: 1e6, G: 1e9, T: 1e12, '': 1 };

function heapMegabytes(limit) {
  const [, number, unit] = /^([0-9.]+)(.*)$/.exec(limit);
  return Math.floor((Number(number) * UNITS[unit] * HEAP_SHARE) / 2 ** 20);
}

serve((pod) => {
  if (pod.metadata.labels?.[RUNTIME] !== 'java') return;
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    const limit = container.resources?.limits?.memory;
    const env = container.env ?? [];
    if (limit === undefined || env.some(({ name }) => name === 'JAVA_TOOL_OPTIONS')) continue;
    const megabytes = heapMegabytes(String(limit));
    if (megabytes < 32) continue; // too small for a heap of its own choice
    container.env = [...env, { name: 'JAVA_TOOL_OPTIONS', value: `-Xmx${megabytes}m` }];
  }
});
