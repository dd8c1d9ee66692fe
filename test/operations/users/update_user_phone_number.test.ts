import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { type ContactCase, checkChanges, checkRefusals } from './contact_checks.ts';

const phoneNumber: ContactCase = {
  operation: 'update_user_phone_number',
  type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  intent: 'updateUserPhoneNumberIntent',
  result: 'updateUserPhoneNumberResult',
  member: 'userPhoneNumber',
  values: ['+12025550123', '+442071838750'],
  wrong: ['12025550123', '+0123', '+1 202 555 0123', '+1234567890123456', ' '],
  wrongText: /expected a phone number in E.164 format/,
  wrongCode: 'REQUEST_INVALID',
  feature: 'FEATURE_NAME_SMS_AUTH',
};

test('update_user_phone_number: sets, replaces and removes the number', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await checkChanges(service, phoneNumber);
});

test('update_user_phone_number: refuses unknown users, invalid numbers and the removal of the last login', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await checkRefusals(service, phoneNumber);
});
