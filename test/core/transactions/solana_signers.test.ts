// A request with several signing accounts of Solana: what one of them gives to another one counts, and its
// approver sees it, whichever account the request names first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programs } from '../../../src/core/chains/solana/programs.ts';
import { explainRequest } from '../../../src/core/transactions/headline/explain_request.ts';
import { solanaKind } from '../../../src/core/transactions/solana/index.ts';
import { account, build, keyText, type Parts, u64 } from '../chains/solana/build.ts';

const [me, two, three] = [1, 2, 3].map(keyText) as [string, string, string];
const keyHex = (byte: number) => byte.toString(16).padStart(2, '0').repeat(32);

/** Returns a transaction of two signers with one instruction. */
const signed = (program: string, data: string, accounts: readonly number[]): Parts => ({
  keys: [1, 2, 3, 4, program],
  header: { requiredSignatures: 2 },
  instructions: [{ program: 4, accounts, data }],
});

/** Reads a transaction for accounts that sign it in one request. */
function read(parts: Parts, [address = me, ...others]: readonly string[]) {
  const signer = { ...account, address, others };
  const transaction = solanaKind.format.read(build(parts), signer);
  const { fee, warnings } = solanaKind.explain(transaction, signer, new Map());
  return {
    fee,
    codes: warnings.map(({ code }) => code),
    texts: warnings.map(({ text }) => text),
    transfers: solanaKind.transfers(transaction, signer),
  };
}

test('an account that one signer gives to another one counts, and is warned of', () => {
  const given = [
    // A new withdrawer of a stake account and of a vote account.
    signed(programs.stake, `01000000${keyHex(1)}01000000`, [2, 1]),
    signed(programs.vote, `01000000${keyHex(1)}01000000`, [2, 3, 1]),
    // A new owner of a token account, and a new authority of a nonce account.
    signed(programs.token, `0602${'01'}${keyHex(1)}`, [2, 1]),
    signed(programs.system, `07000000${keyHex(1)}`, [2, 1]),
  ];
  for (const parts of given) {
    const alone = read(parts, [me]);
    assert.deepEqual(alone.transfers, []);
    for (const signers of [
      [me, two],
      [two, me],
    ]) {
      const { transfers, codes } = read(parts, signers);
      assert(transfers.length > 0 && transfers.every(({ isAtLeast }) => isAtLeast === true));
      assert(codes.includes('NEW_AUTHORITY'));
    }
  }
  // The same for an amount that a vote account pays.
  const paid = signed(programs.vote, `03000000${u64(7n)}`, [2, 0, 1]);
  assert.deepEqual(read(paid, [me]).transfers, []);
  const counted = [{ token: '', from: three, to: me, amount: 7n }];
  assert.deepEqual(read(paid, [me, two]).transfers, counted);
});

test('a signer whose account a program gets is warned of, although it is not the first', () => {
  const created = `00000000${u64(1n)}${u64(165n)}${keyHex(9)}`;
  const parts = signed(programs.system, created, [0, 1]);
  const text = `The program ${keyText(9)} decides on all that the account ${two} holds.`;
  assert(!read(parts, [me]).texts.includes(text));
  assert(read(parts, [two]).texts.includes(text));
  assert(read(parts, [me, two]).texts.includes(text));
  // Amounts count once.
  assert.deepEqual(read(parts, [me, two]).transfers, read(parts, [me]).transfers);
});

test('accounts of the request are neither another payer nor other signers', () => {
  const parts = signed(programs.system, `02000000${u64(5n)}`, [1, 2]);
  assert.deepEqual(read(parts, [two]).codes, ['FEE_PAYER_IS_ANOTHER', 'OTHER_SIGNERS']);
  const both = read(parts, [two, me]);
  assert.deepEqual(both.codes, []);
  assert.equal(both.fee?.payer, me);
  assert.deepEqual(both.transfers, [{ token: '', from: two, to: three, amount: 5n }]);
  const more = { ...parts, header: { requiredSignatures: 3 } };
  assert.deepEqual(read(more, [two, me]).texts, [`Another account has to sign as well: ${three}.`]);
});

test('an approver sees the warnings of all signers, computed from the signed request', () => {
  const unsigned = build(signed(programs.stake, `01000000${keyHex(1)}01000000`, [2, 1]));
  const explain = (signWiths: readonly string[]) =>
    explainRequest(
      'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2',
      { unsignedTransaction: unsigned.toHex(), signWiths, caip2: 'solana:mainnet' },
      { address: me, addressFormat: 'ADDRESS_FORMAT_SOLANA', publicKey: keyHex(1) },
    )?.warnings.map(({ code }) => code);
  assert.deepEqual(explain([me]), ['OTHER_SIGNERS']);
  assert.deepEqual(explain([me, two]), ['NEW_AUTHORITY']);
});
