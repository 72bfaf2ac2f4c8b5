'use strict';
// Notes what a program in Node asks of the objects that it gets, as sitecustomize.py does: keys that it looks up, and
// the texts that it searches in. Node loads this file before the program (--require).
const fs = require('fs');

const LINES_MAX = 4000, BYTES_MAX = 512, PARTS_MAX = 4, TEXTS_MAX = 4000, ELEMENTS_MAX = 16;
const parse = JSON.parse, stringify = JSON.stringify, clone = globalThis.structuredClone;
const file = process.env.FIXPOINT_OBSERVED ? fs.openSync(process.env.FIXPOINT_OBSERVED, 'a', 0o600) : null;
const seen = new Set(), kinds = new Set(), targets = new WeakMap();
let places = new Map(); // of the texts of the request that is answered
let ownNames = new Map(); // what stands for those that are names of the object's own
let isNoting = false;
// What stands in a value for a name of the object's own, by the place of the name (runner/learning/trigger.h).
const OWN_NAMES = {
  'containers[*].name': '<name of a container>', 'initContainers[*].name': '<name of a container>',
  'volumeMounts[*].name': '<name of its volume>', 'volumes[*].name': '<name of its volume>',
};

function write(line) {
  const text = stringify(line);
  if (file === null || seen.has(text) || seen.size >= LINES_MAX || text.length > BYTES_MAX) return;
  seen.add(text);
  fs.writeSync(file, `${text}\n`);
}

const dotted = (path) =>
  path.reduce((text, step) => text + (typeof step === 'number' ? '[*]' : (text ? '.' : '') + step), '');

// Parsed JSON: of a request, of an object of the cluster, or of a text within one (`within`).
class Parsed {
  constructor(raw, within, of) {
    Object.assign(this, { raw, within, of });
  }

  lookUp(path, key) {
    if (!this.within) return this.note(path, key);
    const map = path.reduce((at, step) => at[step], this.raw);
    if (Object.hasOwn(map, key)) return undefined;
    for (const value of ['a', {}, ['a']]) this.within.offer(this.withValue([...path, key], value));
    return undefined;
  }

  note(path, key, more = {}) {
    if (!this.of) { // the request: only its objects count, and its namespace
      if (path.length === 1 && key === 'namespace') write({ in: 'metadata', key, ...more });
      if (path[0] !== 'request' || (path[1] !== 'object' && path[1] !== 'oldObject')) return;
      path = path.slice(2);
    }
    if (key !== 'toJSON') write({ ...(this.of ? { of: this.of } : {}), in: dotted(path), key, ...more });
  }

  withValue(path, value) {
    if (!path.length) return stringify(value);
    const copy = parse(stringify(this.raw));
    let at = copy;
    for (const step of path.slice(0, -1)) at = at[step];
    at[path[path.length - 1]] = value;
    return stringify(copy);
  }
}

// The place of a text: the value at a path, or a key of the map there.
class Place {
  constructor(parsed, path, isKey, before = '', after = '') {
    Object.assign(this, { parsed, path, isKey, before, after });
  }

  offer(part, more = {}) {
    const text = this.before + part + this.after, { parsed, path } = this, { within } = parsed;
    if (within) {
      if (more.pattern) return;
      within.offer(this.isKey ? parsed.withValue([...path, text], 'a') : parsed.withValue(path, text), more);
    } else if (this.isKey) {
      parsed.note(path, more.pattern ? '' : text, more.pattern ? more : { offered: true });
    } else if (typeof path[path.length - 1] === 'string') {
      parsed.note(path.slice(0, -1), path[path.length - 1], more.pattern ? more : { text, ...more });
    }
  }

  // What stands for this text in another one; nothing if it is no name of an element of the request's object.
  get ownName() {
    if (this.isKey || this.before || this.after || this.parsed.within || this.parsed.of) return undefined;
    return OWN_NAMES[dotted(this.path).split('.').slice(-2).join('.')];
  }

  // The program compares the text with these.
  compare(texts) {
    for (const one of [...texts].slice(0, ELEMENTS_MAX)) {
      if (typeof one !== 'string' || one === '') continue;
      if (!ownNames.has(one)) this.offer(one);
      else if (!this.ownName) this.offer(ownNames.get(one));
    }
  }

  ask(pattern) {
    this.offer('', { pattern, before: this.before, after: this.after });
  }
}

// A name of the object's own may also stand in another text, and what the program asks is asked of that one.
function remember(text, place, isPart = false) {
  if (text.length < (isPart ? 1 : 2) || places.size >= TEXTS_MAX) return;
  const name = place.ownName;
  if (name) ownNames.set(text, name);
  if (!places.has(text) || (!name && places.get(text).ownName)) places.set(text, place);
}
// The text, with what stands for them in the places of the object's own names.
const withNames = (text) => text.replace(/[A-Za-z0-9-]+/g, (word) => ownNames.get(word) ?? word);
const placeOf = (text) => places.get(String(text));

// The same value, whose members are noted when they are looked up.
function watched(value, parsed, path) {
  if (typeof value === 'string') remember(value, new Place(parsed, path, false));
  if (value === null || typeof value !== 'object') return value;
  if (!Array.isArray(value)) for (const key of Object.keys(value)) remember(key, new Place(parsed, path, true));
  const proxies = Object.create(null);
  const proxy = new Proxy(value, {
    get(target, key) {
      const found = Reflect.get(target, key);
      if (typeof key !== 'string') return found;
      const isIndex = Array.isArray(target);
      // Copies read each key that is there: those tell nothing.
      if (!isIndex && found === undefined) parsed.lookUp(path, key);
      if (!Object.hasOwn(target, key) || typeof found === 'function' || targets.has(found)) return found;
      if (isIndex && !/^[0-9]+$/.test(key)) return found;
      if (typeof found !== 'object' || found === null) {
        if (typeof found === 'string') remember(found, new Place(parsed, [...path, isIndex ? Number(key) : key], false));
        return found;
      }
      if (proxies[key]?.found !== found)
        proxies[key] = { found, proxy: watched(found, parsed, [...path, isIndex ? Number(key) : key]) };
      return proxies[key].proxy;
    },
    has(target, key) {
      if (typeof key === 'string' && !Array.isArray(target) && !Object.hasOwn(target, key)) parsed.lookUp(path, key);
      return Reflect.has(target, key);
    },
  });
  targets.set(proxy, { value, parsed, path });
  return proxy;
}

function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && typeof value.kind === 'string';
}

// A map of the program's own JSON, such as accounts by "namespace/name".
function table(value) {
  if (value === null || typeof value !== 'object') return value;
  return new Proxy(value, {
    get(target, key) {
      if (typeof key === 'string' && !Array.isArray(target)) lookUpIn(Object.keys(target).slice(0, ELEMENTS_MAX), key);
      const found = Reflect.get(target, key);
      return Object.hasOwn(target, key) ? table(found) : found;
    },
  });
}

function lookUpIn(keys, key) {
  if (placeOf(key)) return placeOf(key).compare(keys);
  const parts = key.split('/');
  parts.forEach((part, i) => {
    const others = keys.map((one) => one.split('/')).filter((one) => one.length === parts.length);
    placeOf(part)?.compare(others.map((one) => one[i]));
  });
  return undefined;
}

JSON.parse = function noted(text, ...rest) {
  const within = typeof text === 'string' ? placeOf(text) : undefined;
  if (within && !within.isKey) for (const offered of ['{}', '[]', '[{}]', '["a"]']) within.offer(offered);
  const value = parse(text, ...rest);
  if (within && !within.isKey && !within.before && !within.after && value !== null && typeof value === 'object')
    return watched(value, new Parsed(value, within), []);
  if (!isObject(value)) return table(value);
  if (value.kind === 'AdmissionReview') {
    if (value.request?.object?.kind) kinds.add(value.request.object.kind);
    places = new Map();
    ownNames = new Map();
    return watched(value, new Parsed(value), []);
  }
  const isCopy = kinds.has(value.kind); // the program's own copy of the request's object
  return watched(value, new Parsed(value, undefined, isCopy ? '' : value.kind), isCopy ? ['request', 'object'] : []);
};

if (clone) {
  globalThis.structuredClone = function noted(value, ...rest) {
    const target = targets.get(value);
    return target ? watched(clone(parse(stringify(value))), target.parsed, target.path) : clone(value, ...rest);
  };
}

const noting = (type, name, note) => {
  const real = type.prototype[name];
  type.prototype[name] = function noted(...given) {
    const result = real.apply(this, given);
    if (isNoting) return result;
    isNoting = true;
    try {
      note(this, given, result);
    } catch { /* the program goes on as it would */ }
    isNoting = false;
    return result;
  };
};

const isText = (value) => typeof value === 'string' && value !== '';
noting(String, 'startsWith', (text, [begin]) => {
  if (isText(begin)) for (const path of begin === '/' ? ['a', 'a/a'] : ['a']) placeOf(text)?.offer(begin + path);
});
noting(String, 'endsWith', (text, [end]) => isText(end) && placeOf(text)?.offer(`a${end}`));
for (const name of ['includes', 'indexOf', 'lastIndexOf']) {
  noting(String, name, (text, [part]) => {
    const place = isText(part) && placeOf(text);
    if (place) for (const offered of part.length > 1 ? [part, `a${part}a`] : [`a${part}a`]) place.offer(offered);
  });
}
noting(String, 'split', (text, [separator], parts) => {
  const place = isText(separator) && placeOf(text);
  if (!place) return;
  const named = parts.map(withNames);
  parts.forEach((part, i) => {
    const before = named.slice(0, i).map((one) => one + separator), after = named.slice(i + 1).map((one) => separator + one);
    remember(part, new Place(place.parsed, place.path, place.isKey, place.before + before.join(''), after.join('') + place.after), true);
  });
  if (parts.length >= PARTS_MAX) return;
  const whole = place.ownName ? parts.join(separator) : withNames(parts.join(separator));
  place.offer(`${whole}${separator}a`, { grown: true });
  if (parts.length === 1) place.offer(whole + separator + whole, whole === parts[0] ? { grown: true } : {});
});
for (const name of ['slice', 'substring']) {
  noting(String, name, (text, given, part) => {
    const place = placeOf(text), whole = String(text), at = part ? whole.indexOf(part) : -1;
    if (place && at >= 0)
      remember(part, new Place(place.parsed, place.path, place.isKey, place.before + whole.slice(0, at),
        whole.slice(at + part.length) + place.after));
  });
}
for (const name of ['trim', 'toLowerCase', 'toUpperCase'])
  noting(String, name, (text, given, other) => placeOf(text) && remember(other, placeOf(text)));
noting(String, 'match', (text, [pattern]) => pattern instanceof RegExp && placeOf(text)?.ask(pattern.source));
for (const name of ['test', 'exec']) noting(RegExp, name, (pattern, [text]) => placeOf(text)?.ask(pattern.source));
for (const name of ['includes', 'indexOf']) {
  noting(Array, name, (list, [text]) => {
    const place = typeof text === 'string' && placeOf(text);
    if (place) place.compare(list);
  });
}
for (const name of ['has', 'get']) {
  noting(Map, name, (map, [text]) => {
    const place = map !== places && map !== ownNames && typeof text === 'string' && placeOf(text);
    if (place) place.compare(map.keys());
  });
}
noting(Set, 'has', (set, [text]) => {
  const place = typeof text === 'string' && placeOf(text);
  if (place) place.compare(set);
});

for (const name of ['Number', 'parseInt', 'parseFloat']) {
  globalThis[name] = new Proxy(globalThis[name], {
    apply(real, self, given) {
      if (typeof given[0] === 'string') for (const number of ['1', '8080']) placeOf(given[0])?.offer(number);
      return Reflect.apply(real, self, given);
    },
  });
}

// Comparisons with === and switch cannot be watched: they become calls, in modules that are still programs then.
const LITERAL = String.raw`(?:'[^'\\\n]*'|"[^"\\\n]*")`;
const OPERAND = String.raw`([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|\[(?:\w+|${LITERAL})\])*)`;
const BEFORE = String.raw`(?<=(?:^|[(,;{}&|?:=>[]|\breturn|\belse)\s*)`; // no other operator binds the operand
const COMPARED = new RegExp(String.raw`${BEFORE}${OPERAND}\s*([!=])==\s*(${LITERAL})`, 'gm');
const SWITCH = new RegExp(String.raw`\bswitch\s*\(${OPERAND}\)`, 'g'), CASE = new RegExp(String.raw`\bcase\s+(${LITERAL})`, 'g');
globalThis.fixpointIs = (text, other) => {
  if (typeof text === 'string') placeOf(text)?.compare([other]);
  return text === other;
};
globalThis.fixpointOneOf = (text, others) => {
  if (typeof text === 'string') placeOf(text)?.compare(others);
  return text;
};
function withCalls(source) {
  const compared = source.replace(COMPARED, (_, text, sign, other) => `${sign === '!' ? '!' : ''}fixpointIs(${text}, ${other})`);
  return compared.replace(SWITCH, (_, text, at, whole) => {
    const rest = whole.slice(at + 6), end = rest.search(/\bswitch\b/);
    const cases = [...(end < 0 ? rest : rest.slice(0, end)).matchAll(CASE)].map((one) => one[1]);
    return `switch (fixpointOneOf(${text}, [${cases.join(', ')}]))`;
  });
}
const { prototype } = require('module'), compile = prototype._compile;
prototype._compile = function noted(source, ...rest) {
  let changed = source;
  try {
    changed = withCalls(source);
    new (require('vm').Script)(`(function () {${changed.replace(/^#!.*/, '')}\n})`);
  } catch {
    changed = source;
  }
  return compile.call(this, changed, ...rest);
};

write({ language: 'node' });
