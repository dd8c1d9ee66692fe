// Older activity types of create_sub_organization.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { describedPasskey, queryWithPasskey } from '../authenticators/authenticator_requests.ts';
import { assertRefused, checkRefused } from '../checks.ts';
import { account, minimal, operation, typeOf } from './sub_organization_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

test('older types are accepted on the same path, and answered in their own names', async () => {
  const key = (name: string) => ({ apiKeyName: 'Key', publicKey: testKey(name).publicKey });
  const user = { userName: 'Older', userEmail: 'older@example.com', authenticators: [] };
  const withCurve = (name: string) => ({ ...key(name), curveType: 'API_KEY_CURVE_P256' });
  const versions: [string, object, object][] = [
    [
      'V7',
      { ...user, userPhoneNumber: '+12025550123', apiKeys: [withCurve('V7')], oauthProviders: [] },
      { disableSmsAuth: true },
    ],
    ['V6', { ...user, apiKeys: [withCurve('V6')], oauthProviders: [] }, {}],
    ['V5', { ...user, apiKeys: [key('V5')], oauthProviders: [] }, {}],
    ['V4', { ...user, apiKeys: [key('V4')] }, { disableEmailRecovery: true }],
  ];
  for (const [version, root, more] of versions) {
    const parameters = {
      subOrganizationName: version,
      rootUsers: [root],
      rootQuorumThreshold: 1,
      wallet: { walletName: 'Wallet', accounts: [account('m/0')] },
      ...more,
    };
    const { status, body } = await service.submit(operation, typeOf(version), parameters);
    assert.equal(status, 200, `${version}: ${body.message}`);
    const { activity } = body;
    assert.equal(activity.type, typeOf(version));
    assert.deepEqual(activity.intent, { [`createSubOrganizationIntent${version}`]: parameters });
    assert.deepEqual(Object.keys(activity.result), [`createSubOrganizationResult${version}`]);
    const result = activity.result[`createSubOrganizationResult${version}`];
    assert.deepEqual(Object.keys(result), ['subOrganizationId', 'wallet', 'rootUserIds']);
    const as = { organizationId: result.subOrganizationId, key: testKey(version) };
    const whoami = await service.query('whoami', {}, as);
    assert.equal(whoami.body.userId, result.rootUserIds[0], version);
  }
  // Root users whose only credential is a passkey.
  for (const [version, root] of versions) {
    const name = `Passkey of ${version}`;
    const withPasskey = { ...root, apiKeys: [], authenticators: [describedPasskey(name)] };
    const parameters = {
      subOrganizationName: name,
      rootUsers: [withPasskey],
      rootQuorumThreshold: 1,
    };
    const { status, body } = await service.submit(operation, typeOf(version), parameters);
    assert.equal(status, 200, `${version}: ${body.message}`);
    const result = body.activity.result[`createSubOrganizationResult${version}`];
    const as = { organizationId: result.subOrganizationId };
    const whoami = await queryWithPasskey(service, name, 'whoami', {}, as);
    assert.equal(whoami.body.userId, result.rootUserIds[0], version);
  }
  // Members that a version does not have are unknown to it.
  const unknown: [string, string, object][] = [
    ['V6', 'disableSmsAuth', { disableSmsAuth: true }],
    ['V4', 'verificationToken', { verificationToken: 'x' }],
    [
      'V5',
      'rootUsers.0.apiKeys.0.curveType',
      { rootUsers: [{ ...user, apiKeys: [withCurve('x')], oauthProviders: [] }] },
    ],
    [
      'V6',
      'rootUsers.0.userPhoneNumber',
      {
        rootUsers: [{ ...user, userPhoneNumber: '+12025550123', apiKeys: [], oauthProviders: [] }],
      },
    ],
    [
      'V4',
      'rootUsers.0.oauthProviders',
      { rootUsers: [{ ...user, apiKeys: [], oauthProviders: [] }] },
    ],
  ];
  for (const [version, field, members] of unknown) {
    const parameters = {
      subOrganizationName: version,
      rootUsers: [],
      rootQuorumThreshold: 1,
      ...members,
    };
    await checkRefused(
      service,
      { operation, type: typeOf(version), parameters },
      { status: 400, code: 3, text: /unknown field/, field: `parameters.${field}` },
    );
  }
  // Earlier ones have another form altogether.
  for (const version of ['V3', 'V2']) {
    const answer = await service.submit(operation, typeOf(version), minimal('x'));
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, /_V8 or .*_V7 or .*_V6 or .*_V5 or .*_V4, got/);
  }
});
