// A request that policies refuse is kept once for each body and user, as a failed activity without claims.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityBody } from '../operations/checks.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { stampOf, startTestService, testKey } from '../support/harness.ts';

const type = 'ACTIVITY_TYPE_CREATE_WALLET';

test('one body that is refused to two users is kept for both, once for each', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const userId = await makeUser(service, 'Other');
  const body = activityBody(service, type, { walletName: 'Refused', accounts: [] });
  const send = (key: typeof plain.key) =>
    service.send('submit', 'create_wallet', body, [stampOf(body, key)]);
  const kept = async () => {
    const filter = { filterByType: [type], filterByStatus: ['ACTIVITY_STATUS_FAILED'] };
    const { activities } = (await service.query('list_activities', filter)).body;
    return activities.map(({ id, votes }: { id: string; votes: { userId: string }[] }) => ({
      id,
      userIds: votes.map((vote) => vote.userId),
    }));
  };
  const keys = [plain.key, testKey('Other')];
  for (const key of keys) {
    const answer = await send(key);
    assert.deepEqual([answer.status, answer.body.code], [403, 7]);
  }
  const first = await kept();
  assert.equal(first.length, 2);
  assert.deepEqual(first[0].userIds, [userId]);
  assert.notDeepEqual(first[1].userIds, first[0].userIds);
  // Again they are refused again, and nothing more is kept.
  for (const key of keys) assert.equal((await send(key)).status, 403);
  assert.deepEqual(await kept(), first);
  // Neither stands in the way of who may.
  const answer = await send(service.root.key);
  assert.equal(answer.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.deepEqual(await kept(), first);
});
