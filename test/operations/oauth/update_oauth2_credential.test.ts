import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { timestampOf } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { describedCredential, makeCredential, sealedSecret } from './oauth_requests.ts';

const wire = {
  operation: 'update_oauth2_credential',
  type: 'ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL',
  intent: 'updateOauth2CredentialIntent',
  result: 'updateOauth2CredentialResult',
};

test('update_oauth2_credential: replaces all members', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service);
  const createdAt = timestampOf(service.now());
  const parameters = {
    oauth2CredentialId: id.toUpperCase(),
    ...describedCredential({
      provider: 'OAUTH2_PROVIDER_DISCORD',
      clientId: 'another',
      encryptedClientSecret: await sealedSecret('another'),
    }),
  };
  const field = 'parameters.encryptedClientSecret';
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [{ field, parameters: { ...parameters, encryptedClientSecret: '00' } }],
  });
  assert.deepEqual(result, { oauth2CredentialId: id });
  const { body } = await service.query('get_oauth2_credential', { oauth2CredentialId: id });
  assert.deepEqual(body.oauth2Credential, {
    ...parameters,
    oauth2CredentialId: id,
    organizationId: service.root.organizationId,
    createdAt,
    updatedAt: timestampOf(service.now()),
  });
});

test('update_oauth2_credential: takes only credentials of this organization, and no used client', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const oauth2CredentialId = await makeCredential(service);
  await makeCredential(service, { clientId: 'taken' });
  const notFound = {
    status: 404,
    code: 5,
    text: /^unable to find OAuth 2.0 credential/,
    clientCode: 'OAUTH2_CREDENTIAL_NOT_FOUND',
  };
  const unknown = { oauth2CredentialId: unknownId, ...describedCredential() };
  await checkRefused(service, { ...wire, parameters: unknown }, notFound);
  const taken = { oauth2CredentialId, ...describedCredential({ clientId: 'taken' }) };
  const exists = { status: 409, code: 6, text: /already exists/ };
  await checkRefused(service, { ...wire, parameters: taken }, exists);
  const own = { oauth2CredentialId, ...describedCredential() };
  const inChild = await service.submit(wire.operation, wire.type, own, await addChild(service));
  assertRefused(inChild, 404, 5);
  assert.equal((await service.submit(wire.operation, wire.type, own)).status, 200);
});
