// Speaks admission.k8s.io/v1 over standard input and output: one AdmissionReview a line, one answer a line.
'use strict';
const readline = require('readline');

class Denied extends Error {}

const escape = (key) => key.replace(/~/g, '~0').replace(/\//g, '~1');
const isObject = (v) => v !== null && typeof v === 'object';

// The JSON Patch from before to after, lists position by position.
function compare(before, after, path = '', patch = []) {
  const keys = Object.keys(before).reverse();
  for (const key of keys) {
    if (!(key in after)) patch.push({ op: 'remove', path: `${path}/${escape(key)}` });
    else if (isObject(before[key]) && isObject(after[key]) && Array.isArray(before[key]) === Array.isArray(after[key])) {
      compare(before[key], after[key], `${path}/${escape(key)}`, patch);
    } else if (before[key] !== after[key]) patch.push({ op: 'replace', path: `${path}/${escape(key)}`, value: after[key] });
  }
  for (const key of Object.keys(after)) {
    if (!(key in before)) patch.push({ op: 'add', path: `${path}/${escape(key)}`, value: after[key] });
  }
  return patch;
}

function respond(request, operations) {
  const response = { uid: request.uid, allowed: true };
  if (operations.length > 0) {
    response.patchType = 'JSONPatch';
    response.patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  }
  return response;
}

// handler(request) returns the patch's operations.
function serveOperations(handler) {
  readline.createInterface({ input: process.stdin }).on('line', (line) => {
    const { request } = JSON.parse(line);
    let response;
    try {
      response = respond(request, request.object ? handler(request) : []);
    } catch (error) {
      if (!(error instanceof Denied)) console.error(error);
      response = { uid: request.uid, allowed: false, status: { code: error instanceof Denied ? 403 : 500, message: error.message } };
    }
    process.stdout.write(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }) + '\n');
  });
}

// mutate(pod, request) changes the Pod in place.
function serve(mutate) {
  serveOperations((request) => {
    const pod = structuredClone(request.object);
    mutate(pod, request);
    return compare(request.object, pod);
  });
}

module.exports = { serve, serveOperations, Denied };
