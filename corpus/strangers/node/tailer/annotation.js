// Reads the tailer annotation: a list of "container:/path", or "/path" for the first container, and commas.
'use strict';

const DESCRIPTOR = /^([a-zA-Z0-9-_]+:)?(\/[a-zA-Z0-9._-]+)+$/;

// The files to tail, by container. Descriptors that are malformed or name none of the containers are skipped.
function filesByContainer(text, names) {
  const files = new Map(names.map((name) => [name, []]));
  for (const part of text.split(',')) {
    const descriptor = part.trim();
    if (!DESCRIPTOR.test(descriptor) || names.length === 0) continue;
    const elements = descriptor.split(':');
    const name = elements.length === 2 ? elements[0] : names[0];
    const path = elements[elements.length - 1];
    if (files.has(name) && !files.get(name).includes(path)) files.get(name).push(path);
  }
  return files;
}

module.exports = { filesByContainer };
