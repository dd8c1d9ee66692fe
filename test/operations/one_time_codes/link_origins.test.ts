// A link in a login mail may lead only to pages that the organization or its parent has named.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeatureName } from '../../../src/core/base/enums.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { accepted, callProxy, configure, startProxyService } from '../auth_proxy/proxy_requests.ts';
import { assertRefused, assertViolation, storedCount } from '../checks.ts';
import { changeOrganization } from '../other_callers.ts';
import { targetPublicKey } from '../wallets/transfer_requests.ts';
import {
  alice,
  childWithAlice,
  describedOtp,
  lastCode,
  makeUserWith,
  switchOn,
} from './otp_requests.ts';

const link = 'https://app.example/login?bundle=%s';

const mail = (appName: string | undefined, magicLinkTemplate: string) => ({
  email: alice,
  targetPublicKey,
  emailCustomization: { ...(appName === undefined ? {} : { appName }), magicLinkTemplate },
});
const code = (magicLinkTemplate: string) =>
  describedOtp({ emailCustomization: { magicLinkTemplate } });
const olderCode = (magicLinkTemplate: string) => ({
  otpType: 'OTP_TYPE_EMAIL',
  contact: alice,
  emailCustomization: { magicLinkTemplate },
});

/** Every activity whose request may set the link of a mail. */
const linking: readonly (readonly [string, string, (link: string) => object])[] = [
  ['email_auth', 'EMAIL_AUTH_V3', (to) => mail('Example', to)],
  ['email_auth', 'EMAIL_AUTH_V2', (to) => mail(undefined, to)],
  ['email_auth', 'EMAIL_AUTH', (to) => mail(undefined, to)],
  ['init_user_email_recovery', 'INIT_USER_EMAIL_RECOVERY_V2', (to) => mail('Example', to)],
  ['init_user_email_recovery', 'INIT_USER_EMAIL_RECOVERY', (to) => mail(undefined, to)],
  ['init_otp_auth', 'INIT_OTP_AUTH_V3', code],
  ['init_otp_auth', 'INIT_OTP_AUTH_V2', olderCode],
  ['init_otp_auth', 'INIT_OTP_AUTH', olderCode],
];

async function setOrigins(service: TestService, organizationId: string, value: string) {
  const name: FeatureName = 'FEATURE_NAME_WEBAUTHN_ORIGINS';
  await changeOrganization(
    service,
    (draft) => {
      draft.setHead({ features: [...draft.head.features, { name, value }] });
      return undefined;
    },
    organizationId,
  );
}

test('a link leads nowhere by default, and then only to pages of the parent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = await childWithAlice(service);
  const send = ([operation, type, of]: (typeof linking)[number], to = link) =>
    service.submit(operation, `ACTIVITY_TYPE_${type}`, of(to), { organizationId });
  const refused = async (row: (typeof linking)[number], to = link) => {
    const before = await storedCount(service);
    const answer = await send(row, to);
    assertRefused(answer, 400, 3);
    assert.match(
      answer.body.message,
      /^invalid magic link template: links may lead only to origins/,
    );
    assert.match(answer.body.message, /FEATURE_NAME_WEBAUTHN_ORIGINS/);
    assertViolation(answer, 'parameters.emailCustomization.magicLinkTemplate');
    assert.deepEqual(await storedCount(service), before);
  };
  for (const row of linking) await refused(row);
  // Origins that the child sets for itself do not count.
  await setOrigins(service, organizationId, 'https://app.example');
  for (const row of linking) await refused(row);
  await setOrigins(service, service.root.organizationId, 'https://app.example');
  for (const row of linking) {
    const { status, body } = await send(row);
    assert.equal(status, 200, JSON.stringify(body));
    for (const other of [
      'http://app.example/%s',
      'https://app.example:444/%s',
      'https://app.example.evil.example/%s',
      'https://evil.example/https://app.example/%s',
    ]) {
      await refused(row, other);
    }
  }
});

test('a link leads to pages that the onboarding proxy lists individually', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { organizationId } = await childWithAlice(service);
  const send = (to = link) =>
    service.submit('email_auth', 'ACTIVITY_TYPE_EMAIL_AUTH_V3', mail('Example', to), {
      organizationId,
    });
  await configure(service, { allowedOrigins: ['*'] });
  assertRefused(await send(), 400, 3);
  await configure(service, { allowedOrigins: ['https://app.example', 'myapp://login'] });
  assert.equal((await send()).status, 200);
  assert.equal((await send('myapp://login/%s')).status, 200);
  assertRefused(await send('other://login/%s'), 400, 3);
});

test('pages of the onboarding proxy do not count for logins of the organization itself', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  await switchOn(service, organizationId, ['FEATURE_NAME_EMAIL_AUTH']);
  await makeUserWith(service, alice, {});
  await configure(service, { allowedOrigins: ['https://app.example'] });
  const type = 'ACTIVITY_TYPE_EMAIL_AUTH_V3';
  const send = () => service.submit('email_auth', type, mail('Example', link));
  // A user who may only change proxy settings must not redirect the login of a root user.
  assertRefused(await send(), 400, 3);
  await setOrigins(service, organizationId, 'https://app.example');
  assert.equal((await send()).status, 200);
});

test('the settings of the onboarding proxy accept only links to named pages', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const settings = { emailCustomizationParams: { magicLinkTemplate: link } };
  const type = 'ACTIVITY_TYPE_UPDATE_AUTH_PROXY_CONFIG';
  const save = (more: object = {}) =>
    service.submit('update_auth_proxy_config', type, { ...settings, ...more });
  assertViolation(await save(), 'parameters.emailCustomizationParams.magicLinkTemplate');
  assert.equal((await save({ allowedOrigins: ['https://app.example'] })).status, 200);
});

test('a code of the onboarding proxy has the link of its settings while its page is named', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const allowedOrigins = ['https://app.example'];
  await configure(service, {
    allowedOrigins,
    emailCustomizationParams: { magicLinkTemplate: 'https://app.example/login?code=%s' },
  });
  const mailed = async () => {
    const byEmail = { otpType: 'OTP_TYPE_EMAIL', contact: alice };
    await accepted(callProxy(service, 'otp_init_v2', byEmail));
    return service.outside.messages.at(-1)?.text ?? '';
  };
  assert.ok((await mailed()).includes(`https://app.example/login?code=${lastCode(service)}\n`));
  // A page that the organization no longer names must not get a code, and must not stop logins.
  await configure(service, { allowedOrigins: ['https://other.example'] });
  assert.ok(!(await mailed()).includes('https://'));
});
