import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const rename = (organizationName: string, as = {}) =>
  service.submit(
    'update_organization_name',
    'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
    { organizationName },
    as,
  );

test('get_activity returns the activity that the submit answer showed', async () => {
  const { activity } = (await rename('Read')).body;
  const answer = await checkQuery(service, {
    operation: 'get_activity',
    body: { activityId: activity.id },
    malformed: [{ field: 'activityId', parameters: { activityId: 'first' } }],
  });
  assert.deepEqual(answer, { activity });
  const capitals = await service.query('get_activity', { activityId: activity.id.toUpperCase() });
  assert.deepEqual(capitals.body, answer);
});

test('get_activity finds only activities of the named organization', async () => {
  const child = await addChild(service);
  const { organizationId } = child;
  const ofChild = (await rename('Child', child)).body.activity.id;
  const ofRoot = (await rename('Root')).body.activity.id;
  const get = (activityId: string, as = {}) => service.query('get_activity', { activityId }, as);

  // A parent reads the activities of its child, and names the child's id.
  assert.equal((await get(ofChild, child)).status, 200);
  assert.deepEqual(await get(ofChild, { organizationId }), await get(ofChild, child));
  const notFound = [
    [await get(ofChild), ofChild, service.root.organizationId],
    [await get(ofRoot, child), ofRoot, organizationId],
    [await get(service.root.userId), service.root.userId, service.root.organizationId],
  ] as const;
  for (const [answer, id, organization] of notFound) {
    assertRefused(answer, 404, 5);
    assert.equal(
      answer.body.message,
      `unable to find activity ${id} in organization ${organization}: not found`,
    );
  }
});
