import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, bytesOfHex } from '../../../src/core/base/bytes.ts';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  describedPasskey,
  makePasskeys,
  sendPasskeys,
  shownPasskey,
} from './authenticator_requests.ts';

const operation = 'get_authenticator';

test('get_authenticator: shows every member of the registration', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const [authenticatorId = ''] = await makePasskeys(service, userId, ['Phone']);
  const madeMs = service.now();
  const body = { authenticatorId: authenticatorId.toUpperCase() };
  const malformed = [{ field: 'authenticatorId', parameters: { authenticatorId: 'x' } }];
  // RES-AUTHENTICATOR-01 to RES-AUTHENTICATOR-11, ENUM-05
  assert.deepEqual(await checkQuery(service, { operation, body, malformed }), {
    authenticator: shownPasskey('Phone', authenticatorId, madeMs),
  });

  const aaguid = bytesOfHex('adce000235bcc60a648b0b25f1f05503');
  assert(aaguid !== undefined);
  const named = describedPasskey('Touch ID', { aaguid });
  const transports = ['AUTHENTICATOR_TRANSPORT_HYBRID', 'AUTHENTICATOR_TRANSPORT_USB'];
  const attestation = { ...named.attestation, transports };
  const made = await sendPasskeys(service, userId, [{ ...named, attestation }]);
  const [id] = made.body.activity.result.createAuthenticatorsResult.authenticatorIds;
  const { authenticator } = (await service.query(operation, { authenticatorId: id })).body;
  assert.equal(authenticator.model, 'Google Chrome Mac Touch ID');
  assert.equal(authenticator.aaguid, base64url(aaguid));
  assert.deepEqual(authenticator.transports, transports);
});

test('get_authenticator: finds passkeys of this organization, and a parent those of its child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const userId = await makeUser(service, 'Of the child', {}, child);
  const [ofChild] = await makePasskeys(service, userId, ['Second'], child);
  const { organizationId } = child;
  const asParent = { organizationId };
  const { body } = await service.query(operation, { authenticatorId: ofChild }, asParent);
  assert.equal(body.authenticator.authenticatorName, 'Second');
  for (const authenticatorId of [unknownId, ofChild]) {
    const answer = await service.query(operation, { authenticatorId });
    assertRefused(answer, 404, 5);
    assert.match(answer.body.message, /^unable to find authenticator /);
  }
});
