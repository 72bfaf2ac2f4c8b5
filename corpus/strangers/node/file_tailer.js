// Tailer of the logging operator: a fluent-bit sidecar prints each file that the Pod's annotation names.
'use strict';
const { serve } = require('./admission');
const { filesByContainer } = require('./tailer/annotation');
const { convert, topLevel, directoryOf } = require('./tailer/volumepath');

const FIXED = process.argv.length === 3 && process.argv[2] === 'fixed';
const ANNOTATION = 'sidecar.logging-extensions.banzaicloud.io/tail';
const IMAGE = process.env.TAILER_WEBHOOK_IMAGE || 'fluent/fluent-bit:1.9.5';

// fluent-bit names its output file by "path" up to 1.4.5 and by "file" and "path" after.
function outputArguments(target) {
  const [, major, minor, patch] = /:v?(\d+)\.(\d+)\.(\d+)/.exec(IMAGE) || [null, 1, 9, 5];
  const [x, y, z] = [major, minor, patch].map(Number);
  const old = x < 1 || (x === 1 && (y < 4 || (y === 4 && z < 6)));
  if (old) return ['-p', `path=${target}`];
  const slash = target.lastIndexOf('/');
  return ['-p', `path=${target.slice(0, slash)}`, '-p', `file=${target.slice(slash + 1)}`];
}

const command = (file) => [
  '/fluent-bit/bin/fluent-bit', '-i', 'tail', '-p', `path=${file}`,
  '-o', 'file', '-p', 'format=template', '-p', 'template={log}', ...outputArguments('/dev/stdout'),
];

const volumeName = (container, directory) => convert(`/${container}${directory}`);
const sidecarName = (container, file) => convert(FIXED ? `/${container}${file}` : file);

function sidecars(container, files, directories) {
  return files.map((file) => {
    const directory = directoryOf(file, directories);
    return {
      name: sidecarName(container, file),
      image: IMAGE,
      imagePullPolicy: 'IfNotPresent',
      command: command(file),
      resources: {},
      volumeMounts: [{ name: volumeName(container, directory), mountPath: directory }],
    };
  });
}

const mounts = (container) =>
  (container.volumeMounts || []).map((mount) => `${mount.name}:${mount.mountPath}`);

// Whether the Pod has this sidecar already, from an earlier call.
function isPresent(containers, sidecar) {
  return containers.some((other) => other.name === sidecar.name
    && JSON.stringify(other.command) === JSON.stringify(sidecar.command)
    && mounts(sidecar).every((mount) => mounts(other).includes(mount)));
}

function addTo(spec, container, files) {
  const directories = topLevel(files);
  for (const sidecar of sidecars(container.name, files, directories)) {
    if (!isPresent(spec.containers, sidecar)) spec.containers.push(sidecar);
  }
  for (const directory of directories) {
    const name = volumeName(container.name, directory);
    container.volumeMounts = container.volumeMounts || [];
    if (!container.volumeMounts.some((mount) => mount.mountPath === directory)) {
      container.volumeMounts.push({ name, mountPath: directory });
    }
    spec.volumes = spec.volumes || [];
    if (!spec.volumes.some((volume) => volume.name === name)) spec.volumes.push({ name, emptyDir: {} });
  }
}

serve((pod) => {
  const text = (pod.metadata.annotations || {})[ANNOTATION];
  if (text === undefined) return;
  const originals = [...pod.spec.containers];
  const files = filesByContainer(text, originals.map((container) => container.name));
  for (const container of originals) {
    const wanted = files.get(container.name);
    if (wanted.length > 0) addTo(pod.spec, container, wanted);
  }
});
