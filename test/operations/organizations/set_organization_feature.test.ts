import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureNames } from '../../../src/core/base/enums.ts';
import { namesOf } from '../../../src/core/base/table.ts';
import { features } from '../../../src/core/settings/features.ts';
import { addAuthenticator } from '../../pipeline/passkey_requests.ts';
import { type Sender, startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { setFeature, shownFeatures } from './feature_requests.ts';

// OP-SET-FEATURE-01, OP-SET-FEATURE-02, OP-SET-FEATURE-07, OP-SET-FEATURE-08
const wire = {
  operation: 'set_organization_feature',
  type: 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
  intent: 'setOrganizationFeatureIntent',
  result: 'setOrganizationFeatureResult',
};
const origins = 'FEATURE_NAME_WEBAUTHN_ORIGINS';

test('set_organization_feature: stores the feature, and returns the resulting list', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = { name: origins, value: 'https://wallet.example' };
  // OP-SET-FEATURE-03, OP-SET-FEATURE-04, OP-SET-FEATURE-05: a user who is no root is refused, and
  // both members are required.
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.name', parameters: { ...parameters, name: 'FEATURE_NAME_OTHER' } },
      { field: 'parameters.value', parameters: { ...parameters, value: 'x'.repeat(10_001) } },
      { field: 'parameters.value', parameters: { ...parameters, value: 'wallet.example' } },
    ],
  });
  // OP-SET-FEATURE-09, OP-SET-FEATURE-10, OP-SET-FEATURE-11
  assert.deepEqual(result, { features: [parameters] });
  assert.deepEqual(await shownFeatures(service), [parameters]);
});

test('set_organization_feature: a new value replaces the earlier one', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await setFeature(service, origins, 'https://wallet.example');
  await setFeature(service, 'FEATURE_NAME_EMAIL_AUTH');
  // OP-SET-FEATURE-06
  const list = await setFeature(service, origins, 'https://wallet.example,https://app.example');
  const expected = [
    { name: origins, value: 'https://wallet.example,https://app.example' },
    { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' },
  ];
  assert.deepEqual(list, expected);
  assert.deepEqual(await shownFeatures(service), expected);
});

test('set_organization_feature: a child sets its own features', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const list = await setFeature(service, 'FEATURE_NAME_SMS_AUTH', 'true', child);
  assert.deepEqual(list, [{ name: 'FEATURE_NAME_SMS_AUTH', value: 'true' }]);
  assert.deepEqual(await shownFeatures(service), []);
});

test('set_organization_feature: refuses origins that lock the passkeys of the root quorum out', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const set = (value: string, as: Sender = {}) =>
    service.submit(wire.operation, wire.type, { name: origins, value }, as);
  // The key of the root user reaches the quorum without a passkey.
  await addAuthenticator(service, service.root.userId, 'localhost');
  assert.equal((await set('https://other.example')).status, 200);
  const list = 'https://wallet.example,http://localhost:3000';
  assert.equal((await set(list)).status, 200);
  await changeOrganization(service, (draft) => {
    for (const key of draft.list('api_key')) {
      draft.put('api_key', { ...key, expirationSeconds: 86_400 });
    }
    return undefined;
  });
  for (const value of ['https://wallet.example', 'https://localhost.example']) {
    await checkRefused(
      service,
      { ...wire, parameters: { name: origins, value } },
      { status: 400, code: 3, text: /passkeys of the root quorum/ },
    );
  }
  assert.deepEqual(await shownFeatures(service), [{ name: origins, value: list }]);
  // A relying party includes the hosts below its own.
  assert.equal((await set('http://app.localhost')).status, 200);
  // The origins of a child have no effect.
  const child = await addChild(service);
  assert.equal((await set('https://other.example', child)).status, 200);
});

// ENUM-07, RES-FEATURE-01
test('every feature has exactly one row in the table of values', () => {
  assert.deepEqual(namesOf(features).sort(), [...featureNames].sort());
});

const hundredOrigins = Array.from({ length: 100 }, (_, i) => `https://w${i}.example`);

const accepted: Readonly<Record<string, readonly string[]>> = {
  FEATURE_NAME_EMAIL_AUTH: ['', 'true'],
  FEATURE_NAME_OTP_EMAIL_AUTH: ['', 'true'],
  FEATURE_NAME_SMS_AUTH: ['', 'true'],
  FEATURE_NAME_EMAIL_RECOVERY: ['', 'true'],
  FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY: ['', 'true'],
  FEATURE_NAME_AUTH_PROXY: ['', 'true'],
  FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED: ['true', 'false'],
  FEATURE_NAME_WEBHOOK: [
    'https://hooks.example',
    'https://hooks.example:8443/activities?of=us',
    'http://127.0.0.1:3000/',
  ],
  FEATURE_NAME_WEBAUTHN_ORIGINS: [
    'https://wallet.example:8443, http://localhost:3000 ,http://app.localhost',
    'https://xn--bcher-kva.example',
    hundredOrigins.join(),
  ],
};

const refused: Readonly<Record<string, readonly string[]>> = {
  FEATURE_NAME_EMAIL_AUTH: ['false', 'off', ' '],
  FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED: ['', 'yes', 'True'],
  FEATURE_NAME_WEBHOOK: [
    '',
    'hooks.example',
    'ftp://hooks.example',
    'https://user:word@hooks.example',
    ' https://hooks.example',
    'https://hooks.exa\nmple',
  ],
  FEATURE_NAME_WEBAUTHN_ORIGINS: [
    '',
    ',',
    'https://wallet.example,',
    'https://wallet.example/',
    'https://wallet.example/path',
    'https://Wallet.example',
    'https://wallet.example:443',
    'https://user@wallet.example',
    'https://bücher.example',
    'http://wallet.example',
    'http://localhost.example',
    'null',
    'file:///etc',
    [...hundredOrigins, 'https://more.example'].join(),
  ],
};

test('set_organization_feature: each feature takes and returns the values of its row', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.deepEqual(Object.keys(accepted).sort(), [...featureNames].sort());
  for (const [name, values] of Object.entries(accepted)) {
    for (const value of values) {
      const list = await setFeature(service, name, value);
      // RES-FEATURE-02
      assert.deepEqual(
        list.find((feature) => feature.name === name),
        { name, value },
      );
    }
  }
});

test('set_organization_feature: an invalid value is refused with the expected form', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (const [name, values] of Object.entries(refused)) {
    for (const value of values) {
      const refusal = { status: 400, code: 3, text: /`parameters.value`: expected / };
      await checkRefused(
        service,
        { ...wire, parameters: { name, value } },
        { ...refusal, field: 'parameters.value' },
      );
    }
  }
});
