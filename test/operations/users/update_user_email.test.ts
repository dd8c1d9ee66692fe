// OP-UPDATE-USER-EMAIL-01
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { type ContactCase, checkChanges, checkRefusals } from './contact_checks.ts';

const email: ContactCase = {
  operation: 'update_user_email',
  type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', // OP-UPDATE-USER-EMAIL-02
  intent: 'updateUserEmailIntent', // OP-UPDATE-USER-EMAIL-08
  result: 'updateUserEmailResult', // OP-UPDATE-USER-EMAIL-09
  member: 'userEmail',
  values: ['alice@example.com', 'Alice@mail.example.org'],
  wrong: ['alice', 'alice@localhost', 'alice@example.com\r\n', ' '],
  wrongText: /^invalid email address/,
  wrongCode: 'INVALID_EMAIL',
  feature: 'FEATURE_NAME_OTP_EMAIL_AUTH',
};

// OP-UPDATE-USER-EMAIL-03 to OP-UPDATE-USER-EMAIL-05, OP-UPDATE-USER-EMAIL-10
test('update_user_email: sets, replaces and removes the address', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await checkChanges(service, email);
});

// OP-UPDATE-USER-EMAIL-06
test('update_user_email: refuses unknown users, invalid addresses and the removal of the last login', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await checkRefusals(service, email);
});
