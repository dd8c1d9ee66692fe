// Snapshots of earlier releases contain the users who voted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOfSnapshot, snapshotOf } from '../../../src/enclave/records/snapshots.ts';
import { startTestService } from '../../support/harness.ts';
import { codecOf, wholePage } from '../hostile_world.ts';

test('a snapshot with users is read without their records', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const parameters = { organizationName: 'Renamed' };
  const { body } = await service.submit('update_organization_name', type, parameters);
  const { organizationId } = service.root;
  const filter = { organizationId, statuses: [], types: [], page: wholePage };
  const [row] = await service.store.port.activityPage(filter);
  assert(row !== undefined);
  const recorded = codecOf('snapshots').openActivity(organizationId, row);
  const { activity } = snapshotOf(recorded);
  const [vote] = body.activity.votes;
  const votes = activity.votes.map(({ voterId: _, ...each }) => ({ ...each, user: vote.user }));
  const complete = () => assert.fail('no record of a user is read');
  const found = await activityOfSnapshot({ activity: { ...activity, votes } }, undefined, {
    complete,
  });
  assert.deepEqual(found?.votes[0]?.user, vote.user);
  assert.equal(found?.votes.length, 1);
});
