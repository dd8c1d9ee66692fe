// Any text compiles or is refused with an `ExpressionError`, and any facts give an outcome.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ClauseName,
  compileClause,
  ExpressionError,
  mentions,
} from '../../../../src/core/policy/language/clause.ts';
import { caselessText, type FactValue } from '../../../../src/core/policy/language/values.ts';
import { structs } from '../../../../src/core/policy/names/structs.ts';

const seeds: readonly (readonly [ClauseName, string])[] = [
  ['condition', `activity.resource in ['AUTH', 'OTP'] && activity.action in ['CREATE','VERIFY']`],
  ['condition', `eth.tx.to == '0xaB' && eth.tx.data[0..10] == '0xa9059cbb' || eth.tx.value < 5`],
  ['condition', `eth.tx.contract_call_args['calls'].all(call, call[0] == '0xaB' && call[1] == 0)`],
  ['condition', `eth.eip_712.message['permitted'].any(p, p['token'] == 'a' && p['amount'] < 100)`],
  ['condition', `eth.eip_712.message['a'] in [eth.eip_712.message['b'], eth.tx.to, 'c']`],
  ['condition', `solana.tx.spl_transfers.all(t, t.signers.any(s, s == 'S')) && !wallet.imported`],
  [
    'condition',
    `solana.tx.instructions[0].accounts[1].writable == activity.params.transfer.threshold in [1]`,
  ],
  ['condition', `solana.tx.transfers.filter(t, t.amount > 5).count() == wallets.count()`],
  [
    'condition',
    `CaseInsensitiveString(wallet_account.address[1..3]) == secret.static_properties['k']`,
  ],
  ['condition', `wallet_account.path_indexes[0] == eth.eip_712.domain.chain_id`],
  [
    'consensus',
    `approvers.filter(u, u.tags.contains('T')).count() >= 2 && credentials.any(c, c.id == 'K')`,
  ],
  [
    'time',
    `time.now >= Timestamp('2026-03-01T00:00:00Z') && !CronSpan('0 9 * * 1-5', '8h', 'America/New_York')`,
  ],
];

test('random bytes are refused with an ExpressionError, or accepted', () => {
  fc.assert(
    fc.property(clauseName, fc.uint8Array({ maxLength: 80 }), (clause, bytes) => {
      compileOrRefuse(clause, Buffer.from(bytes).toString('latin1'));
      compileOrRefuse(clause, Buffer.from(bytes).toString('utf8'));
    }),
    { numRuns: 10_000, seed: 1 },
  );
});

test('random text of half characters is refused with an ExpressionError, or accepted', () => {
  fc.assert(
    fc.property(clauseName, fc.string({ unit: 'binary', maxLength: 40 }), (clause, text) => {
      compileOrRefuse(clause, text);
      compileOrRefuse(clause, `'${text}' == '\ud83d${text}'`);
    }),
    { numRuns: 3_000, seed: 2 },
  );
});

test('random pieces of the language, and expressions with exchanged pieces, compile or are refused', () => {
  const pieces = [...new Set(seeds.flatMap(([, text]) => text.match(/\w+|\W/g) ?? []))];
  const piece = fc.constantFrom(...pieces, '..', '==', '&&', '||', '-1', '9'.repeat(78), 'in', "'");
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(piece, { maxLength: 12 }),
      fc.nat(),
      fc.nat(3),
      (seed, inserted, place, removed) => {
        const [clause, text] = seed;
        compileOrRefuse(clause, inserted.join(''));
        const original = text.match(/\w+|\W/g) ?? [];
        const at = place % (original.length + 1);
        const mutated = original.toSpliced(at, removed, ...inserted.slice(0, 3)).join('');
        if (compileOrRefuse(clause, mutated)) accepted += 1;
      },
    ),
    { numRuns: 10_000, seed: 3 },
  );
  assert.ok(accepted > 100, `${accepted} mutated expressions are still expressions`);
});

test('random facts give an outcome, each time the same', () => {
  const compiled = seeds
    .filter(([, text]) => !text.includes('writable =='))
    .map(([clause, text]) => compileClause(clause, text));
  const seen = new Set<string>();
  fc.assert(
    fc.property(scope, (facts) => {
      for (const clause of compiled) {
        const outcome = clause.evaluate(facts);
        assert.deepEqual(clause.evaluate(facts), outcome);
        assert.equal(typeof mentions(clause, facts), 'boolean');
        seen.add('value' in outcome ? String(outcome.value) : outcome.failure.code);
      }
    }),
    { numRuns: 4_000, seed: 4 },
  );
  assert.deepEqual([...seen].sort(), [
    'false',
    'index_out_of_range',
    'key_missing',
    'member_missing',
    'namespace_absent',
    'number_out_of_range',
    'true',
    'type_mismatch',
  ]);
});

function compileOrRefuse(clause: ClauseName, text: string): boolean {
  try {
    compileClause(clause, text);
    return true;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    assert.ok(Number.isSafeInteger(error.position) && error.position >= 0);
    assert.ok(error.position <= Math.max(Buffer.byteLength(text), 131_072));
    return false;
  }
}

const clauseName = fc.constantFrom<ClauseName>('condition', 'consensus', 'time');

const fieldNames = [
  ...new Set(Object.values(structs).flatMap(({ fields }) => Object.keys(fields))),
];

/** Values of the declared types of the scope, and of all other types. */
const { fact } = fc.letrec<{ fact: FactValue }>((tie) => ({
  fact: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<FactValue>('a', '0xaB', '0xa9059cbb00', '', 0n, 5n, true, false),
    fc.constantFrom<FactValue>(2n ** 127n, -(2n ** 127n) - 1n, 2n ** 256n, 2n ** 255n),
    fc.bigInt({ min: 0n, max: 10n ** 20n }),
    fc.constantFrom('0xAB', 'é').map(caselessText),
    fc.array(tie('fact'), { maxLength: 3 }),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'calls', 'permitted', 'token', 'amount'), tie('fact'))
      .map((facts) => new Map(Object.entries(facts))),
    fc.dictionary(fc.constantFrom(...fieldNames), tie('fact'), { maxKeys: 6 }),
  ),
}));

/** Facts with the right structure on the paths that expressions read, and random facts below. */
const scope = fc.record(
  {
    activity: fc.record(
      { resource: fact, action: fact, params: fc.record({ transfer: fact }, { requiredKeys: [] }) },
      { requiredKeys: [] },
    ),
    eth: fc.record(
      {
        tx: fc.record(
          {
            to: fact,
            data: fact,
            value: fact,
            contract_call_args: fc.oneof(
              fact,
              fact.map((calls) => new Map([['calls', calls]])),
            ),
          },
          { requiredKeys: [] },
        ),
        eip_712: fc.record(
          {
            domain: fc.record({ chain_id: fact }),
            message: fc.oneof(
              fact,
              fc.tuple(fact, fact).map(
                ([a, b]) =>
                  new Map([
                    ['a', a],
                    ['b', b],
                    ['permitted', a],
                  ]),
              ),
            ),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
    solana: fact,
    wallet: fc.oneof(fact, fc.record({ imported: fact })),
    wallets: fact,
    wallet_account: fc.record({ path_indexes: fact, address: fact }),
    secret: fact,
    approvers: fact,
    credentials: fact,
    time: fc.oneof(fact, fc.record({ now: fact })),
  },
  { requiredKeys: [] },
);
