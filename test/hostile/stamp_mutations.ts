// Mutations of a valid stamp, one row each: of the signature's bytes, of the members of its JSON, of the
// JSON text, of the header's encoding, of the headers, and of the signed body.

import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base64url, concatBytes, hex, utf8 } from '../../src/core/base/bytes.ts';
import { der } from '../pipeline/requests.ts';
import type { Random } from './random.ts';
import type { SentHeader } from './stamp_oracle.ts';

/** Name and JSON text of each member, in order. */
type Members = readonly (readonly [string, string])[];

/** The context of a mutation besides the mutated value. */
export type Surroundings = {
  readonly random: Random;
  readonly curve: 'p256' | 'secp256k1' | 'ed25519';
  /** Public keys (hex) that are registered, and one that is not. */
  readonly publicKeys: readonly string[];
  /** A signature by the same key over another body. */
  readonly otherSignature: Uint8Array;
  readonly organizationIds: readonly string[];
};

/** The target of a request. */
export type Place = { readonly kind: 'submit' | 'query'; readonly operation: string };

type Change<Value> = (value: Value, around: Surroundings) => Value;
type Row<Value> = {
  readonly name: string;
  /** Clients may send this form, so it must still be accepted. */
  readonly isHarmless: boolean;
  readonly change: Change<Value>;
};

const harmful = <Value>(name: string, change: Change<Value>): Row<Value> => ({
  name,
  isHarmless: false,
  change,
});
const harmless = <Value>(name: string, change: Change<Value>): Row<Value> => ({
  name,
  isHarmless: true,
  change,
});

const orders = {
  p256: p256.Point.Fn.ORDER,
  secp256k1: secp256k1.Point.Fn.ORDER,
  ed25519: ed25519.Point.Fn.ORDER,
};
const names = ['publicKey', 'scheme', 'signature'] as const;
const schemes = [
  'SIGNATURE_SCHEME_TK_API_P256',
  'SIGNATURE_SCHEME_TK_API_SECP256K1',
  'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
  'SIGNATURE_SCHEME_TK_API_ED25519',
  'SIGNATURE_SCHEME_TK_WEBAUTHN',
  'SIGNATURE_SCHEME_TK_API_P384',
  'signature_scheme_tk_api_p256',
  'none',
  '',
  '__proto__',
  'constructor',
];

const bytes: readonly Row<Uint8Array>[] = [
  harmless(
    'the other s',
    numbers((r, s, order) => der(r, order - s)),
  ),
  harmless(
    'zeros before r and s',
    numbers((r, s, _, random) => der(r, s, 1 + random.below(8))),
  ),
  harmful('bit of signature', flipBit),
  harmful('byte of signature', (value, { random }) => {
    const changed = Uint8Array.from(value);
    changed[random.below(value.length)] = random.of([0, 1, 2, 0x30, 0x7f, 0x80, 0x81, 0xff]);
    return changed;
  }),
  harmful('signature cut', (value, { random }) => value.subarray(0, random.below(value.length))),
  harmful('signature without a byte', (value, { random }) => {
    const i = random.below(value.length);
    return concatBytes(value.subarray(0, i), value.subarray(i + 1));
  }),
  harmful('signature with a byte', (value, { random }) => {
    const i = random.below(value.length + 1);
    const added = Uint8Array.of(random.below(256));
    return concatBytes(value.subarray(0, i), added, value.subarray(i));
  }),
  harmful('signature with a tail', (value) => concatBytes(value, new Uint8Array(8))),
  harmful('signature empty', (value) => value.subarray(0, 0)),
  harmful('signature of zeros', (value) => value.map(() => 0)),
  harmful('signature over another body', (_, { otherSignature }) => otherSignature),
  harmful(
    'r and s swapped',
    numbers((r, s) => der(s, r)),
  ),
  harmful(
    'r above the order',
    numbers((r, s, order) => der(r + order, s)),
  ),
  harmful(
    's above the order',
    numbers((r, s, order) => der(r, s + order)),
  ),
  harmful(
    'r zero',
    numbers((_, s) => der(0n, s)),
  ),
  harmful(
    's zero',
    numbers((r) => der(r, 0n)),
  ),
  harmful(
    'r and s one',
    numbers(() => der(1n, 1n)),
  ),
  harmful(
    's of the order',
    numbers((r, _, order) => der(r, order)),
  ),
  harmful(
    'r and s without DER',
    numbers((r, s) => concatBytes(number32(r), number32(s))),
  ),
  harmful('long form of length', (value) =>
    concatBytes(value.subarray(0, 1), Uint8Array.of(0x81), value.subarray(1)),
  ),
  harmful('indefinite length', (value) =>
    concatBytes(Uint8Array.of(0x30, 0x80), value.subarray(2), Uint8Array.of(0, 0)),
  ),
  harmful(
    'too many zeros',
    numbers((r, s) => der(r, s, 40)),
  ),
  harmful('negative r', (value) => (value.length > 4 ? value.with(4, 0xff) : value)),
];

const members: readonly Row<Members>[] = [
  harmless('members in another order', (value) => [...value].reverse()),
  harmless('a member more', (value, { random }) => [
    ...value,
    random.of([
      ['extra', '"x"'],
      ['__proto__', '{"scheme":"x"}'],
      ['constructor', 'null'],
      ['', '[[]]'],
    ] as const),
  ]),
  harmless(
    'upper-case signature',
    member('signature', (text) => text.toUpperCase()),
  ),
  harmless(
    'upper-case key',
    member('publicKey', (text) => text.toUpperCase()),
  ),
  harmful('a member less', (value, { random }) => {
    const name = random.of(names);
    return value.filter(([known]) => known !== name);
  }),
  harmful('a name in other letters', (value, { random }) => {
    const name = random.of(names);
    return value.map(([known, text]) => [known === name ? known.toLowerCase() : known, `${text}`]);
  }),
  harmful('a member of another type', (value, { random }) => {
    const name = random.of(names);
    const other = random.of(['null', 'true', '0', '{}', '[]', '""', '1e400', '"\\u0000"']);
    return value.map(([known, text]) => [known, known === name ? other : text]);
  }),
  harmful('a member in a list', (value, { random }) => {
    const name = random.of(names);
    return value.map(([known, text]) => [known, known === name ? `[${text}]` : text]);
  }),
  harmful('another scheme', (value, { random }) => {
    const scheme = JSON.stringify(random.of(schemes));
    return value.map(([known, text]) => [known, known === 'scheme' ? scheme : text]);
  }),
  harmful('another key', (value, { random, publicKeys }) => {
    const key = JSON.stringify(random.of(publicKeys));
    return value.map(([known, text]) => [known, known === 'publicKey' ? key : text]);
  }),
  harmful(
    'the other parity',
    member('publicKey', (text) => text.replace(/^0./, (first) => (first === '02' ? '03' : '02'))),
  ),
  harmful(
    'a digit of the key',
    member('publicKey', (text, random) => {
      const i = random.below(text.length);
      return text.slice(0, i) + random.of([...'0123456789abcdefgG ']) + text.slice(i + 1);
    }),
  ),
  harmful(
    'a key with a prefix',
    member('publicKey', (text) => `0x${text}`),
  ),
  harmful(
    'a key without compression',
    member('publicKey', (text) => `04${text.slice(2)}${text.slice(2)}`),
  ),
  harmful(
    'a key of small order',
    member('publicKey', (_, random) =>
      random.of([
        '01'.padEnd(64, '0'),
        '00'.padEnd(64, '0'),
        'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
        `${'ff'.repeat(31)}7f`,
      ]),
    ),
  ),
  harmful(
    'space in the signature',
    member('signature', (text) => ` ${text}`),
  ),
  harmful(
    'half a byte',
    member('signature', (text) => text.slice(1)),
  ),
];

const text: readonly Row<Uint8Array>[] = [
  harmless('white space', (value) => replaced(value, /(?<=[{,:])/g, ' \r\n\t')),
  harmless('escaped letters', (value) => replaced(value, /publicKey/, '\\u0070ublicKe\\u0079')),
  harmful('a member before its true value', (value, { random }) =>
    replaced(value, /\{/, `{${JSON.stringify(random.of(names))}:"00",`),
  ),
  harmful('a member after its true value', (value, { random }) =>
    replaced(value, /\}[^}]*$/, `,${JSON.stringify(random.of(names))}:"00"}`),
  ),
  harmful('bit of the JSON', flipBit),
  harmful('JSON cut', (value, { random }) => value.subarray(0, random.below(value.length))),
  harmful('JSON with a tail', (value) => concatBytes(value, utf8('{}'))),
  harmful('JSON with a NUL', (value) => concatBytes(value, Uint8Array.of(0))),
  harmful('byte order mark', (value) => concatBytes(Uint8Array.of(0xef, 0xbb, 0xbf), value)),
  harmful('not UTF-8', (value) =>
    concatBytes(value.subarray(0, 2), Uint8Array.of(0xff), value.subarray(2)),
  ),
  harmful('UTF-16', (value) => Uint8Array.from([...value].flatMap((byte) => [byte, 0]))),
  harmful('a list around', (value) => concatBytes(utf8('['), value, utf8(']'))),
  harmful('deep JSON', () => utf8('['.repeat(2_000))),
  harmful('other JSON', (_, { random }) => utf8(random.of(['{}', 'null', '0', '""', '[]', '']))),
];

const encoded: readonly Row<string>[] = [
  harmless('base64', (value) => value.replaceAll('-', '+').replaceAll('_', '/')),
  harmless(
    'padding',
    (value) => value.replace(/=*$/, '') + '='.repeat((4 - (value.length % 4)) % 4),
  ),
  harmful('a character of the header', (value, { random }) => {
    const i = random.below(value.length + 1);
    return value.slice(0, i) + random.of([...'Aa0+/-_=. %\u00e9\0\n"{']) + value.slice(i + 1);
  }),
  harmful('a character more', (value, { random }) => {
    const i = random.below(value.length + 1);
    return value.slice(0, i) + random.of([...'Az9+=, ']) + value.slice(i);
  }),
  harmful('header cut', (value, { random }) => value.slice(0, random.below(value.length + 1))),
  harmful('header in hex', (value) => hex(utf8(value))),
  harmful('header encoded twice', (value) => base64url(utf8(value))),
  harmful('header twice in one', (value) => `${value},${value}`),
  harmful('padding within', (value) => `${value.slice(0, 8)}==${value.slice(8)}`),
  harmful('header very long', (value) => value.padEnd(70_000, 'A')),
  harmful('header of JSON', (value) => Buffer.from(value, 'base64url').toString('latin1')),
  harmful('header empty', () => ''),
];

const headers: readonly Row<readonly SentHeader[]>[] = [
  harmless('a session beside', (value) => [...value, { name: 'x-session', value: 'none' }]),
  harmful('a stamp twice', (value) => [...value, ...value]),
  harmful('another stamp beside', (value, { random }) => {
    const other = {
      name: random.of(['x-stamp', 'x-stamp-webauthn', 'x-stamp-attested']),
      value: '',
    };
    return random.of([
      [...value, other],
      [other, ...value],
    ]);
  }),
  harmful('another name', (value, { random }) => {
    const name = random.of(['x-stamp-webauthn', 'x-stamp-attested', 'x-session', 'stamp', '']);
    return value.map((header) => ({ ...header, name }));
  }),
  harmful('no header', (value) => value.slice(1)),
];

const body: readonly Row<Uint8Array>[] = [
  harmful('bit of the body', flipBit),
  harmful('body with a space', (value) => concatBytes(value, utf8(' '))),
  harmful('body cut', (value, { random }) => value.subarray(0, random.below(value.length))),
  harmful('body in other order', (value) => replaced(value, /^\{/, '{ ')),
  harmful('body for another organization', (value, { random, organizationIds }) =>
    replaced(value, /"organizationId":"[^"]{36}"/, () => {
      return `"organizationId":"${random.of(organizationIds)}"`;
    }),
  ),
  harmful('body for no organization', (value, { random }) =>
    replaced(value, /"organizationId":"[^"]{35}[^"]/, (found) => {
      return found.slice(0, -1) + random.of([...'0123456789abcdefX']);
    }),
  ),
];

const place: readonly Row<Place>[] = [
  harmful('a query sent elsewhere', (_, { random }) => ({
    kind: 'query',
    operation: random.of(['whoami', 'list_wallets', 'list_users', 'list_suborgs']),
  })),
  harmful('an activity sent elsewhere', (_, { random }) => ({
    kind: 'submit',
    operation: random.of([
      'update_organization_name',
      'create_wallet',
      'delete_sub_organization',
      'create_users',
    ]),
  })),
];

/** All levels in the order in which a request is assembled. */
export const mutations = { bytes, members, text, encoded, headers, body, place } as const;

function flipBit(value: Uint8Array, { random }: Surroundings): Uint8Array {
  if (value.length === 0) return value;
  const i = random.below(value.length);
  return value.with(i, (value[i] ?? 0) ^ (1 << random.below(8)));
}

/** Changes r and s of an ECDSA signature; other bytes stay unchanged. */
function numbers(
  change: (r: bigint, s: bigint, order: bigint, random: Random) => Uint8Array,
): Change<Uint8Array> {
  return (value, { curve, random }) => {
    const [, r, s] = /^30..02(?:..)(.*)$/.test(hex(value)) ? integersOf(value) : [];
    if (curve === 'ed25519' || r === undefined || s === undefined) return value;
    return change(r, s, orders[curve], random);
  };
}

/** Returns the whole, r and s of a DER signature, or nothing if it is not one. */
function integersOf(value: Uint8Array): readonly [Uint8Array, bigint, bigint] | [] {
  const rEnd = 4 + (value[3] ?? 0);
  const r = value.subarray(4, rEnd);
  const s = value.subarray(rEnd + 2);
  if (r.length === 0 || s.length === 0 || s.length !== value[rEnd + 1]) return [];
  return [value, BigInt(`0x${hex(r)}`), BigInt(`0x${hex(s)}`)];
}

function number32(value: bigint): Uint8Array {
  const digits = value.toString(16).padStart(64, '0');
  return Uint8Array.fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
}

function member(
  name: (typeof names)[number],
  change: (value: string, random: Random) => string,
): Change<Members> {
  return (value, { random }) =>
    value.map(([known, json]) => {
      if (known !== name || !/^"\w+"$/.test(json)) return [known, json];
      return [known, JSON.stringify(change(json.slice(1, -1), random))];
    });
}

function replaced(
  value: Uint8Array,
  what: RegExp,
  by: string | ((found: string) => string),
): Uint8Array {
  const before = Buffer.from(value).toString('latin1');
  const after = before.replace(what, typeof by === 'string' ? () => by : by);
  return Uint8Array.from(Buffer.from(after, 'latin1'));
}
