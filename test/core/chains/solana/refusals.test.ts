// Bytes that the reader refuses beyond the shared vectors, and the bounds of accepted bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programs } from '../../../../src/core/chains/solana/programs.ts';
import { solanaFormat } from '../../../../src/core/chains/solana/sign.ts';
import { account, build, type Parts, u64 } from './build.ts';
import { refusalOf } from './vectors.ts';

const system = (data: string, accounts: readonly number[] = [0, 1]): Parts => ({
  keys: [1, 2, 3, programs.system],
  instructions: [{ program: 3, accounts, data }],
});
const token = (data: string, accounts: readonly number[]): Parts => ({
  keys: [1, 2, 3, 4, programs.token],
  instructions: [{ program: 4, accounts, data }],
});
const token2022 = (data: string, accounts: readonly number[]): Parts => ({
  keys: [1, 2, 3, 4, programs.token2022],
  instructions: [{ program: 4, accounts, data }],
});
const seedOf = (text: string) => u64(BigInt(text.length / 2)) + text;
const key = '07'.repeat(32);
const one = u64(1n);

const accepted: Readonly<Record<string, Parts>> = {
  'no instruction': {},
  'as many keys as fit': { keys: Array.from({ length: 33 }, (_, i) => i + 1) },
  'an account named 255 times': { instructions: [{ program: 2, accounts: Array(255).fill(1) }] },
  '256 accounts with those of tables': {
    version: 'V0',
    tables: [{ key: 7, writable: Array(253).fill(4) }],
  },
  'version 1 with 64 instructions': {
    version: 'V1',
    instructions: Array.from({ length: 64 }, () => ({ program: 1 })),
  },
  'version 1 with 64 keys': {
    version: 'V1',
    keys: Array.from({ length: 64 }, (_, i) => i + 1),
  },
  'version 1 with 12 signers': {
    version: 'V1',
    keys: Array.from({ length: 14 }, (_, i) => i + 1),
    header: { requiredSignatures: 12 },
  },
  'the smallest and the largest heap': { version: 'V1', config: { heapSize: 32_768 } },
  'the largest heap': { version: 'V1', config: { heapSize: 262_144 } },
  'a transfer of two accounts': system(`02000000${one}`),
  'a transfer with surplus bytes': system(`02000000${one}ff`),
  'an account made with a seed': system(`03000000${key}${seedOf('c3a9')}${one}${one}${key}`),
  'all instructions of the system program without arguments': {
    keys: [1, 2, 3, programs.system],
    instructions: ['04000000', '0c000000'].map((data) => ({ program: 3, accounts: [1], data })),
  },
  'an unknown token instruction': token('1b05', []),
  'a fee instruction that is no transfer': token2022('1a02', []),
  'tokens of a multisig owner': token(`03${one}`, [0, 1, 2, 3, 3]),
};

for (const [name, parts] of Object.entries(accepted)) {
  test(`is accepted: ${name}`, () => {
    const bytes = build(parts);
    const transaction = solanaFormat.read(bytes, account);
    assert.equal(transaction.bytes, bytes);
  });
}

const refused: readonly (readonly [name: string, Parts | string, RegExp])[] = [
  ['no bytes', '', /^signatures: expected another byte/],
  ['no signatures at all', '00', /^header: expected another byte/],
  ['version 0 without signatures before it', '80', /^version: expected a number of signatures/],
  ['version 2', '82', /^version: expected a number of signatures or version 1, got 130/],
  ['nobody signs', { header: { requiredSignatures: 0 } }, /^header: expected at least one signer/],
  [
    'readonly accounts that are signers too',
    { header: { readonlyUnsigned: 3 } },
    /^header: expected at most 3 accounts, got 1 signers and 3 readonly accounts/,
  ],
  ['another account', { keys: [2, 3] }, /^account_keys: expected the account 4vJ9\w+ among them/],
  [
    'a program from a table',
    { version: 'V0', instructions: [{ program: 3 }], tables: [{ key: 7, writable: [0] }] },
    /^instructions\[0\]: expected a program among the 3 keys of the message, got index 3/,
  ],
  [
    'an account named 256 times',
    { instructions: [{ program: 2, accounts: Array(256).fill(1) }] },
    /^instructions\[0\]: expected at most 255 accounts, got 256/,
  ],
  [
    '1233 bytes',
    { instructions: [{ program: 2, data: new Uint8Array(1233 - 202) }] },
    /^transaction: expected at most 1232 bytes, got 1233/,
  ],
  [
    '4097 bytes of version 1',
    { version: 'V1', instructions: [{ program: 2, data: new Uint8Array(4097 - 206) }] },
    /^transaction: expected at most 4096 bytes, got 4097/,
  ],
  [
    '65 instructions of version 1',
    { version: 'V1', instructions: Array.from({ length: 65 }, () => ({ program: 1 })) },
    /^instructions: expected at most 64 instructions, got 65/,
  ],
  [
    'a heap below the smallest',
    { version: 'V1', config: { heapSize: 31_744 } },
    /^config\.heap_size: expected a multiple/,
  ],
  [
    'a heap above the largest',
    { version: 'V1', config: { heapSize: 263_168 } },
    /^config\.heap_size: expected a multiple/,
  ],
  [
    'a system instruction without its number',
    system('0200'),
    /^instructions\[0\]: expected 4 byte/,
  ],
  ['a transfer of one account', system(`02000000${one}`, [0]), /expected at least 2 accounts of T/],
  [
    'a seed longer than its instruction',
    system(`03000000${key}${u64(2n ** 63n)}`),
    /^instructions\[0\]: expected a seed of at most 0 bytes, got 9223372036854775808/,
  ],
  [
    'a seed that is no text',
    system(`0a000000${key}${seedOf('c3')}${key}`),
    /^instructions\[0\]: expected a seed in UTF-8/,
  ],
  ['system instruction 13', system('0d000000'), /^instructions\[0\]: expected 8 bytes|4 bytes/],
  [
    'system instruction 13 that pays, without a payer',
    system(`0d000000${one}${u64(0n)}${key}`, [0]),
    /expected at least 2 accounts of CreateAccountAllowPrefund, got 1/,
  ],
  ['a token transfer cut off', token('0301', [0, 1, 2]), /^instructions\[0\]: expected 4 bytes/],
  ['a token transfer of two accounts', token(`03${one}`, [0, 1]), /at least 3 accounts of Transf/],
  ['a checked one of three', token(`0c${one}06`, [0, 1, 2]), /at least 4 accounts of TransferC/],
  ['a checked one without decimals', token(`0c${one}`, [0, 1, 2, 3]), /expected another byte/],
  ['one with a fee of three', token2022(`1a01${one}06${one}`, [0, 1, 2]), /at least 4 accounts/],
  ['one with half a fee', token2022(`1a01${one}06`, [0, 1, 2, 3]), /expected 4 bytes/],
  ['the tag of fees alone', token2022('1a', []), /expected another byte/],
  ['a batch', token('ff', []), /expected the instructions of a batch one by one, got a batch/],
  ['a batch of Token-2022', token2022(`ff0309`, []), /got a batch/],
  ['an authority of a third kind', token('060202', [0, 1]), /expected 0 or 1 before an option/],
];

for (const [name, parts, reason] of refused) {
  test(`is refused: ${name}`, () => {
    const bytes = typeof parts === 'string' ? Uint8Array.fromHex(parts) : build(parts);
    const refusal = refusalOf(bytes, account);
    assert.match(String(refusal), reason);
  });
}

test('unknown bits of the config mask are refused', () => {
  const bytes = build({ version: 'V1' });
  bytes[4] = 0x20;
  assert.match(String(refusalOf(bytes, account)), /^config: unknown bits in the mask 100000/);
});

test('lengths have one form: the shortest, up to 65535', () => {
  const instruction = { program: 2, data: new Uint8Array(200) };
  const bytes = build({ instructions: [instruction] });
  const length = bytes.length - 202;
  assert.equal(bytes.subarray(length, length + 2).toHex(), 'c801');
  const spellings = { c88100: /shortest/, ffff04: /65535/, ffffff: /three/ };
  for (const [spelling, reason] of Object.entries(spellings)) {
    const other = Uint8Array.fromHex(
      bytes.subarray(0, length).toHex() + spelling + bytes.subarray(length + 2).toHex(),
    );
    assert.match(String(refusalOf(other, account)), reason, spelling);
  }
});
