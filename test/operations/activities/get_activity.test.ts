import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';

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
    findsChild: true,
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

test('get_activity finds an activity of the child for its caller who names the parent', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const child = await addChild(own);
  const { organizationId } = own.root;
  const nameOf = (organizationName: string, as = {}) =>
    own.submit(
      'update_organization_name',
      'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
      { organizationName },
      as,
    );
  const get = (activityId: string, as: object) => own.query('get_activity', { activityId }, as);
  const { activity } = (await nameOf('Polled', child)).body;
  const fromBelow = { ...child, organizationId };
  assert.deepEqual((await get(activity.id, fromBelow)).body, { activity });

  // Activities of the parent stay hidden from its children.
  const ofParent = (await nameOf('Parent')).body.activity.id;
  assertRefused(await get(ofParent, fromBelow), 404, 5);

  // A user of the parent with the same key reads activities of the parent there. Any user of the parent can
  // register the key, which must not hide the activity of its holder.
  await addPlainUser(own, child.key, 'In both');
  assert.equal((await get(ofParent, fromBelow)).status, 200);
  assert.deepEqual((await get(activity.id, fromBelow)).body, { activity });
});
