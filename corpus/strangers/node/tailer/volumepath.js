// Directories of tailed files, and the names that volumes and containers get of paths.
'use strict';
const path = require('path');

// A DNS-1123 label of a path: /sample-container/var/log becomes sample-container-var-log.
const convert = (file) => file.split('/').filter(Boolean).join('-').toLowerCase().replace(/[^-a-z0-9]/g, '-');

const inside = (directory, parent) =>
  directory === parent || directory.startsWith(parent.replace(/\/?$/, '/'));

// The directories that hold all the files, without those that stand below another one.
function topLevel(files) {
  const directories = [...new Set(files.map((file) => path.dirname(file)))];
  const isBelow = (directory) => directories.some((other) => other !== directory && inside(directory, other));
  return directories.filter((directory) => !isBelow(directory));
}

const directoryOf = (file, directories) =>
  directories.find((directory) => inside(path.dirname(file), directory));

module.exports = { convert, topLevel, directoryOf };
