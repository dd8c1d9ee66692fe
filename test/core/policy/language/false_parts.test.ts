import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileClause } from '../../../../src/core/policy/language/clause.ts';
import { falseParts } from '../../../../src/core/policy/language/false_parts.ts';
import { caselessText } from '../../../../src/core/policy/language/values.ts';

const scope = {
  activity: { kind: 'SIGN_TRANSACTION', action: 'SIGN', params: {} },
  wallet: { label: 'shop', id: 'w1' },
  eth: { tx: { value: 7n, to: caselessText('0xAB'), chain_id: 1n } },
};
const partsOf = (text: string, logic: 'strict' | 'three_valued' = 'strict') =>
  falseParts(compileClause('condition', text), scope, logic).map(({ text: part, values }) =>
    [part, ...values.map(({ name, value }) => `${name}=${value}`)].join(' | '),
  );

test('a false comparison is named with the value that it read', () => {
  assert.deepEqual(partsOf("activity.action == 'SIGN' && wallet.label == 'treasury'"), [
    "wallet.label == 'treasury' | wallet.label='shop'",
  ]);
  assert.deepEqual(partsOf('eth.tx.value < 5 && eth.tx.chain_id in [10, 137]'), [
    'eth.tx.value < 5 | eth.tx.value=7',
    'eth.tx.chain_id in [10, 137] | eth.tx.chain_id=1',
  ]);
  assert.deepEqual(partsOf("eth.tx.to == '0xcd'"), ["eth.tx.to == '0xcd' | eth.tx.to='0xab'"]);
});

test('each false alternative is named, and the negated part', () => {
  assert.deepEqual(partsOf("wallet.label == 'a' || wallet.label == 'b'"), [
    "wallet.label == 'a' | wallet.label='shop'",
    "wallet.label == 'b' | wallet.label='shop'",
  ]);
  assert.deepEqual(partsOf("!(wallet.label == 'shop')"), [
    "!(wallet.label == 'shop') | wallet.label='shop'",
  ]);
});

test('the position leads to the part', () => {
  const text = "activity.action == 'SIGN' && eth.tx.value < 5";
  const [part] = falseParts(compileClause('condition', text), scope, 'strict');
  assert.equal(text.slice(part?.position), 'eth.tx.value < 5');
});

test('true, failing and long clauses are not explained', () => {
  assert.deepEqual(partsOf("activity.action == 'SIGN'"), []);
  assert.deepEqual(partsOf("private_key.id == 'x'"), []);
  const long = Array.from({ length: 300 }, (_, i) => `eth.tx.value == ${i + 10}`).join(' || ');
  assert.deepEqual(partsOf(long), []);
  const many = Array.from({ length: 9 }, (_, i) => `eth.tx.value == ${i + 10}`).join(' || ');
  assert.equal(partsOf(many).length, 3);
});

test('a consensus shows its lists by their length', () => {
  const votes = { approvers: [{ id: 'u1' }], credentials: [] };
  const consensus = (text: string) =>
    falseParts(compileClause('consensus', text), votes, 'strict').map(({ values }) => values);
  assert.deepEqual(consensus('approvers.count() >= 2'), [
    [{ name: 'approvers.count()', value: '1' }],
  ]);
  assert.deepEqual(consensus("approvers.any(user, user.id == 'u2')"), [
    [{ name: 'approvers.count()', value: '1' }],
  ]);
});
