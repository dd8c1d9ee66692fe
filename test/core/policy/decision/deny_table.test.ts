// DENY clauses with outcomes written by hand from docs/policy-language.md, "What forbids".

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidingPolicy } from '../../../../src/core/policy/decision/deciding_policies.ts';
import { decideActivity, decisionInputOf } from '../../../../src/core/policy/decision/decision.ts';
import { caselessText, type Scope } from '../../../../src/core/policy/language/values.ts';

const activity = (action: string, kind: string, params = {}) => ({
  type: `ACTIVITY_TYPE_${kind}`,
  kind,
  resource: kind.includes('WALLET') ? 'WALLET' : 'PRIVATE_KEY',
  action,
  params,
});

/** The export of a wallet: nothing is signed. */
const exporting: Scope = {
  activity: activity('EXPORT', 'EXPORT_WALLET', { target_public_key: '04' }),
  wallet: { id: 'w', label: 'cold', imported: false, exported: false },
};

/** A transaction that creates a contract, with call data too short for a selector. */
const signing: Scope = {
  activity: activity('SIGN', 'SIGN_TRANSACTION', { type: 'TRANSACTION_TYPE_ETHEREUM' }),
  wallet: { id: 'w', label: 'hot', imported: false, exported: true },
  wallet_account: { address: '0xAb' },
  eth: { tx: { data: '0x', value: 5n, chain_id: 1n, from: caselessText('0xAb') } },
};

/** Two wallets that are deleted together. */
const deleting: Scope = {
  activity: activity('DELETE', 'DELETE_WALLETS'),
  wallets: [
    { id: 'w', label: 'hot', imported: false, exported: true },
    { id: 'v', label: 'cold', imported: true, exported: false },
  ],
};

/**
 * `denies`: it applies. `fails`: it denies unless failing policies are skipped. `passes`: it does not
 * apply.
 */
type Expected = 'denies' | 'fails' | 'passes';
type Row = readonly [Expected, string];

const chain = 'eth.eip_712.domain.chain_id == 1';
const short = `eth.tx.data[0..10] == '0x095ea7b3'`;

const onExport: readonly Row[] = [
  // A clause that once allowed the export, and its other spellings.
  ['denies', `activity.action == 'EXPORT' || ${chain}`],
  ['denies', `${chain} || activity.action == 'EXPORT'`],
  ['denies', `${chain} || private_key.exported || activity.action == 'EXPORT'`],
  ['denies', `!(activity.action != 'EXPORT' && ${chain})`],
  ['denies', `!(!(activity.action == 'EXPORT') && !(${chain}))`],
  ['denies', `(activity.action == 'EXPORT' || ${chain}) && wallet.label == 'cold'`],
  ['denies', `(activity.action == 'SIGN' || ${chain}) || wallet.label == 'cold'`],
  ['denies', `true || eth.tx.value > 1`],
  ['denies', `eth.tx.value > 1 || true`],
  // An element that may be in a list is neither present nor absent.
  ['passes', `!(['a', 'b'].filter(x, ${chain}).contains('a'))`],
  ['denies', `!(['a', 'b'].filter(x, ${chain}).contains('c'))`],
  // False alternatives leave the rest to decide.
  ['passes', `activity.action == 'SIGN' || ${chain}`],
  ['passes', `${chain} || activity.action == 'SIGN'`],
  ['passes', `false || ${chain}`],
  // Absent as a whole.
  ['passes', chain],
  ['passes', `!(${chain})`],
  ['passes', `!!(${chain})`],
  ['passes', `${chain} || private_key.exported`],
  ['passes', `${chain} && private_key.exported`],
  ['passes', `activity.action == 'EXPORT' && ${chain}`],
  ['passes', `${chain} && activity.action == 'EXPORT'`],
  ['passes', `eth.tx.data[0..10] == '0x095ea7b3'`],
  ['passes', `solana.tx.transfers.count() > 0`],
  ['passes', `solana.tx.transfers.all(t, t.amount < 5)`],
  ['passes', `!solana.tx.transfers.any(t, t.amount < 5)`],
  ['passes', `'a' in solana.tx.account_keys`],
  ['passes', `activity.params.hash_function != 'HASH_FUNCTION_NO_OP'`],
  ['passes', `CaseInsensitiveString(eth.tx.to) != 'a'`],
  ['passes', `(${chain}) == (${chain})`],
  // A comparison with an absent value is absent, on either side.
  ['passes', `wallet.imported != (${chain})`],
  ['passes', `(${chain}) != wallet.imported`],
  ['passes', `wallet.label != eth.tx.to`],
  ['passes', `eth.tx.to != wallet.label`],
  ['passes', `wallet.label != eth.eip_712.message['a']`],
  ['passes', `eth.eip_712.message['a'] != wallet.label`],
  ['passes', `wallet.label in [eth.tx.to]`],
  ['passes', `!(eth.tx.to in ['a', 'b'])`],
  ['passes', `!(eth.tx.value in [1, 2])`],
  // False next to an absent value is false, and its negation true.
  ['passes', `false && ${chain}`],
  ['passes', `${chain} && false`],
  ['denies', `!(false && ${chain})`],
  ['denies', `!(${chain} && activity.action == 'SIGN')`],
  ['passes', `!(true || ${chain})`],
  // A list literal may have unknown elements.
  ['denies', `'cold' in [eth.tx.to, wallet.label]`],
  ['denies', `[wallet.label, eth.tx.to].contains('cold')`],
  ['passes', `'warm' in [eth.tx.to, wallet.label]`],
  ['passes', `!('warm' in [eth.tx.to, wallet.label])`],
  ['passes', `!('cold' in [eth.tx.to, wallet.label])`],
  ['denies', `[eth.tx.to, wallet.label].any(x, x == 'cold')`],
  ['denies', `!([eth.tx.to, wallet.label].all(x, x == 'warm'))`],
  ['denies', `[eth.tx.to, wallet.label].count() == 2`],
  ['denies', `[eth.tx.to, wallet.label].filter(x, x == 'cold').count() >= 1`],
  ['passes', `[eth.tx.to, wallet.label].filter(x, x == 'cold').count() >= 2`],
  ['passes', `[eth.tx.to, wallet.label].filter(x, x == 'cold').count() > 2`],
  ['denies', `[eth.tx.to, wallet.label].filter(x, x == 'cold').count() <= 2`],
  ['passes', `[wallet.label, eth.tx.to][0] == 'cold'`],
];

const onTransaction: readonly Row[] = [
  // Failing as a whole: the clause might apply.
  ['fails', short],
  ['fails', `!(${short})`],
  ['fails', `${short} && activity.action == 'SIGN'`],
  ['fails', `${short} || activity.action == 'EXPORT'`],
  ['fails', `eth.tx.to == '0x01'`],
  ['fails', `private_key.exported || ${short}`],
  ['fails', `${short} && private_key.exported`],
  ['fails', `private_key.exported == (${short})`],
  ['fails', `wallet.exported == (${short})`],
  ['fails', `wallet.imported != (${short})`],
  // A failing part does not hide a true one, nor replace a false one.
  ['denies', `${short} || eth.tx.value > 1`],
  ['denies', `eth.tx.value > 1 || ${short}`],
  ['denies', `${short} || private_key.exported || eth.tx.value > 1`],
  ['denies', `eth.tx.value > 1 && (${short} || wallet.exported)`],
  ['passes', `${short} && eth.tx.value > 100`],
  ['passes', `eth.tx.value > 100 && ${short}`],
  ['passes', `!(${short} || eth.tx.value > 1)`],
  ['denies', `!(${short} && eth.tx.value > 100)`],
  ['denies', `(eth.tx.value > 1 || ${short}) && !(eth.tx.value > 9 && ${chain})`],
  // Case-insensitive texts, numbers, and one of several keys.
  ['denies', `eth.tx.from in [private_key.id, '0xaB']`],
  ['fails', `eth.tx.from in [private_key.id, '0xcd', eth.tx.to]`],
  ['denies', `eth.tx.value in [1, 5] || private_key.exported`],
];

const onDeletion: readonly Row[] = [
  ['denies', `wallets.any(w, w.label == 'cold' || ${chain})`],
  ['denies', `wallets.any(w, ${chain} || w.label == 'cold')`],
  ['passes', `wallets.any(w, w.label == 'warm' || ${chain})`],
  ['passes', `wallets.all(w, w.label == 'cold' && ${chain})`],
  ['denies', `!wallets.all(w, w.label == 'cold' && ${chain})`],
  ['passes', `wallets.all(w, w.label == 'cold' || ${chain})`],
  ['denies', `wallets.filter(w, w.label == 'cold' || ${chain}).count() >= 1`],
  ['denies', `1 <= wallets.filter(w, ${chain} || w.label == 'cold').count()`],
  ['passes', `wallets.filter(w, w.label == 'cold' || ${chain}).count() == 2`],
  ['passes', `wallets.filter(w, w.label == 'cold' || ${chain}).count() > 2`],
  ['denies', `wallets.filter(w, w.label == 'cold' || ${chain}).count() != 3`],
  ['denies', `wallets.filter(w, w.imported || ${chain}).any(w, w.label == 'cold')`],
  ['passes', `wallets.filter(w, w.exported || ${chain}).any(w, w.label == 'cold')`],
  ['passes', `wallets.filter(w, w.exported || ${chain}).all(w, w.label == 'cold')`],
  // An element that may be in a list matters only if it would affect the result.
  ['passes', `!wallets.filter(w, w.exported || ${chain}).any(w, w.label == 'cold')`],
  ['denies', `!wallets.filter(w, w.exported || ${chain}).any(w, w.label == 'warm')`],
  ['passes', `wallets.filter(w, w.exported || ${chain}).all(w, w.label == 'hot')`],
  ['denies', `wallets.filter(w, w.exported || ${chain}).all(w, w.label != 'warm')`],
  // It may also be in a list filtered again.
  ['passes', `wallets.filter(w, w.exported || ${chain}).filter(w, w.imported).count() == 0`],
  ['denies', `wallets.filter(w, w.exported || ${chain}).filter(w, w.exported).count() == 1`],
  ['denies', `wallets.filter(w, w.imported || ${chain}).filter(w, w.imported).count() == 1`],
  ['passes', `wallets.filter(w, ${chain})[0].label == 'hot'`],
  ['passes', `wallets.filter(w, ${chain}).count() == 0`],
  ['denies', `wallets[0..0].all(w, ${chain})`],
  ['passes', `wallets[0..0].any(w, ${chain})`],
  ['denies', `wallets.any(w, w.label == 'cold') || wallet.label == 'cold'`],
  ['fails', `wallets[2].label == 'x' || wallet.label == 'cold'`],
];

const tables = { onExport, onTransaction, onDeletion };
const scopes = { onExport: exporting, onTransaction: signing, onDeletion: deleting };

for (const name of ['onExport', 'onTransaction', 'onDeletion'] as const) {
  for (const [expected, condition] of tables[name]) {
    test(`${name}: ${condition} ${expected}`, () => {
      const expectsDenial = { denies: [true, true], fails: [true, false], passes: [false, false] };
      const found = (['FAILED_DENY_REFUSES', 'FAILED_DENY_SKIPPED'] as const).map(
        (failedDeny) => decide({ condition }, scopes[name], failedDeny) === 'policy_denies',
      );
      assert.deepEqual(found, expectsDenial[expected]);
    });
  }
}

test('the table has at least eighty rows', () => {
  assert.ok(Object.values(tables).flat().length >= 80);
});

test('an ALLOW stays strict: a true alternative does not replace an absent one', () => {
  const allowed = (condition: string) =>
    decide({ condition, effect: 'EFFECT_ALLOW' }, exporting) === 'policy_allows';
  assert.equal(allowed(`activity.action == 'EXPORT'`), true);
  assert.equal(allowed(`activity.action == 'EXPORT' || ${chain}`), false);
  assert.equal(allowed(`${chain} || activity.action == 'EXPORT'`), false);
  assert.equal(allowed(`!(false && ${chain})`), false);
  assert.equal(allowed(`'cold' in [eth.tx.to, wallet.label]`), false);
  assert.equal(allowed('[eth.tx.to, wallet.label].count() == 2'), false);
  assert.equal(allowed(`wallet.imported != (${chain})`), false);
  assert.equal(allowed(`wallets.filter(w, ${chain}).count() == 0`), false);
});

test('parameters of an activity without parameters are absent', () => {
  const bare = { activity: { kind: 'EXPORT_WALLET', action: 'EXPORT' } };
  const condition = `activity.params.encoding == 'PAYLOAD_ENCODING_HEXADECIMAL'`;
  assert.equal(decide({ condition }, bare), 'policy_allows');
});

test('the consensus and the time of a DENY follow the same tables', () => {
  const first = `approvers[1].id == 'x'`;
  // With one approver, the read of a second approver fails.
  assert.equal(decide({ consensus: first }, exporting), 'policy_denies');
  assert.equal(decide({ consensus: first }, exporting, 'FAILED_DENY_SKIPPED'), 'policy_allows');
  const either = `${first} || approvers.count() < 2`;
  assert.equal(decide({ consensus: either }, exporting, 'FAILED_DENY_SKIPPED'), 'policy_denies');
  const both = `${first} && approvers.count() >= 2`;
  assert.equal(decide({ consensus: both }, exporting), 'policy_allows');
  // An absent condition decides, even if another clause fails.
  assert.equal(decide({ condition: chain, consensus: first }, exporting), 'policy_allows');
  const late = `time.now > Timestamp('2026-01-01T00:00:00Z')`;
  const condition = `activity.action == 'EXPORT' || ${chain}`;
  assert.equal(decide({ condition, time: late }, exporting), 'policy_denies');
  assert.equal(decide({ condition, time: `!(${late})` }, exporting), 'policy_allows');
});

test('of several parts a true one denies, a failing one fails, and an absent one has no effect', () => {
  const condition = `eth.tx.value > 1 || ${short}`;
  const odd = { ...signing, eth: { tx: { data: '0x', value: 0n } } };
  assert.equal(decide({ condition }, [exporting, signing]), 'policy_denies');
  assert.equal(decide({ condition }, [exporting, odd]), 'policy_denies');
  assert.equal(decide({ condition }, [odd, exporting], 'FAILED_DENY_SKIPPED'), 'policy_allows');
  assert.equal(decide({ condition }, [exporting, deleting]), 'policy_allows');
});

test('a control or label without a value denies, even where failed DENYs are skipped', () => {
  const odd = {
    ...signing,
    eth: { tx: { data: '0x', value: 0n } },
    controls: {},
    address_book: {},
  };
  const withheld = [
    '!controls.hourly',
    '!(wallet_account.address in address_book.treasury)',
    `${short} || !controls.hourly`,
    `!controls.hourly && eth.tx.value == 0`,
  ];
  for (const condition of withheld) {
    for (const failedDeny of ['FAILED_DENY_REFUSES', 'FAILED_DENY_SKIPPED'] as const) {
      assert.equal(decide({ condition }, odd, failedDeny), 'policy_denies', condition);
      assert.equal(decide({ condition }, [deleting, odd], failedDeny), 'policy_denies', condition);
    }
  }
  const other = '!controls.hourly && eth.tx.value == 1';
  assert.equal(decide({ condition: other }, odd), 'policy_allows');
});

type Written = {
  readonly effect?: 'EFFECT_ALLOW';
  readonly condition?: string;
  readonly consensus?: string;
  readonly time?: string;
};

/** Returns the reason of a decision under this policy, by default a DENY, next to an ALLOW. */
function decide(
  written: Written,
  scopes: Scope | readonly Scope[],
  failedDeny: 'FAILED_DENY_REFUSES' | 'FAILED_DENY_SKIPPED' = 'FAILED_DENY_REFUSES',
) {
  const effect = written.effect ?? 'EFFECT_DENY';
  const policy = decidingPolicy({ id: 'p', name: 'p', ...written, effect });
  const allowsAll = decidingPolicy({ id: 'all', name: 'all', effect: 'EFFECT_ALLOW' });
  const voter = { userId: 'u', user: { id: 'u', tags: [], alias: '', email: '' }, credentials: [] };
  const input = decisionInputOf({
    rule: 'policy',
    rootQuorum: { threshold: 1, userIds: ['root'] },
    failedDeny,
    ownUserId: undefined,
    policies: effect === 'EFFECT_DENY' ? [policy, allowsAll] : [policy],
    scopes: () => [scopes].flat(),
    timeScope: { time: { now: 1_790_000_000_000_000_000n } },
  });
  return decideActivity(input, [voter], 'u', () => []).reason;
}
