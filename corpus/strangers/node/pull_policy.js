// Pulls images whose tag moves at every start: a node may have an old one under the same name.
'use strict';
const { serve } = require('./admission');

const MOVING = ['latest', 'edge', 'nightly', 'main'];

function tagOf(image) {
  if (image.includes('@')) return undefined; // a digest names one image for ever
  const name = image.slice(image.lastIndexOf('/') + 1);
  return name.includes(':') ? name.slice(name.indexOf(':') + 1) : 'latest';
}

serve((pod) => {
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    if (container.image && MOVING.includes(tagOf(container.image))) container.imagePullPolicy = 'Always';
  }
});
