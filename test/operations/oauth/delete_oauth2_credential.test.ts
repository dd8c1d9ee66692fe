import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeCredential } from './oauth_requests.ts';

const wire = {
  operation: 'delete_oauth2_credential',
  type: 'ACTIVITY_TYPE_DELETE_OAUTH2_CREDENTIAL',
  intent: 'deleteOauth2CredentialIntent',
  result: 'deleteOauth2CredentialResult',
};

test('delete_oauth2_credential: deletes the credential', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service);
  const kept = await makeCredential(service, { clientId: 'kept' });
  const inChild = await addChild(service);
  const parameters = { oauth2CredentialId: id.toUpperCase() };
  assertRefused(await service.submit(wire.operation, wire.type, parameters, inChild), 404, 5);
  const field = 'parameters.oauth2CredentialId';
  const malformed = [{ field, parameters: { oauth2CredentialId: 'x' } }];
  const result = await checkActivity(service, { ...wire, parameters, malformed });
  assert.deepEqual(result, { oauth2CredentialId: id });
  const { body } = await service.query('list_oauth2_credentials');
  assert.deepEqual(
    body.oauth2Credentials.map((each: { oauth2CredentialId: string }) => each.oauth2CredentialId),
    [kept],
  );
  await checkRefused(
    service,
    { ...wire, parameters },
    { status: 404, code: 5, text: /not found$/, clientCode: 'OAUTH2_CREDENTIAL_NOT_FOUND' },
  );
  await makeCredential(service);
});
