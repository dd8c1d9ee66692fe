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
  assert.deepEqual(transfers, [{ token: '', from: me, to: two, amount: 5n }]);
  const transfer = `solana.tx.transfers.all(t, t.from == '${me}' && t.to == '${two}' && t.amount == 5)`;
  assert.equal(outcome(`solana.tx.transfers.count() == 1 && ${transfer}`), true);
  assert.match(String(explanation.effects[0]?.text), /puts 0\.000000005 SOL into the account/);
  assert.deepEqual(explanation.effects[0]?.from, me);
});

test('instruction 13 without a payer moves nothing, and takes control of the own account', () => {
  const data = `0d000000${u64(0n)}${u64(165n)}${owner}`;
  const { outcome, transfers, explanation } = read(programs.system, data, [0]);
  assert.deepEqual(transfers, []);
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
  for (const data of [`060001${owner}`, `060301${owner}`, '060200']) {
    assert.deepEqual(read(programs.token, data, [1, 0]).transfers, [], data);
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
