import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfHex, utf8 } from '../../../src/core/base/bytes.ts';
import type { RawData, TronAddress } from '../../../src/core/chains/tron/messages.ts';
import { writeTron } from '../../../src/core/chains/tron/write.ts';
import type { TransactionExplanation } from '../../../src/core/organization/records/transaction_explanation.ts';
import { tronKind } from '../../../src/core/transactions/tron/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';
import { type Told, told } from './tron_told.ts';

const vectors = readVectors<TransactionVector>('tron');
const owner = 'TUFSAQZf35HeENRF3AXbiKNt9TFEmw29Ga';

for (const vector of vectors) {
  test(`${vector.name}: explained`, () => {
    const transaction = read(vectorBytes(vector.unsignedTransaction));
    assert.deepEqual(
      texts(tronKind.explain(transaction, accountOf(vector), new Map())),
      told[vector.name],
    );
  });
}

test('every explanation belongs to a vector', () => {
  assert.deepEqual(
    Object.keys(told),
    vectors.map(({ name }) => name),
  );
});

test('effects name addresses, amounts and assets', () => {
  const [transfer] = explain({}).effects;
  assert.deepEqual(transfer, {
    kind: 'TRANSFER',
    text: `${owner} sends 1 TRX to TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.`,
    from: owner,
    to: 'TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E',
    amount: '1000000',
    asset: 'TRX',
  });
  const [, token] = explain(call('a9059cbb', [receiver, word(5n)])).effects;
  assert.deepEqual(token, {
    kind: 'TOKEN_TRANSFER',
    text: `If ${contract.base58} is a token, 5 of its units go from ${owner} to ${contract.base58}.`,
    from: owner,
    to: contract.base58,
    amount: '5',
    asset: contract.base58,
    contract: contract.base58,
  });
});

test('a long memo is cut in the explanation', () => {
  const memo = explain({ data: utf8('m'.repeat(300)) }).effects.find(({ kind }) => kind === 'DATA');
  assert.equal(memo?.text, `It carries a public memo of 300 bytes: "${'m'.repeat(256)}…".`);
  assert.deepEqual(memo?.arguments, [{ name: 'memo', value: `${'6d'.repeat(256)}…` }]);
  assert.equal(
    explain({ data: utf8('\u202em') }).effects[1]?.text,
    'It carries a public memo of 4 bytes: "\\u{202e}m".',
  );
  assert.equal(
    explain({ data: Uint8Array.of(0xff) }).effects[1]?.text,
    'It carries a public memo of 1 byte.',
  );
});

test('a validity beyond all dates is shown as a number', () => {
  const { effects } = explain({ expiration: 2n ** 63n - 1n });
  assert.equal(
    effects.at(-1)?.text,
    'It is valid before 9223372036854775807 milliseconds after 1970.',
  );
});

test('a high fee limit of a call is warned of', () => {
  const codes = (fee_limit: bigint) =>
    explain({ ...call('', []), fee_limit }).warnings.map(({ code }) => code);
  assert.deepEqual(codes(999_999_999n), ['UNKNOWN_CONTRACT']);
  assert.deepEqual(codes(1_000_000_000n), ['UNKNOWN_CONTRACT', 'HIGH_FEE']);
});

test('a call without data is named as such', () => {
  const { summary, warnings } = explain(call('', []));
  assert.equal(summary, `${owner} calls the contract ${contract.base58} without data.`);
  assert.equal(warnings[0]?.text, `What ${contract.base58} does is not known.`);
});

test('tokens of another owner are named as such', () => {
  const { effects } = explain(call('23b872dd', [other, receiver, word(7n)]));
  assert.equal(
    effects[1]?.text,
    `If ${contract.base58} is a token, 7 of its units, or its token number 7, go from TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E to ${contract.base58}.`,
  );
});

test('allowances are named by function and size', () => {
  const approval = (selector: string, amount: bigint) =>
    explain(call(selector, [receiver, word(amount)])).effects[1]?.text;
  const start = `If ${contract.base58} is a token, ${contract.base58} may spend`;
  assert.equal(
    approval('095ea7b3', 9n),
    `${start} 9 units that ${owner} has of it, or its token number 9.`,
  );
  assert.equal(approval('39509351', 9n), `${start} 9 more units that ${owner} has of it.`);
  assert.equal(approval('d73dd623', 9n), `${start} 9 more units that ${owner} has of it.`);
  assert.equal(
    approval('095ea7b3', 2n ** 128n),
    `${start} any number of units that ${owner} has of it, or its token number ${2n ** 128n}.`,
  );
  const codes = (amount: bigint) =>
    explain(call('095ea7b3', [receiver, word(amount)])).warnings.map(({ code }) => code);
  assert.deepEqual(codes(2n ** 128n - 1n), ['UNKNOWN_CONTRACT']);
  assert.deepEqual(codes(2n ** 128n), ['UNLIMITED_APPROVAL', 'UNKNOWN_CONTRACT']);
});

test('data before an address or after the arguments is not explained as a token call', () => {
  const dirty = `000000000000000000000041${receiver.slice(24)}`;
  for (const data of [
    call('a9059cbb', [dirty, word(5n)]),
    call('a9059cbb', [receiver, word(5n), word(0n)]),
    call('a9059cbb', [receiver]),
    call('23b872dd', [dirty, receiver, word(5n)]),
  ]) {
    const { effects, warnings } = explain(data);
    assert.deepEqual(
      effects.map(({ kind }) => kind),
      ['CALL', 'VALIDITY'],
    );
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['UNREADABLE_CALL_DATA'],
    );
  }
});

test('a lock without a period lasts the default time', () => {
  const raw = rawOf('DelegateResourceContract of bandwidth, locked');
  if (raw.contract.type !== 'DelegateResourceContract') throw new Error('another contract');
  const members = { ...raw.contract.members, lock_period: 0n };
  assert.match(
    explain({ ...raw, contract: { ...raw.contract, members } }).summary,
    /usual time\.$/,
  );
});

test('a permission without keys is named, and a signing key that stays an owner is not warned of', () => {
  const raw = rawOf('AccountPermissionUpdateContract, owner and one active');
  if (raw.contract.type !== 'AccountPermissionUpdateContract') throw new Error('another contract');
  const { members } = raw.contract;
  const mine = { address: members.owner_address, weight: 1n };
  const permission = members.owner;
  assert.ok(permission !== undefined);
  const changed = (owner: typeof permission) =>
    explain({ ...raw, contract: { ...raw.contract, members: { ...members, owner } } } as RawData);
  assert.equal(changed({ ...permission, keys: [mine] }).warnings.length, 1);
  // The key that signs must reach the threshold alone.
  const needed = changed({ ...permission, threshold: 2n, keys: [mine] });
  assert.deepEqual(needed.warnings[1], {
    code: 'NEW_AUTHORITY',
    text: `The key that signs, ${owner}, has too little weight to act as the owner without other keys.`,
  });
  const without = changed({ ...permission, keys: [] });
  assert.equal(without.effects[1]?.text, 'The permission Owner needs a weight of 1 from no key.');
  assert.equal(without.warnings.length, 2);
});

test('transfers are those of TRX, of tokens without a contract, and of calls that resemble token transfers', () => {
  const transfers = (changes: Partial<RawData>) =>
    tronKind.transfers(read(writeTron({ ...plain, ...changes })), account);
  const to = 'TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E';
  assert.deepEqual(transfers({}), [{ token: '', from: owner, to, amount: 1_000_000n }]);
  assert.deepEqual(transfers(call('23b872dd', [other, receiver, word(7n)], 2n, 3n)), [
    { token: '1000226', from: owner, to: contract.base58, amount: 3n },
    { token: '', from: owner, to: contract.base58, amount: 2n },
    { token: contract.base58, from: to, to: contract.base58, amount: 7n },
  ]);
  assert.deepEqual(transfers(call('a9059cbb', [receiver, word(7n)])), [
    { token: contract.base58, from: owner, to: contract.base58, amount: 7n },
  ]);
  assert.deepEqual(transfers(call('095ea7b3', [receiver, word(7n)])), [
    { token: contract.base58, from: owner, to: contract.base58, amount: 7n },
  ]);
  const permissions = rawOf('AccountPermissionUpdateContract, owner and one active');
  assert.deepEqual(
    transfers(permissions).map(({ token, isAtLeast }) => [token, isAtLeast]),
    [
      ['', true],
      [undefined, true],
    ],
  );
  assert.deepEqual(transfers(rawOf('FreezeBalanceV2Contract for energy')), []);
  assert.equal(tronKind.chain(read(writeTron(plain)), account), 'tron');
  assert.deepEqual(tronKind.contracts(read(writeTron(plain))), []);
});

const [firstVector] = vectors;
assert.ok(firstVector !== undefined);
const account = accountOf(firstVector);
const plain = rawOf('TransferContract');
const contract: TronAddress = contractOf('TriggerSmartContract, TRC-20 transfer');
const receiver = paddedWord(contract);
const other = paddedWord(receiverOf('TransferContract'));

function read(bytes: Uint8Array) {
  return tronKind.format.read(bytes, account);
}

function rawOf(name: string): RawData {
  const vector = vectors.find((each) => each.name === name);
  assert.ok(vector !== undefined);
  return tronKind.format.read(vectorBytes(vector.unsignedTransaction), accountOf(vector)).raw;
}

function contractOf(name: string): TronAddress {
  const raw = rawOf(name);
  if (raw.contract.type !== 'TriggerSmartContract') throw new Error('another contract');
  return raw.contract.members.contract_address;
}

function receiverOf(name: string): TronAddress {
  const raw = rawOf(name);
  if (raw.contract.type !== 'TransferContract') throw new Error('another contract');
  return raw.contract.members.to_address;
}

/** Explains the plain transfer with other members. */
function explain(changes: Partial<RawData>): TransactionExplanation {
  return tronKind.explain(read(writeTron({ ...plain, ...changes })), account, new Map());
}

function call(selector: string, words: readonly string[], value = 0n, tokens = 0n) {
  const data = bytesOfHex(selector + words.join(''));
  assert.ok(data !== undefined);
  const members = {
    owner_address: plain.contract.members.owner_address,
    contract_address: contract,
    call_value: value,
    data,
    call_token_value: tokens,
    token_id: tokens === 0n ? 0n : 1_000_226n,
  };
  return { contract: { type: 'TriggerSmartContract', permissionId: 0n, members } } as const;
}

function paddedWord({ bytes }: TronAddress): string {
  return bytes.subarray(1).toHex().padStart(64, '0');
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

function texts({ summary, effects, fee, warnings }: TransactionExplanation): Told {
  const [first, ...more] = effects;
  assert.equal(first?.text, summary);
  return {
    summary,
    effects: more.map(({ text }) => text),
    fee: fee?.text,
    warnings: warnings.map(({ code, text }) => [code, text] as const),
  };
}
