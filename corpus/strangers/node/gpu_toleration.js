// Lets Pods onto the tainted GPU nodes that ask for a GPU, as ExtendedResourceToleration would for every resource.
'use strict';
const { serve } = require('./admission');

const RESOURCES = ['nvidia.com/gpu', 'amd.com/gpu'];

const asksFor = (container, resource) =>
  [container.resources?.limits, container.resources?.requests].some(
    (list) => list !== undefined && resource in list && Number.parseFloat(list[resource]) > 0);

const tolerates = (toleration, resource) =>
  toleration.operator === 'Exists' &&
  (!toleration.key || toleration.key === resource) &&
  (!toleration.effect || toleration.effect === 'NoSchedule');

serve((pod) => {
  const { spec } = pod;
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  for (const resource of RESOURCES) {
    if (!containers.some((container) => asksFor(container, resource))) continue;
    if ((spec.tolerations ?? []).some((toleration) => tolerates(toleration, resource))) continue;
    spec.tolerations = [...(spec.tolerations ?? []), { key: resource, operator: 'Exists', effect: 'NoSchedule' }];
  }
});
