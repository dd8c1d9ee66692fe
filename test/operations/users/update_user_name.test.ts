import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeUser, makeUserTag, shownUser, timestampOf } from './user_requests.ts';

const wire = {
  operation: 'update_user_name',
  type: 'ACTIVITY_TYPE_UPDATE_USER_NAME',
  intent: 'updateUserNameIntent',
  result: 'updateUserNameResult',
};

test('update_user_name: changes only the name', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userTags = [await makeUserTag(service, 'Tag')];
  const contacts = { userEmail: 'alice@example.com', userPhoneNumber: '+12025550123' };
  const userId = await makeUser(service, 'Alice', { ...contacts, userTags });
  const before = await shownUser(service, userId);
  const parameters = { userId: userId.toUpperCase(), userName: 'n'.repeat(255) };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: ['', ' ', 'line\nbreak', 'n'.repeat(256)].map((userName) => ({
      field: 'parameters.userName',
      parameters: { ...parameters, userName },
    })),
  });
  assert.deepEqual(result, { userId });
  assert.deepEqual(await shownUser(service, userId), {
    ...before,
    userName: parameters.userName,
    updatedAt: timestampOf(service.now()),
  });
});

test('update_user_name: refuses unknown users', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makeUser(service, 'Of the child', {}, await addChild(service));
  for (const userId of [unknownId, ofChild]) {
    const parameters = { userId, userName: 'Name' };
    const text = /^unable to find user .* in organization .*: not found$/;
    await checkRefused(service, { ...wire, parameters }, { status: 404, code: 5, text });
  }
});
