import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { setFeature, shownFeatures } from './feature_requests.ts';

const wire = {
  operation: 'remove_organization_feature',
  type: 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE',
  intent: 'removeOrganizationFeatureIntent',
  result: 'removeOrganizationFeatureResult',
};
const emailAuth = 'FEATURE_NAME_EMAIL_AUTH';

test('remove_organization_feature: keeps the other features in their order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await setFeature(service, 'FEATURE_NAME_SMS_AUTH');
  await setFeature(service, emailAuth);
  await setFeature(service, 'FEATURE_NAME_WEBHOOK', 'https://hooks.example');
  const result = await checkActivity(service, {
    ...wire,
    parameters: { name: emailAuth },
    malformed: [{ field: 'parameters.name', parameters: { name: 'EMAIL_AUTH' } }],
  });
  const features = [
    { name: 'FEATURE_NAME_SMS_AUTH', value: '' },
    { name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example' },
  ];
  assert.deepEqual(result, { features });
  assert.deepEqual(await shownFeatures(service), features);
});

test('remove_organization_feature: a feature that is not set is not found', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await setFeature(service, emailAuth, '', await addChild(service));
  const text = /^unable to find organization feature FEATURE_NAME_EMAIL_AUTH in organization/;
  await checkRefused(
    service,
    { ...wire, parameters: { name: emailAuth } },
    { status: 404, code: 5, text },
  );
});

test('remove_organization_feature: refuses to remove the login that the root quorum needs', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const otp = 'FEATURE_NAME_OTP_EMAIL_AUTH';
  const remove = (name: string) => service.submit(wire.operation, wire.type, { name });
  // The second member can sign in only with an e-mail address.
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    const second = { id: newId(), name: 'Second', email: 'second@example.com', tagIds: [] };
    draft.put('user', { ...second, ...times });
    const userIds = [service.root.userId, second.id];
    draft.setHead({ rootQuorum: { threshold: 1, userIds }, features: [{ name: emailAuth }] });
    return undefined;
  });
  // The long-lived key of the root user reaches the quorum without the second member.
  assert.equal((await remove(emailAuth)).status, 200);
  await setFeature(service, emailAuth);
  await setFeature(service, otp);
  await changeOrganization(service, (draft) => {
    for (const key of draft.list('api_key')) {
      draft.put('api_key', { ...key, expirationSeconds: 86_400 });
    }
    return undefined;
  });
  // One of the two logins must stay.
  assert.equal((await remove(emailAuth)).status, 200);
  await checkRefused(
    service,
    { ...wire, parameters: { name: otp } },
    { status: 400, code: 3, text: /^user missing valid credential: / },
  );
  assert.deepEqual(await shownFeatures(service), [{ name: otp, value: '' }]);
});
