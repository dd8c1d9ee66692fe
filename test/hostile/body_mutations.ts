// Mutations of a body: of a value in its JSON, or of its text.

import type { Random } from './random.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type Around = {
  readonly random: Random;
  /** Texts with a meaning for the service, such as ids and names. */
  readonly texts: readonly string[];
};

/** Returns the JSON with one random value changed. */
export function changeJson(value: Json, around: Around): Json {
  const { random } = around;
  const children = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const isHere = children.length === 0 || random.below(4) === 0;
  if (isHere) return random.of(changes)(value, around);
  const name = random.of(children);
  if (Array.isArray(value)) {
    return value.map((item, i) => (String(i) === name ? changeJson(item, around) : item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return withMember(value, name, changeJson(value[name] ?? null, around));
}

/** Returns the text with one random position changed. */
export function changeText(text: string, around: Around): string {
  return around.random.of(textChanges)(text, around.random);
}

type Change = (value: Json, around: Around) => Json;

const changes: readonly Change[] = [
  (_, { random }) => random.of(oddValues),
  (_, { random, texts }) => random.of(texts),
  (value, { random, texts }) => (Array.isArray(value) ? [...value, random.of(texts)] : [value]),
  (value) => (Array.isArray(value) ? [...value, ...value] : { value }),
  (value) => (Array.isArray(value) ? value.toReversed().slice(1) : JSON.stringify(value)),
  (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  (value, { random }) =>
    typeof value === 'string'
      ? value.slice(0, random.below(value.length + 1)) + random.of(oddTexts)
      : Number(random.of(oddTexts).length),
  (value, { random }) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const left = Object.keys(value);
    if (left.length === 0) return value;
    const { [random.of(left)]: _, ...rest } = value;
    return rest;
  },
  (value, { random }) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return withMember(value, random.of(oddNames), random.of(oddValues));
  },
  (value, { random }) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    const names = Object.keys(value);
    if (names.length === 0) return [value];
    const [a, b] = [random.of(names), random.of(names)];
    return withMember(withMember(value, a, value[b] ?? null), b, value[a] ?? null);
  },
  (value, { random }) => new Array<Json>(random.of([2, 11, 101, 300])).fill(value),
];

const oddTexts = [
  '',
  ' ',
  '\0',
  '\u202e',
  '\ud83d\ude00',
  'e\u0301',
  "'; drop table organizations --",
  '../../..',
  '%00',
  '{{7*7}}',
  '\u0000'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(5_000),
];
const oddValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  1e308,
  '0',
  '-1',
  '1e3',
  '0x10',
  '99999999999999999999999999999999',
  [],
  [[]],
  {},
  { length: 3 },
  { toString: null },
  ...oddTexts,
];
const oddNames = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'toJSON',
  'then',
  'length',
  'organizationId',
  'parameters',
  'type',
  'timestampMs',
  'generateAppProofs',
];

const textChanges: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => text.slice(0, random.below(text.length)),
  (text, random) => {
    const i = random.below(text.length);
    return text.slice(0, i) + random.of([...'{}[]",:\\0 n\u0000\u00e9']) + text.slice(i + 1);
  },
  (text, random) => {
    const i = random.below(text.length);
    return text.slice(0, i) + text.slice(random.below(text.length));
  },
  (text) => ` \r\n\t${text} `,
  (text) => text.replace('{', '{"organizationId":"x",'),
  (text) => text.replace(/\}$/, ',"parameters":{}}'),
  (text) =>
    text.replace(/"([a-z])/g, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
  (text) => text.replaceAll('":"', '":"\\ud800'),
  (text) => `${text}${text}`,
  (text) => text.replace(/:("[^"]*")/, ':[$1]'),
];

/** Defined rather than assigned, so that `__proto__` is an ordinary name. */
function withMember(value: { [name: string]: Json }, name: string, member: Json) {
  return Object.fromEntries([...Object.entries(value), [name, member] as const]);
}
