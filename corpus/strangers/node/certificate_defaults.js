// Defaults of certificates: how long before its end one is renewed, and what becomes of its key.
'use strict';
const { serve } = require('./admission');

serve((certificate) => {
  if (certificate.metadata.deletionTimestamp) return;
  const spec = certificate.spec;
  if (spec.revisionHistoryLimit === undefined) spec.revisionHistoryLimit = 1;
  if (spec.privateKey && spec.privateKey.rotationPolicy === undefined) spec.privateKey.rotationPolicy = 'Always';
});
