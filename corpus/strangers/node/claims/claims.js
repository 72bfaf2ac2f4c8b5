// What a Pod says of its claims.
'use strict';
const CLAIMS = 'juicefs.example.io/claims';

/// The claims of a list such as "cache,models".
const claimsOf = (pod) => (pod.metadata.annotations?.[CLAIMS] ?? '')
  .split(',').map((name) => name.trim()).filter((name) => /^[a-z][a-z0-9-]{0,30}$/.test(name));

const CONFIG = { name: 'juicefs-config', configMap: { name: 'juicefs-config', optional: true } };

module.exports = { claimsOf, CONFIG };
