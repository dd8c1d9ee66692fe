import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeCredential } from './oauth_requests.ts';

test('list_oauth2_credentials: lists credentials of the organization, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const operation = 'list_oauth2_credentials';
  assert.deepEqual((await service.query(operation)).body, { oauth2Credentials: [] });
  const ids = [
    await makeCredential(service),
    await makeCredential(service, { provider: 'OAUTH2_PROVIDER_DISCORD' }),
  ];
  await makeCredential(service, {}, await addChild(service));
  const { oauth2Credentials } = await checkQuery(service, { operation, body: {} });
  for (const [i, id] of ids.entries()) {
    const { body } = await service.query('get_oauth2_credential', { oauth2CredentialId: id });
    assert.deepEqual(oauth2Credentials[i], body.oauth2Credential);
  }
  assert.equal(oauth2Credentials.length, ids.length);
});
