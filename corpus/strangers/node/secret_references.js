// Starts programs whose variables refer to secrets behind a helper that resolves them.
'use strict';
const { serve } = require('./admission');

const BEGINNINGS = ['gcp:secrets:', 'arn:aws:secretsmanager', 'arn:aws:ssm'];
// The fields of a container as the client library of this service knows them.
const KNOWN = ['name', 'image', 'command', 'args', 'workingDir', 'ports', 'envFrom', 'env', 'resources', 'volumeMounts',
  'volumeDevices', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'terminationMessagePath',
  'terminationMessagePolicy', 'imagePullPolicy', 'securityContext', 'stdin', 'stdinOnce', 'tty', 'resizePolicy'];
const HELPER = '/helper/bin/resolve-secrets';

const refers = (container) =>
  (container.env || []).some((entry) => BEGINNINGS.some((beginning) => (entry.value || '').startsWith(beginning)));
const isWrapped = (container) => refers(container) && container.command && container.command.length > 0;

function typed(container) {
  const known = {};
  for (const field of KNOWN) if (field in container) known[field] = container[field];
  return known;
}

function wrapped(container) {
  const result = typed(container);
  if (result.command[0] !== HELPER) result.command = [HELPER, ...result.command];
  const mounts = result.volumeMounts || [];
  if (!mounts.some((mount) => mount.mountPath === '/helper/bin')) {
    result.volumeMounts = [...mounts, { name: 'secrets-helper', mountPath: '/helper/bin' }];
  }
  return result;
}

serve((pod) => {
  const { spec } = pod;
  const lists = ['initContainers', 'containers'].filter((list) => (spec[list] || []).some(isWrapped));
  if (lists.length === 0) return;
  for (const list of lists) spec[list] = spec[list].map((one) => (isWrapped(one) ? wrapped(one) : typed(one)));
  if (!(spec.initContainers || []).some((one) => one.name === 'copy-secrets-helper')) {
    spec.initContainers = [{
      name: 'copy-secrets-helper',
      image: 'registry.example.com/secrets-helper:0.4',
      command: ['cp', '/resolve-secrets', '/helper/bin/'],
      volumeMounts: [{ name: 'secrets-helper', mountPath: '/helper/bin' }],
    }, ...(spec.initContainers || [])];
  }
  if (!(spec.volumes || []).some((volume) => volume.name === 'secrets-helper')) {
    spec.volumes = [...(spec.volumes || []), { name: 'secrets-helper', emptyDir: { medium: 'Memory' } }];
  }
});
