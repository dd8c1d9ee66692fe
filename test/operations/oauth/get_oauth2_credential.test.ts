import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { timestampOf } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { describedCredential, makeCredential } from './oauth_requests.ts';

const operation = 'get_oauth2_credential';

test('get_oauth2_credential: shows the client, and its secret as it was sealed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeCredential(service, describedCredential());
  const createdAt = timestampOf(service.now());
  const answer = await checkQuery(service, {
    operation,
    body: { oauth2CredentialId: id.toUpperCase() },
    malformed: [{ field: 'oauth2CredentialId', parameters: { oauth2CredentialId: 'x' } }],
  });
  assert.deepEqual(answer, {
    oauth2Credential: {
      oauth2CredentialId: id,
      organizationId: service.root.organizationId,
      ...describedCredential(),
      createdAt,
      updatedAt: createdAt,
    },
  });
  const ofChild = await makeCredential(service, {}, await addChild(service));
  for (const oauth2CredentialId of [unknownId, ofChild]) {
    const refused = await service.query(operation, { oauth2CredentialId });
    assertRefused(refused, 404, 5);
    assert.equal(refused.body.turnkeyErrorCode, 'OAUTH2_CREDENTIAL_NOT_FOUND');
  }
});
