import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireScope } from '../../../../src/core/policy/decision/session_scope.ts';

const activity = { type: '', kind: 'EXPORT_WALLET', resource: 'WALLET', action: 'EXPORT' };

const allows = (scope: string, parts: readonly object[] = [{}]) => {
  try {
    requireScope(scope, () => parts.map((part) => ({ activity, ...part })));
    return true;
  } catch {
    return false;
  }
};

test('a scope allows, so whatever in it has no value allows nothing', () => {
  assert.equal(allows(`activity.action == 'EXPORT'`), true);
  assert.equal(allows(`activity.action == 'EXPORT' || eth.tx.value <= 1`), false);
  assert.equal(allows(`!(eth.tx.value > 1)`), false);
  assert.equal(allows(`!(activity.action == 'SIGN' && eth.tx.value > 1)`), false);
  assert.equal(allows(`'cold' in [wallet.label, 'cold']`), false);
});

test('a scope holds for every part of a request, and of what nobody can tell allows nothing', () => {
  const scope = `eth.tx.value <= 1`;
  const sending = (value: bigint) => ({ eth: { tx: { value } } });
  assert.equal(allows(scope, [sending(1n), sending(0n)]), true);
  assert.equal(allows(scope, [sending(1n), sending(2n)]), false);
  assert.equal(allows(scope, [sending(1n), {}]), false);
  assert.throws(() => requireScope(scope, undefined));
});
