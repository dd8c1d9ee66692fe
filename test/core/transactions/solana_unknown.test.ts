// Instructions that are newer than the parsers of their programs, and instruction 13 of the system program.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58Key } from '../../../src/core/chains/solana/base58_key.ts';
import { programs } from '../../../src/core/chains/solana/programs.ts';
import { compileClause } from '../../../src/core/policy/language/clause.ts';
import { solanaKind } from '../../../src/core/transactions/solana/index.ts';
import { account, build, keyText, u64 } from '../chains/solana/build.ts';

const [me, two] = [1, 2].map(keyText) as [string, string];
const owner = '09'.repeat(32);
const ownerText = base58Key(Uint8Array.fromHex(owner));
const own = account.publicKey.toHex();

function read(program: string, data: string, accounts: readonly number[]) {
  const bytes = build({ keys: [1, 2, 3, program], instructions: [{ program: 3, accounts, data }] });
  const transaction = solanaKind.format.read(bytes, account);
  const scope = solanaKind.facts(transaction, account, new Map());
  const outcome = (condition: string, logic: 'strict' | 'three_valued' = 'strict') => {
    const found = compileClause('condition', condition).evaluate(scope, undefined, logic);
    return 'failure' in found ? found.failure : found.value;
  };
  const explanation = solanaKind.explain(transaction, account, new Map());
  return { outcome, transfers: solanaKind.transfers(transaction, account), explanation };
}

// CreateAccountAllowPrefund: https://docs.rs/solana-system-interface, `SystemInstruction`.
test('instruction 13 of the system program is a transfer from its second account to the first', () => {
  const data = `0d000000${u64(5n)}${u64(165n)}${owner}`;
  const { outcome, transfers, explanation } = read(programs.system, data, [1, 0]);
  assert.deepEqual(transfers, [
    { token: '', from: me, to: two, amount: 5n },
    { token: '', from: two, to: ownerText, amount: 0n, isAtLeast: true },
  ]);
  const transfer = `solana.tx.transfers.all(t, t.from == '${me}' && t.to == '${two}' && t.amount == 5)`;
  assert.equal(outcome(`solana.tx.transfers.count() == 1 && ${transfer}`), true);
  assert.match(String(explanation.effects[0]?.text), /puts 0\.000000005 SOL into the account/);
  assert.deepEqual(explanation.effects[0]?.from, me);
});

test('instruction 13 without a payer gives the own account with all its SOL to a program', () => {
  const data = `0d000000${u64(0n)}${u64(165n)}${owner}`;
  const { outcome, transfers, explanation } = read(programs.system, data, [0]);
  assert.deepEqual(transfers, [
    { token: '', from: me, to: ownerText, amount: 0n, isAtLeast: true },
  ]);
  // A request with several signers may turn over the account of another one.
  const other = read(programs.system, data, [1]);
  assert.equal(other.transfers.length, 1);
  assert.equal(other.explanation.warnings[0]?.code, 'NEW_AUTHORITY');
  assert.equal(outcome('solana.tx.transfers.count() == 0'), true);
  assert.equal(explanation.warnings[0]?.code, 'NEW_AUTHORITY');
});

for (const [what, program, data, list, token] of [
  ['system program', programs.system, '0e000000', 'transfers', ''],
  ['system program', programs.system, 'ffffffff', 'transfers', ''],
  ['token program', programs.token, `2e${u64(1n)}`, 'spl_transfers', undefined],
  ['token program of 2022', programs.token2022, `fe${u64(1n)}`, 'spl_transfers', undefined],
] as const) {
  test(`an instruction ${data.slice(0, 2)} of the ${what} is shown, and no rule on amounts allows it`, () => {
    const { outcome, transfers, explanation } = read(program, data, [0, 1, 2]);
    for (const logic of ['strict', 'three_valued'] as const) {
      for (const condition of [
        `solana.tx.${list}.count() == 0`,
        `solana.tx.${list}.all(t, t.amount < 1)`,
      ]) {
        const failure = outcome(condition, logic);
        assert.ok(typeof failure === 'object');
        assert.equal(failure.code, 'member_missing');
        assert.match(failure.message, /is not known, and may be a transfer/);
      }
    }
    // Rules without amounts decide as usual.
    assert.equal(outcome('solana.tx.instructions.count() == 1'), true);
    assert.deepEqual(transfers, [{ token, from: me, to: '', amount: 0n, isAtLeast: true }]);
    assert.deepEqual(
      explanation.warnings.map(({ code }) => code),
      ['UNREADABLE_CALL_DATA'],
    );
    assert.match(String(explanation.effects[0]?.text), /^Calls instruction \d+ of the/);
  });
}

// Transfer and TransferWithFee of the extension for confidential transfers.
for (const subTag of ['07', '0d']) {
  test(`a confidential transfer (27/${subTag}) leaves the sum of its token unknown`, () => {
    const { outcome, transfers, explanation } = read(
      programs.token2022,
      `1b${subTag}${'00'.repeat(40)}`,
      [1, 2, 0],
    );
    const mint = keyText(3);
    assert.deepEqual(transfers, [{ token: mint, from: two, to: me, amount: 0n, isAtLeast: true }]);
    const failure = outcome('solana.tx.spl_transfers.count() == 0');
    assert.ok(typeof failure === 'object');
    assert.equal(failure.code, 'member_missing');
    const [effect] = explanation.effects;
    assert.equal(
      effect?.text,
      `Moves a hidden amount of the token ${mint} from the token account ${two} to the token account ${me}.`,
    );
    assert.deepEqual(
      explanation.warnings.map(({ code }) => code),
      ['UNVERIFIED_AMOUNT'],
    );
  });
}

test('a deposit into the confidential balance of the same account is no transfer', () => {
  assert.deepEqual(read(programs.token2022, `1b05${u64(5n)}06`, [1, 2, 0]).transfers, []);
});

test('a new owner of a token account gets all its tokens, so that their sum is unknown', () => {
  const { transfers } = read(programs.token, `060201${owner}`, [1, 0]);
  const to = base58Key(Uint8Array.fromHex(owner));
  const unknown = { from: two, to, amount: 0n, isAtLeast: true };
  assert.deepEqual(transfers, [
    { token: undefined, ...unknown },
    // Wrapped SOL is a token, and a token account holds the SOL of its rent.
    { token: '', ...unknown },
  ]);
  // Other authorities move nothing, and an owner cannot be removed.
  for (const data of [`060001${owner}`, `060401${owner}`, '060200', `060201${own}`]) {
    assert.deepEqual(read(programs.token, data, [1, 0]).transfers, [], data);
  }
});

test('a new closing authority of a token account gets its wrapped SOL, so that the sum is unknown', () => {
  const { transfers } = read(programs.token, `060301${owner}`, [1, 0]);
  assert.deepEqual(transfers, [
    { token: '', from: two, to: ownerText, amount: 0n, isAtLeast: true },
  ]);
  for (const data of [`060301${own}`, '060300']) {
    assert.deepEqual(read(programs.token, data, [1, 0]).transfers, [], data);
  }
});

for (const [what, data] of [
  ['from a mint', '1a02'],
  ['from accounts', '1a0301'],
  ['from a mint with confidential transfers', `2501${'00'.repeat(8)}`],
  ['from accounts with confidential transfers', `250201${'00'.repeat(8)}`],
] as const) {
  test(`withheld fees ${what} are an unknown amount of the token`, () => {
    const { transfers } = read(programs.token2022, data, [1, 2, 0]);
    const to = keyText(3);
    assert.deepEqual(transfers, [{ token: two, from: two, to, amount: 0n, isAtLeast: true }]);
    assert.deepEqual(read(programs.token2022, '1a0401', [1, 2, 0]).transfers, []);
  });
}

test('an account is open to anyone once it is as long as a nonce account', () => {
  const allocate = (space: bigint, accounts = [0]) =>
    read(programs.system, `08000000${u64(space)}`, accounts).transfers;
  assert.deepEqual(allocate(80n), [{ token: '', from: me, to: '', amount: 0n, isAtLeast: true }]);
  assert.deepEqual(allocate(79n), []);
  assert.equal(allocate(80n, [1]).length, 1);
});

test('a new authority of a nonce account gets its SOL', () => {
  const authorize = (key: string) => read(programs.system, `07000000${key}`, [1, 0]).transfers;
  assert.deepEqual(authorize(owner), [
    { token: '', from: two, to: ownerText, amount: 0n, isAtLeast: true },
  ]);
  assert.deepEqual(authorize(own), []);
});

// VoteInstruction of https://docs.rs/solana-vote-interface.
test('SOL that leaves a vote account counts, and a new withdrawer makes the sum unknown', () => {
  const vote = (data: string, accounts: readonly number[]) =>
    read(programs.vote, data, accounts).transfers;
  const withdrawal = `03000000${u64(7n)}`;
  const paid = { token: '', from: two, amount: 7n };
  assert.deepEqual(vote(withdrawal, [1, 0, 0]), []);
  // The program accepts the signature of any account, so the third is not the withdrawer for sure.
  assert.deepEqual(vote(withdrawal, [1, 2, 2, 0]), [{ ...paid, to: keyText(3) }]);
  const given = { token: '', from: two, amount: 0n, isAtLeast: true };
  assert.deepEqual(vote(`01000000${owner}01000000`, [1, 2, 0]), [{ ...given, to: ownerText }]);
  assert.deepEqual(vote('0700000001000000', [1, 0, 0, 2]), [{ ...given, to: keyText(3) }]);
  for (const data of [`01000000${owner}00000000`, `01000000${own}01000000`, '0e000000']) {
    assert.deepEqual(vote(data, [1, 2, 0]), [], data);
  }
  for (const data of ['0a000000', '63000000', '03']) {
    assert.deepEqual(vote(data, [0, 1, 2]), [
      { token: '', from: me, to: '', amount: 0n, isAtLeast: true },
    ]);
  }
});

for (const [name, data] of [
  ['Assign', `01000000${owner}`],
  ['AssignWithSeed', `0a000000${owner}${u64(1n)}61${owner}`],
  ['AllocateWithSeed', `09000000${owner}${u64(1n)}61${u64(5n)}${owner}`],
] as const) {
  test(`${name} gives all SOL of an account to a program, so that its sum is unknown`, () => {
    const { transfers } = read(programs.system, data, [0]);
    const to = base58Key(Uint8Array.fromHex(owner));
    assert.deepEqual(transfers, [{ token: '', from: me, to, amount: 0n, isAtLeast: true }]);
  });
}

test('an unknown instruction of the stake program leaves the sum of SOL unknown', () => {
  const { transfers } = read(programs.stake, '63000000', [0, 1, 2]);
  assert.deepEqual(transfers, [{ token: '', from: me, to: '', amount: 0n, isAtLeast: true }]);
  assert.deepEqual(read(programs.stake, '0d000000', [0, 1, 2]).transfers, []);
});

for (const [name, data] of [
  ['CloseAccount', '09'],
  ['WithdrawExcessLamports', '26'],
  ['UnwrapLamports without an amount', '2d00'],
] as const) {
  test(`${name} leaves the sum of SOL unknown, unless the authority receives it`, () => {
    const accounts = [2, 1, 0];
    const { transfers } = read(programs.token2022, data, accounts);
    assert.deepEqual(transfers, [{ token: '', from: me, to: two, amount: 0n, isAtLeast: true }]);
    const [own] = read(programs.token2022, data, [2, 0, 0]).transfers;
    assert.deepEqual([own?.from, own?.to], [me, me]);
  });
}

test('UnwrapLamports with an amount counts as a transfer of the amount', () => {
  const { transfers } = read(programs.token2022, `2d01${u64(7n)}`, [2, 1, 0]);
  assert.deepEqual(transfers, [{ token: '', from: me, to: two, amount: 7n }]);
});
