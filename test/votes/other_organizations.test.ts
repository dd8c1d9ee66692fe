import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { assertRefused } from '../operations/checks.ts';
import {
  childWithAlice,
  describedOtp,
  initOtpAuth,
} from '../operations/one_time_codes/otp_requests.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { stampOf, startTestService, testKey } from '../support/harness.ts';
import { read, shownAs } from './voting.ts';

test('a body that waits in a child is not a vote if a user of the parent sends it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await childWithAlice(service);
  const { key: plain } = await addPlainUser(service);
  const inChild = { organizationId: child.organizationId };
  const condition = "activity.kind == 'INIT_OTP_AUTH'";
  await makePolicy(service, 'Two of us', { condition }, child);
  await makeUser(service, 'Asker', {}, child);

  const timestampMs = String(service.now());
  const parameters = describedOtp();
  const request = { type: initOtpAuth.type, timestampMs, ...inChild, parameters };
  const body = utf8(JSON.stringify(request));
  const sendAs = (key: typeof plain) =>
    service.send('submit', initOtpAuth.operation, body, [stampOf(body, key)]);
  const open = shownAs('CONSENSUS_NEEDED', await sendAs(testKey('Asker')));
  for (const key of [plain, service.root.key]) {
    const answer = await sendAs(key);
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, /^organization mismatch/);
  }
  const now = await read(service, open, child);
  assert.equal(now.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal(now.votes.length, 1);
  assert.deepEqual(service.outside.messages, []);
  // From a user of the child it is a vote.
  await makeUser(service, 'Other', {}, child);
  shownAs('COMPLETED', await sendAs(testKey('Other')));
});
