// Routes without a parent belong to the shared gateway; hosts are compared without regard to case.
'use strict';
const { serve } = require('./admission');

serve((route) => {
  route.spec = route.spec ?? {};
  const spec = route.spec;
  spec.parentRefs = spec.parentRefs ?? [];
  if (spec.useSharedGateway !== false) {
    spec.parentRefs.push({ group: 'gateways.example.io', kind: 'Gateway', name: 'shared' });
  }
  if (spec.hostnames) spec.hostnames = spec.hostnames.map((name) => name.toLowerCase());
});
