import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFunctionSelector } from 'viem';
import { eip55 } from '../../../src/core/address/ethereum.ts';
import { tronAddress } from '../../../src/core/address/tron.ts';
import { concatBytes, hex } from '../../../src/core/base/bytes.ts';
import type { SigningAccount } from '../../../src/core/chains/chain.ts';
import {
  movedByCall,
  readTokenCall,
  tokenFunctions,
} from '../../../src/core/transactions/calls/token_calls.ts';
import type { TransactionKind, VisibleTransfer } from '../../../src/core/transactions/described.ts';
import { ethereumKind } from '../../../src/core/transactions/ethereum/index.ts';
import { tempoKind } from '../../../src/core/transactions/tempo/index.ts';
import { tronKind } from '../../../src/core/transactions/tron/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';

const other = new Uint8Array(20).fill(7);
const word = (value: number) => {
  const bytes = new Uint8Array(32);
  bytes[31] = value;
  return bytes;
};
const exact = concatBytes(Uint8Array.fromHex('a9059cbb'), new Uint8Array(12), other, word(5));
const moved = {
  signature: 'transfer(address,uint256)',
  effect: 'transfer',
  to: other,
  amount: 5n,
} as const;

test('limits count the tokens that a call may move, in any encoding', () => {
  const dirty = exact.slice();
  dirty[4 + 3] = 0x41;
  for (const data of [exact, concatBytes(exact, Uint8Array.of(0)), dirty]) {
    assert.deepEqual(movedByCall(data), moved);
  }
  assert.deepEqual(movedByCall(exact.subarray(0, 4 + 32)), { ...moved, amount: 0n });
});

test('explanations cover only exact data', () => {
  assert.deepEqual(readTokenCall(exact)?.amount, 5n);
  assert.equal(readTokenCall(concatBytes(exact, Uint8Array.of(0))), undefined);
});

test('a call that is not of a token is not counted', () => {
  assert.equal(movedByCall(Uint8Array.fromHex('095ea7b4')), undefined);
  assert.equal(movedByCall(new Uint8Array()), undefined);
});

const from = new Uint8Array(20).fill(3);
const contract = new Uint8Array(20).fill(0xcc);

/** Returns a call of a function by its signature; the first of two addresses owns the moved tokens. */
function callOf(signature: string): Uint8Array {
  const types = signature.slice(signature.indexOf('(') + 1, -1).split(',');
  const addresses =
    types.filter((type) => type === 'address').length === 2 ? [from, other] : [other];
  const heads = types.map((type) => {
    if (type === 'address') return concatBytes(new Uint8Array(12), addresses.shift() ?? other);
    return type === 'uint256' ? word(5) : word(type === 'bytes' ? 32 * types.length : 9);
  });
  const tail = types.includes('bytes') ? [word(0)] : [];
  return concatBytes(Uint8Array.fromHex(toFunctionSelector(signature).slice(2)), ...heads, ...tail);
}

/** Returns the first suitable transaction of a chain, and its account. */
function sampleOf<Transaction>(
  file: string,
  { format }: TransactionKind<Transaction>,
  isFit: (transaction: Transaction) => boolean = () => true,
): readonly [Transaction, SigningAccount] {
  for (const vector of readVectors<TransactionVector>(file)) {
    const account = accountOf(vector);
    const transaction = format.read(vectorBytes(vector.unsignedTransaction), account);
    if (isFit(transaction)) return [transaction, account];
  }
  return assert.fail(`no vector of ${file} fits`);
}

/** Returns the amounts that limits count for a call of the contract by the signing account. */
type Through = (data: Uint8Array) => {
  readonly counted: readonly VisibleTransfer[];
  readonly caller: string;
  readonly textOf: (account: Uint8Array) => string;
};

const eip55Text = (account: Uint8Array) => eip55(hex(account));

const types: Readonly<Record<string, Through>> = {
  ETHEREUM: (data) => {
    const [transaction, account] = sampleOf('ethereum', ethereumKind);
    const called = { ...transaction, to: contract, value: 0n, data };
    const counted = ethereumKind.transfers(called, account);
    return { counted, caller: account.address, textOf: eip55Text };
  },
  TEMPO: (data) => {
    const [transaction, account] = sampleOf('tempo', tempoKind);
    const called = { ...transaction, calls: [{ to: contract, input: data }] };
    const counted = tempoKind.transfers(called, account);
    return { counted, caller: account.address, textOf: eip55Text };
  },
  TRON: (data) => {
    const [transaction, account] = sampleOf(
      'tron',
      tronKind,
      ({ raw }) => raw.contract.type === 'TriggerSmartContract',
    );
    const { raw } = transaction;
    assert.ok(raw.contract.type === 'TriggerSmartContract');
    const contract_address = {
      bytes: concatBytes(Uint8Array.of(0x41), contract),
      base58: tronAddress(contract),
    };
    const none = { call_value: 0n, call_token_value: 0n };
    const members = { ...raw.contract.members, contract_address, data, ...none };
    const called = { ...transaction, raw: { ...raw, contract: { ...raw.contract, members } } };
    const counted = tronKind.transfers(called, account);
    return { counted, caller: members.owner_address.base58, textOf: tronAddress };
  },
};

const signatures = tokenFunctions.map(({ signature }) => signature);

test('each selector is that of its signature, by viem', () => {
  for (const { selector, signature } of tokenFunctions) {
    assert.equal(`0x${selector}`, toFunctionSelector(signature));
  }
});

test('limits count the transfers of DAI and of ERC-777 under their other names', () => {
  const others = [
    'push(address,uint256)',
    'move(address,address,uint256)',
    'send(address,uint256,bytes)',
    'operatorSend(address,address,uint256,bytes,bytes)',
  ];
  assert.deepEqual(new Set(others).difference(new Set(signatures)), new Set());
});

for (const signature of signatures) {
  test(`${signature} counts alike in every type of transaction`, () => {
    const data = callOf(signature);
    for (const [type, through] of Object.entries(types)) {
      for (const each of [data, concatBytes(data, word(1))]) {
        const { counted, caller, textOf } = through(each);
        const payer = signature.split('address').length > 2 ? textOf(from) : caller;
        const expected = { token: textOf(contract), from: payer, to: textOf(other), amount: 5n };
        assert.deepEqual(counted, [expected], type);
      }
    }
  });
}

test('an allowance of nothing does not count, and one without a limit makes the sum unknown', () => {
  const data = callOf('approve(address,uint256)');
  const of = (amount: Uint8Array) => concatBytes(data.subarray(0, 36), amount);
  for (const through of Object.values(types)) {
    assert.deepEqual(through(of(word(0))).counted, []);
    const [only, ...more] = through(of(new Uint8Array(32).fill(0xff))).counted;
    assert.deepEqual([only?.amount, only?.isAtLeast, more.length], [0n, true, 0]);
  }
});

test('a transfer with data behind it is still explained', () => {
  const call = readTokenCall(callOf('transferAndCall(address,uint256,bytes)'));
  assert.deepEqual([call?.effect, call?.amount], ['transfer', 5n]);
});
