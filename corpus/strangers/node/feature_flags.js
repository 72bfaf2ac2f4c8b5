// Loads the feature flags of a stage from its ConfigMap; the stage is a label of the Pod.
'use strict';
const { serve, Denied } = require('./admission');

const STAGE = 'flags.example.io/stage';
const STAGES = ['dev', 'staging', 'prod'];

serve((pod) => {
  const stage = pod.metadata.labels?.[STAGE];
  if (stage === undefined) return;
  if (!STAGES.includes(stage)) throw new Denied(`label ${STAGE}: ${stage} is none of ${STAGES.join(', ')}`);
  const name = `feature-flags-${stage}`;
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    const sources = container.envFrom ?? [];
    if (sources.some((source) => source.configMapRef?.name === name)) continue;
    // Where two sources have one key the last one wins, so the author's own come behind the flags.
    container.envFrom = [{ prefix: 'FEATURE_', configMapRef: { name, optional: true } }, ...sources];
  }
});
