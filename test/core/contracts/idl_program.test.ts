// Instructions decoded by their IDL: discriminators, both formats of types, and ambiguous data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIdl } from '../../../src/core/contracts/idl.ts';
import { decodeInstruction, parsedIdls } from '../../../src/core/contracts/idl_program.ts';
import { textDigest } from '../../../src/core/contracts/smart_contract_interfaces.ts';

function programOf(idl: object) {
  const text = JSON.stringify({ types: [], ...idl });
  readIdl(JSON.parse(text));
  return parsedIdls.of({ text, digest: textDigest(text) });
}

const instruction = (name: string, more: object = {}) => ({
  name,
  args: [],
  accounts: [],
  ...more,
});
const decode = (idl: object, hex: string) =>
  decodeInstruction(programOf(idl), Uint8Array.fromHex(hex));

test('an omitted discriminator derives from the name in snake case', () => {
  // The first eight bytes of SHA-256, by openssl: printf 'global:place_order' | openssl sha256.
  const names = {
    placeOrder: '33c29baf6d82606a',
    place_order: '33c29baf6d82606a',
    close: '62a5c9b16c41ce60',
  };
  for (const [name, discriminator] of Object.entries(names)) {
    const decoded = decode({ instructions: [instruction(name)] }, discriminator);
    const expected = { name, discriminator, isOfName: true, arguments: new Map(), accounts: [] };
    assert.deepEqual(decoded, expected);
  }
});

test('data without a known discriminator, or with those of two instructions, is not decoded', () => {
  const instructions = [
    instruction('a', { discriminator: [1] }),
    instruction('b', { discriminator: [1, 2] }),
    instruction('c', { discriminator: [3, 4] }),
  ];
  assert.equal(decode({ instructions }, '01')?.name, 'a');
  assert.equal(decode({ instructions }, '0102'), undefined);
  assert.equal(decode({ instructions }, '0304')?.name, 'c');
  assert.equal(decode({ instructions }, '03'), undefined);
  assert.equal(decode({ instructions }, ''), undefined);
  // Two spellings of a name share one discriminator, and the IDL may omit both.
  const twins = [instruction('placeOrder'), instruction('place_order')];
  assert.equal(decode({ instructions: twins }, '33c29baf6d82606a'), undefined);
});

test('every type is read in the older and in the newer format', () => {
  const args = (types: readonly unknown[]) => types.map((type, i) => ({ name: `a${i}`, type }));
  const types = [
    { name: 'Pair', type: { kind: 'struct', fields: ['u8', 'bool'] } },
    { name: 'Empty', type: { kind: 'struct' } },
    { name: 'Alias', type: { kind: 'alias', value: 'i16' } },
    { name: 'Other', type: { kind: 'type', alias: 'u16' } },
    {
      name: 'Side',
      type: { kind: 'enum', variants: [{ name: 'Buy' }, { name: 'Sell', fields: ['u8'] }] },
    },
  ];
  const older = ['publicKey', { defined: 'Pair' }, { defined: 'Empty' }, { defined: 'Alias' }];
  const newer = [
    'pubkey',
    { defined: { name: 'Pair' } },
    { defined: { name: 'Empty' } },
    { defined: { name: 'Alias' } },
  ];
  const more = [
    { defined: 'Other' },
    { defined: 'Side' },
    { defined: 'Side' },
    { vec: 'i8' },
    { array: ['u8', 2] },
    { option: 'string' },
    'bytes',
    'i128',
  ];
  const data =
    `07${'00'.repeat(32)}0501feff0300000105` +
    '01000000ff' +
    '0102' +
    '010100000061' +
    '0100000009' +
    'ff'.repeat(16);
  for (const spelling of [older, newer]) {
    const instructions = [
      instruction('go', { discriminator: [7], args: args([...spelling, ...more]) }),
    ];
    const decoded = decode({ instructions, types }, data);
    assert.deepEqual(
      [...(decoded?.arguments.values() ?? [])],
      [
        '1'.repeat(32),
        [5n, true],
        new Map(),
        -2n,
        3n,
        new Map([['Buy', new Map()]]),
        new Map([['Sell', [5n]]]),
        [-1n],
        [1n, 2n],
        'a',
        '09',
        -1n,
      ],
    );
  }
});

test('a type that is not serialized with Borsh is not decoded, and the other instructions are', () => {
  // Anchor uses such types if a program reads memory directly: 7 bytes of padding precede b.
  const fields = [
    { name: 'a', type: 'u8' },
    { name: 'b', type: 'u64' },
  ];
  const argument = [{ name: 'x', type: { defined: { name: 'T' } } }];
  const inside = [{ name: 'x', type: { vec: { defined: { name: 'Outer' } } } }];
  const idlOf = (serialization: object) => ({
    instructions: [
      instruction('go', { discriminator: [1], args: argument }),
      instruction('nested', { discriminator: [2], args: inside }),
      instruction('plain', { discriminator: [3], args: [{ name: 'x', type: 'u8' }] }),
    ],
    types: [
      { name: 'T', ...serialization, type: { kind: 'struct', fields } },
      {
        name: 'Outer',
        type: { kind: 'struct', fields: [{ name: 't', type: { defined: { name: 'T' } } }] },
      },
    ],
  });
  const whole = { go: '01050600000000000000', nested: '0201000000050600000000000000' };
  for (const serialization of [{}, { serialization: 'borsh' }]) {
    assert.equal(decode(idlOf(serialization), whole.go)?.name, 'go');
    assert.equal(decode(idlOf(serialization), whole.nested)?.name, 'nested');
  }
  for (const other of ['bytemuck', 'bytemuckunsafe', { custom: 'packed' }]) {
    const idl = idlOf({ serialization: other });
    assert.equal(decode(idl, whole.go), undefined, JSON.stringify(other));
    assert.equal(decode(idl, whole.nested), undefined, JSON.stringify(other));
    assert.equal(decode(idl, '0305')?.name, 'plain');
  }
});

test('an instruction with an unknown type is not decoded, and the other instructions are', () => {
  const argument = (type: unknown) => [{ name: 'x', type }];
  const idl = {
    instructions: [
      instruction('wide', { discriminator: [1], args: argument('u256') }),
      instruction('longer', { discriminator: [1, 2] }),
      instruction('tuple', { discriminator: [3], args: argument({ tuple: ['u8', 'u8'] }) }),
      instruction('twice', { discriminator: [4], args: argument({ defined: 'Same' }) }),
    ],
    types: [
      { name: 'Same', type: { kind: 'struct', fields: argument('u8') } },
      { name: 'Same', type: { kind: 'struct', fields: argument('u8') } },
      { name: 'Broken', type: { kind: 'struct', fields: argument('u256') } },
    ],
  };
  assert.equal(decode(idl, `01${'00'.repeat(32)}`), undefined);
  // The bytes begin with two discriminators, although only one instruction can be decoded.
  assert.equal(decode(idl, '0102'), undefined);
  assert.equal(decode(idl, '030102'), undefined);
  assert.deepEqual(decode(idl, '0407')?.arguments, new Map([['x', new Map([['x', 7n]])]]));
});

test('an instruction with a foreign discriminant is not decoded by the discriminator of Anchor', () => {
  // The program reads one byte, 0x33, and executes its own instruction 51, whatever follows.
  const foreign = instruction('placeOrder', { discriminant: { type: 'u8', value: 3 } });
  const text = JSON.stringify({ instructions: [foreign, instruction('close')], types: [] });
  const stored = parsedIdls.of({ text, digest: textDigest(text) });
  assert.equal(decodeInstruction(stored, Uint8Array.fromHex('33c29baf6d82606a')), undefined);
  assert.equal(decodeInstruction(stored, Uint8Array.fromHex('03')), undefined);
  assert.equal(decodeInstruction(stored, Uint8Array.fromHex('62a5c9b16c41ce60'))?.name, 'close');
});

test('a program is parsed once for each text', () => {
  const idl = { instructions: [instruction('go', { discriminator: [7] })] };
  assert.equal(programOf(idl), programOf(idl));
});
