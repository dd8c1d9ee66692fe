// Q-OAUTH-PROVIDERS-01, RES-OAUTH-PROVIDER-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser, timestampOf } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { byToken, knownIssuer, makeProviders, subjectsOf } from './oauth_provider_requests.ts';

const operation = 'get_oauth_providers';

test('get_oauth_providers: lists the accounts of a user, or of all users', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const { userId } = service.root;
  const [providerId] = await makeProviders(service, userId, [byToken(service, issuer, 'root')]);
  const createdAt = timestampOf(service.now());
  const bob = await makeUser(service, 'Bob');
  await makeProviders(service, bob, [byToken(service, issuer, 'bob')]);
  // Q-OAUTH-PROVIDERS-02, Q-OAUTH-PROVIDERS-03
  const malformed = [{ field: 'userId', parameters: { userId: 'x' } }];
  const answer = await checkQuery(service, {
    operation,
    body: { userId: userId.toUpperCase() },
    optional: ['userId'],
    malformed,
  });
  // Q-OAUTH-PROVIDERS-04
  assert.deepEqual(answer, {
    oauthProviders: [
      {
        providerId,
        providerName: 'Account of root',
        issuer: issuer.issuer,
        audience: 'app',
        subject: 'root',
        createdAt,
        updatedAt: createdAt,
      },
    ],
  });
  assert.deepEqual(await subjectsOf(service), ['root', 'bob']);
  const ofChild = await makeUser(service, 'Of the child', {}, await addChild(service));
  for (const userId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { userId }), 404, 5);
  }
});
