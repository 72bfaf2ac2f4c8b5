// Tells every container which Pod it runs in.
'use strict';
const { serve } = require('./admission');

const FIELDS = {
  POD_NAME: 'metadata.name',
  POD_NAMESPACE: 'metadata.namespace',
  POD_IP: 'status.podIP',
  NODE_NAME: 'spec.nodeName',
  POD_SERVICE_ACCOUNT: 'spec.serviceAccountName',
};

const VARIABLES = Object.entries(FIELDS).map(([name, fieldPath]) => ({
  name,
  valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } },
}));

serve((pod) => {
  if (pod.metadata.annotations?.['downward-env.example.io/inject'] === 'false') return;
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    const names = new Set((container.env ?? []).map((variable) => variable.name));
    const missing = VARIABLES.filter((variable) => !names.has(variable.name));
    if (missing.length > 0) container.env = [...(container.env ?? []), ...missing];
  }
});
