import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeProfile } from '../sessions/session_requests.ts';

test('get_session_profiles: lists all profiles, oldest first, also those of the parent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const none = await service.query('get_session_profiles');
  assert.deepEqual(none.body, { sessionProfiles: [] });
  const ids = [
    await makeProfile(service, 'One', 'true'),
    await makeProfile(service, 'Two', 'false'),
  ];
  const answer = await checkQuery(service, { operation: 'get_session_profiles', body: {} });
  type Shown = { sessionProfileId: string; sessionProfileName: string };
  const shown = answer.sessionProfiles.map((profile: Shown) => profile.sessionProfileId);
  assert.deepEqual(shown, ids);
  assert.deepEqual(Object.keys(answer.sessionProfiles[0]).sort(), [
    'createdAt',
    'scope',
    'sessionProfileId',
    'sessionProfileName',
    'updatedAt',
  ]);
  const inChild = await service.query('get_session_profiles', {}, await addChild(service));
  assert.deepEqual(inChild.body, answer);
});
