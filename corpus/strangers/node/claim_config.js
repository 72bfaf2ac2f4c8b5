// Gives Pods the configuration of the storage class of their claims; claims are named by an annotation.
'use strict';
const { serve } = require('./admission');
const { claimsOf, CONFIG } = require('./claims/claims');

serve((pod) => {
  for (const claim of claimsOf(pod)) {
    const volume = `data-${claim}`;
    pod.spec.volumes = pod.spec.volumes ?? [];
    if (!pod.spec.volumes.some((one) => one.name === volume)) {
      pod.spec.volumes.push({ name: volume, persistentVolumeClaim: { claimName: claim } });
      pod.spec.volumes.push(CONFIG);
    }
    for (const container of pod.spec.containers) {
      container.volumeMounts = container.volumeMounts ?? [];
      const path = `/data/${claim}`;
      if (container.volumeMounts.some((mount) => mount.mountPath === path)) continue;
      container.volumeMounts.push({ name: volume, mountPath: path });
    }
  }
});
