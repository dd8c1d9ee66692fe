// Absent facts in a DENY: an expression has a value if all values of its absent parts give the same one.
// Otherwise it fails for the part that matters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileClause, type Logic } from '../../../../src/core/policy/language/clause.ts';
import type { Scope } from '../../../../src/core/policy/language/values.ts';

/** Returns the value, or the code of the failure. */
function outcomeOf(text: string, scope: Scope, logic: Logic = 'three_valued') {
  const outcome = compileClause('condition', text).evaluate(scope, undefined, logic);
  return 'value' in outcome ? outcome.value : outcome.failure.code;
}

const keys = 'solana.tx.account_keys';
/** The wallet is unknown, so each key may be in the list. */
const doubtful = `${keys}.filter(k, wallet.imported)`;
const facts: Scope = {
  wallet: {},
  solana: { tx: { account_keys: ['a', 'b', 'c'] } },
};

test('an expression has a value if its unknown parts do not matter', () => {
  for (const [text, expected] of [
    [`'a' in ${keys}.filter(k, k == 'a' || wallet.imported)`, true],
    [`'z' in ${doubtful}`, false],
    [`'a' in ${doubtful}`, 'member_missing'],
    [`${keys}.any(k, k == 'b' || wallet.imported)`, true],
    [`${keys}.all(k, k == 'b' && wallet.imported)`, false],
    [`${doubtful}.any(k, k == 'z')`, false],
    [`${doubtful}.any(k, k == 'a')`, 'member_missing'],
    [`${doubtful}.all(k, k != 'z')`, true],
    [`${doubtful}.all(k, k == 'a')`, 'member_missing'],
    [`${doubtful}.filter(k, k == 'z').count() == 0`, true],
    [`${doubtful}.filter(k, k == 'a').count() == 0`, 'member_missing'],
    [`${doubtful}.filter(k, k == 'a').count() <= 1`, true],
    [`${keys}.filter(k, k == 'a' || wallet.imported).filter(k, k != 'b').count() >= 1`, true],
    [`${doubtful}.count() <= 3`, true],
    [`${doubtful}.count() == 3`, 'member_missing'],
  ] as const) {
    assert.equal(outcomeOf(text, facts), expected, text);
  }
});

test('an ALLOW has no value if a part of it has none', () => {
  for (const text of [
    `${doubtful}.count() >= 0`,
    `${doubtful}.any(k, k == 'z')`,
    `'z' in ${doubtful}`,
    `[wallet.imported, true].count() == 2`,
  ]) {
    assert.equal(outcomeOf(text, facts, 'strict'), 'member_missing', text);
  }
});

test('a number between bounds is compared with a number of any type', () => {
  const scope = { ...facts, eth: { tx: { contract_call_args: new Map([['n', 7n]]) } } };
  const number = `eth.tx.contract_call_args['n']`;
  for (const [text, expected] of [
    [`${doubtful}.count() == ${number}`, false],
    [`${number} == ${doubtful}.count()`, false],
    [`${doubtful}.count() != ${number}`, true],
    [`${number} != ${doubtful}.count()`, true],
    [`${keys}.count() == ${number}`, false],
  ] as const) {
    assert.equal(outcomeOf(text, scope), expected, text);
  }
});

test('a clause fails only for the absent namespace if no other part matters', () => {
  for (const text of [
    // These parts have a value for any wallet.
    `${doubtful}.count() >= 0 && eth.tx.value == 1`,
    `${doubtful}.any(k, k == 'z') || eth.tx.value == 1`,
    `'z' in ${doubtful} || eth.tx.value == 1`,
    `${doubtful}.filter(k, k == 'z').count() == 1 || eth.tx.value == 1`,
    // These read parts of an absent namespace.
    `eth.tx.contract_call_args['n'] == 7`,
    `7 == eth.tx.contract_call_args['n']`,
    `eth.tx.contract_call_args['s'].member == 7`,
    `eth.tx.to in ['a', 'b']`,
    `eth.tx.value in [1, 2]`,
    `'a' in eth.tx.contract_call_args['list']`,
    `bitcoin.tx.outputs[0].address == 'a'`,
    `bitcoin.tx.outputs.any(o, o.address == 'a')`,
    `bitcoin.tx.outputs.all(o, o.address == 'a')`,
    `bitcoin.tx.outputs.filter(o, o.address == 'a').count() == 1`,
  ]) {
    assert.equal(outcomeOf(text, facts), 'namespace_absent', text);
  }
});

test('elements are not evaluated once the steps are used up', () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `${i}`);
  for (const lambda of ['any', 'all', 'filter']) {
    let reads = 0;
    const scope: Scope = {
      wallet: {
        get imported() {
          reads += 1;
          return true;
        },
      },
      solana: { tx: { account_keys: keys } },
    };
    // One read takes two of the million steps of a clause.
    const long = Array.from({ length: 30 }, () => 'wallet.imported').join(' && ');
    const text = `solana.tx.account_keys.${lambda}(k, ${long})`;
    const whole = lambda === 'filter' ? `${text}.count() == 1` : text;
    assert.equal(outcomeOf(whole, scope), 'step_limit', lambda);
    assert(reads <= 500_000, `${lambda}: ${reads} reads`);
  }
});

test('the bounds of a slice may be facts, and an absent bound fails', () => {
  const scope: Scope = { eth: { tx: { data: '0x1234', value: 4n, nonce: 2n } }, wallet: {} };
  for (const [text, expected] of [
    [`eth.tx.data[eth.tx.nonce..eth.tx.value] == '12'`, true],
    [`eth.tx.data[2..eth.tx.value] == '12'`, true],
    [`eth.tx.data[eth.tx.nonce..6] == '1234'`, true],
    [`eth.tx.data[eth.tx.gas..6] == '1234'`, 'member_missing'],
    [`bitcoin.tx.outputs[eth.tx.gas..6].count() == 1`, 'member_missing'],
  ] as const) {
    assert.equal(outcomeOf(text, scope), expected, text);
  }
});

test('the failure of a control or a label names each reason for the missing value', () => {
  const reasonOf = (text: string) => {
    const empty: Scope = { controls: {}, address_book: {} };
    const outcome = compileClause('condition', text).evaluate(empty);
    return 'failure' in outcome ? outcome.failure.message : assert.fail('a value');
  };
  assert.match(
    reasonOf('controls.daily'),
    /unknown amount.*counters are full.*parent or a sponsor/,
  );
  assert.match(reasonOf("'a' in address_book.daily"), /label changed.*of a sponsor/);
});
