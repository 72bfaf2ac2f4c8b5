// Copies the annotations that propagate.example.io/annotations lists ("team,on-call") to labels of the Pod.
'use strict';
const { serveOperations, Denied } = require('./admission');

const LIST = 'propagate.example.io/annotations';
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

serveOperations(({ object: pod }) => {
  const annotations = pod.metadata.annotations ?? {};
  const labels = pod.metadata.labels ?? {};
  const keys = (annotations[LIST] ?? '').split(',').map((key) => key.trim());
  const operations = [];
  for (const key of new Set(keys)) {
    if (!Object.hasOwn(annotations, key) || Object.hasOwn(labels, key)) continue;
    const value = annotations[key];
    if (!LABEL_VALUE.test(value)) throw new Denied(`${LIST}: the value of ${key} cannot be a label's: ${value}`);
    if (operations.length === 0 && pod.metadata.labels === undefined) operations.push({ op: 'add', path: '/metadata/labels', value: {} });
    operations.push({ op: 'add', path: `/metadata/labels/${key}`, value });
  }
  return operations;
});
