import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryptOauth2ClientSecret } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import {
  describedCredential,
  makeCredential,
  sealedSecret,
  testServiceKeys,
} from './oauth_requests.ts';

const wire = {
  operation: 'create_oauth2_credential',
  type: 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL',
  intent: 'createOauth2CredentialIntent',
  result: 'createOauth2CredentialResult',
};

test('create_oauth2_credential: the client is kept, its secret sealed as it came', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = describedCredential();
  const { oauth2CredentialId } = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: ['provider', 'clientId', 'encryptedClientSecret'].map((name) => ({
      field: `parameters.${name}`,
      parameters: { ...parameters, [name]: '' },
    })),
  });
  const { body } = await service.query('get_oauth2_credential', { oauth2CredentialId });
  const { provider, clientId, encryptedClientSecret } = body.oauth2Credential;
  assert.deepEqual({ provider, clientId, encryptedClientSecret }, parameters);
});

test('create_oauth2_credential: a secret that could not be used is refused at once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const good = await sealedSecret('secret');
  const signer = hex(testServiceKeys.publicKey('signer'));
  for (const [encryptedClientSecret, text] of [
    [await encryptOauth2ClientSecret('secret', signer), /not sealed to the key/],
    [`${good.slice(0, -2)}00`, /not sealed to the key/],
    [good.slice(0, -2), /of the length that it says/],
    ['zz', /expected hex/],
    [await sealedSecret(''), /is empty, or has characters/],
    [await sealedSecret('with\nline feed'), /is empty, or has characters/],
    [await sealedSecret('schlüssel'), /is empty, or has characters/],
  ] as const) {
    await checkRefused(
      service,
      { ...wire, parameters: describedCredential({ encryptedClientSecret }) },
      { status: 400, code: 3, text, field: 'parameters.encryptedClientSecret' },
    );
  }
});

test('create_oauth2_credential: a client is kept once, and a hundred of them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeCredential(service);
  await checkRefused(
    service,
    { ...wire, parameters: describedCredential() },
    { status: 409, code: 6, text: /^OAuth 2.0 credential already exists: client client of OAUTH2/ },
  );
  await makeCredential(service, { provider: 'OAUTH2_PROVIDER_DISCORD' });
  for (let i = 2; i < 100; i += 1) await makeCredential(service, { clientId: `client ${i}` });
  await checkRefused(
    service,
    { ...wire, parameters: describedCredential({ clientId: 'one more' }) },
    { status: 429, code: 8, text: /^organization has exceeded maximum OAuth 2.0 credentials/ },
  );
});
