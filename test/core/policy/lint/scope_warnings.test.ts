import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeWarnings } from '../../../../src/core/policy/lint/scope_warnings.ts';

const profile = '0190a6ff-5d8e-7c3a-8f00-0123456789ab';
const named = `activity.params.session_profile_id == '${profile}'`;
const unscoped = 'without a scope';
const underAny = 'under any profile';
const ofOthers = 'other users';

const rows: readonly (readonly [scope: string, ways: readonly string[]])[] = [
  ["activity.action == 'SIGN'", []],
  ["activity.kind == 'STAMP_LOGIN'", [unscoped]],
  ["activity.kind in ['OTP_LOGIN', 'OAUTH_LOGIN']", [unscoped]],
  ["activity.type == 'ACTIVITY_TYPE_OTP_LOGIN_V2'", [unscoped]],
  ["activity.resource == 'AUTH' && activity.action == 'CREATE'", [unscoped, ofOthers]],
  ["activity.action == 'SIGN' || activity.action == 'CREATE'", [unscoped, ofOthers]],
  [`activity.kind == 'STAMP_LOGIN' && ${named}`, []],
  ["activity.kind == 'STAMP_LOGIN' && activity.params.session_profile_id != ''", [underAny]],
  ["activity.kind == 'STAMP_LOGIN' && activity.params.session_profile_id == ''", [unscoped]],
  [
    `activity.kind != 'STAMP_LOGIN' && activity.kind != 'OTP_LOGIN' && activity.kind != 'OAUTH_LOGIN'`,
    [ofOthers],
  ],
  ["activity.kind == 'CREATE_API_KEYS'", [ofOthers]],
  [`activity.kind == 'CREATE_API_KEYS' && activity.params.user_id == '${profile}'`, []],
  ["activity.kind == 'CREATE_AUTHENTICATORS'", [ofOthers]],
  ["activity.type == 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2'", [ofOthers]],
  ["activity.kind == 'CREATE_READ_WRITE_SESSION'", [ofOthers]],
  ["activity.kind == 'STAMP_LOGIN' || eth.tx.value == 0", []],
  ['true', [unscoped, ofOthers]],
];

test('exactly the escapes from a scope are reported', () => {
  for (const [scope, ways] of rows) {
    const found = scopeWarnings(scope, 'one');
    assert.equal(found.length, ways.length, scope);
    for (const [i, way] of ways.entries()) assert.ok(found[i]?.includes(way), `${scope}: ${found}`);
  }
});

test('the logins and credentials that an escape could create are named', () => {
  assert.match(
    scopeWarnings('true', 'one')[0] ?? '',
    /\(STAMP_LOGIN, OTP_LOGIN, OAUTH_LOGIN\): compare/,
  );
  assert.match(
    scopeWarnings("activity.resource == 'CREDENTIAL'", 'one')[0] ?? '',
    /\(CREATE_API_KEYS, CREATE_AUTHENTICATORS, CREATE_OAUTH_PROVIDERS\): leave them out/,
  );
});
