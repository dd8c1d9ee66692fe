import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';

const wire = {
  operation: 'create_session_profile',
  type: 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE',
  intent: 'createSessionProfileIntent',
  result: 'createSessionProfileResult',
};
const parameters = {
  sessionProfileName: 'Signer',
  scope: "activity.action == 'SIGN'",
  expirationSeconds: '3600',
  notes: 'For phones',
};

test('create_session_profile: requires a valid scope and a unique name', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const wrong = (field: string, changes: object) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, ...changes },
  });
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['expirationSeconds', 'notes'],
    malformed: [
      wrong('sessionProfileName', { sessionProfileName: '' }),
      wrong('sessionProfileName', { sessionProfileName: 'SESSION_TYPE_READ_WRITE' }),
      wrong('scope', { scope: '' }),
      wrong('scope', { scope: 'activity.action ==' }),
      wrong('scope', { scope: 'activity.action' }),
      wrong('scope', { scope: "approvers.any(user, user.id == 'x')" }),
      wrong('scope', { scope: 'nothing.known == 1' }),
      wrong('scope', { scope: `'${'x'.repeat(2_048)}' == ''` }),
      wrong('scope', { scope: `'${'ä'.repeat(1_100)}' == ''` }),
      wrong('expirationSeconds', { expirationSeconds: '0' }),
      wrong('expirationSeconds', { expirationSeconds: '99999999999' }),
    ],
  });
  assert.deepEqual(Object.keys(result), ['sessionProfileId']);
  const text = /^session profile label must be unique: `Signer` /;
  await checkRefused(service, { ...wire, parameters }, { status: 400, code: 3, text });
});

test('create_session_profile: warns of a scope that its sessions can escape', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const made = async (sessionProfileName: string, scope: string) => {
    const asked = { sessionProfileName, scope };
    const { status, body } = await service.submit(wire.operation, wire.type, asked);
    assert.equal(status, 200, JSON.stringify(body));
    return { id: body.activity.result.createSessionProfileResult.sessionProfileId, body };
  };
  const { id, body } = await made('Logins', "activity.kind == 'STAMP_LOGIN'");
  const message =
    'lets the session log in again without a scope (STAMP_LOGIN): compare `activity.params.session_profile_id` with the profile that is meant, or leave logins out';
  assert.deepEqual(body.warnings, [
    { sessionProfileId: id, sessionProfileName: 'Logins', code: 'SESSION_SCOPE_ESCAPES', message },
  ]);
  assert.equal((await made('Signer', parameters.scope)).body.warnings, undefined);
});

test('create_session_profile: only parents have profiles, as their policies allow', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const text = /^request not authorized: a sub-organization cannot have session profiles/;
  await checkRefused(service, { ...wire, parameters, as: child }, { status: 403, code: 7, text });
  await makeUser(service, 'Alice');
  const as = { key: testKey('Alice') };
  await makePolicy(service, 'Profiles', {
    condition: "activity.resource == 'SESSION_PROFILE' && activity.action == 'CREATE'",
    consensus: 'approvers.count() >= 2',
  });
  const answer = await service.submit(wire.operation, wire.type, parameters, as);
  assert.equal(answer.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
});

test('create_session_profile: an organization has at most 100', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (let i = 0; i < 100; i += 1) {
      draft.put('session_profile', { id: newId(), name: `${i}`, scope: 'true', ...times });
    }
    return undefined;
  });
  const text = /^organization has exceeded maximum session profiles: the limit is 100$/;
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
});
