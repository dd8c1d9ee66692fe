// Q-AUTHENTICATORS-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makePasskeys } from './authenticator_requests.ts';

const operation = 'get_authenticators';

test('get_authenticators: lists the passkeys of the user, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  const ofAlice = await makePasskeys(service, alice, ['One', 'Two']);
  const bob = await makeUser(service, 'Bob');
  await makePasskeys(service, bob, ['Of Bob']);
  ofAlice.push(...(await makePasskeys(service, alice, ['Three'])));
  // Q-AUTHENTICATORS-02, Q-AUTHENTICATORS-03
  const body = { userId: alice.toUpperCase() };
  const malformed = [{ field: 'userId', parameters: { userId: 'x' } }];
  const answer = await checkQuery(service, { operation, body, malformed });
  const { authenticators } = await shownUser(service, alice);
  assert.deepEqual(answer, { authenticators }); // Q-AUTHENTICATORS-04
  const ids = answer.authenticators.map(
    (each: { authenticatorId: string }) => each.authenticatorId,
  );
  assert.deepEqual(ids, ofAlice);
  const root = await service.query(operation, { userId: service.root.userId });
  assert.deepEqual(root.body, { authenticators: [] });
});

test('get_authenticators: takes users of this organization, and a parent those of its child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  await makePasskeys(service, ofChild, ['Of the child'], child);
  const { organizationId } = child;
  const { body } = await service.query(operation, { userId: ofChild }, { organizationId });
  assert.equal(body.authenticators[0].authenticatorName, 'Of the child');
  for (const userId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { userId }), 404, 5);
  }
});
