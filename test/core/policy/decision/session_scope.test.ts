import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  rejectScopeEscape,
  requireScope,
} from '../../../../src/core/policy/decision/session_scope.ts';
import type { JsonObject } from '../../../../src/core/schema/json.ts';

const activity = { type: '', kind: 'EXPORT_WALLET', resource: 'WALLET', action: 'EXPORT' };

const allows = (scope: string, parts: readonly object[] = [{}]) => {
  try {
    requireScope(scope, () => parts.map((part) => ({ activity, ...part })), 'one');
    return true;
  } catch {
    return false;
  }
};

test('a scope allows requests, so a clause without a value allows nothing', () => {
  assert.equal(allows(`activity.action == 'EXPORT'`), true);
  assert.equal(allows(`activity.action == 'EXPORT' || eth.tx.value <= 1`), false);
  assert.equal(allows(`!(eth.tx.value > 1)`), false);
  assert.equal(allows(`!(activity.action == 'SIGN' && eth.tx.value > 1)`), false);
  assert.equal(allows(`'cold' in [wallet.label, 'cold']`), false);
});

test('a scope must hold for every part, and allows no request without facts', () => {
  const scope = `eth.tx.value <= 1`;
  const sending = (value: bigint) => ({ eth: { tx: { value } } });
  assert.equal(allows(scope, [sending(1n), sending(0n)]), true);
  assert.equal(allows(scope, [sending(1n), sending(2n)]), false);
  assert.equal(allows(scope, [sending(1n), {}]), false);
  assert.throws(() => requireScope(scope, undefined, 'one'));
});

test('a session cannot add a login for its own user, under any scope', () => {
  const refuses = (type: string, parameters: JsonObject, submitterId = 'ada', scope = 'true') => {
    try {
      rejectScopeEscape(scope, 'ada', { type: `ACTIVITY_TYPE_${type}`, parameters, submitterId });
      return false;
    } catch {
      return true;
    }
  };
  for (const kind of [
    'CREATE_API_KEYS',
    'CREATE_API_KEYS_V2',
    'CREATE_AUTHENTICATORS_V2',
    'CREATE_OAUTH_PROVIDERS',
    'RECOVER_USER',
    'CREATE_READ_WRITE_SESSION_V2',
    'UPDATE_USER',
    'UPDATE_USER_EMAIL',
    'UPDATE_USER_PHONE_NUMBER',
  ]) {
    assert.ok(refuses(kind, { userId: 'ADA' }), kind);
    assert.ok(!refuses(kind, { userId: 'bob' }), kind);
    rejectScopeEscape(undefined, 'ada', {
      type: `ACTIVITY_TYPE_${kind}`,
      parameters: { userId: 'ada' },
      submitterId: 'ada',
    });
  }
  // A read-write session without a named user is the submitter's; an e-mail address may name any user.
  assert.ok(refuses('CREATE_READ_WRITE_SESSION_V2', {}));
  assert.ok(!refuses('CREATE_READ_WRITE_SESSION_V2', {}, 'bob'));
  assert.ok(refuses('CREATE_READ_WRITE_SESSION_V2', { email: 'ada@example.com' }, 'bob'));
  assert.ok(!refuses('UPDATE_USER_NAME', { userId: 'ada' }));
  assert.ok(!refuses('DELETE_API_KEYS', { userId: 'ada' }));
  assert.ok(!refuses('STAMP_LOGIN', {}));
});
