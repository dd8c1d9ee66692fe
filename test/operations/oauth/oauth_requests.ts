// Requests about accounts at identity providers, and providers that answer them.

import assert from 'node:assert/strict';
import { encryptOauth2ClientSecret } from '@turnkey/crypto';
import { oauth2ProviderRows } from '../../../src/core/auth/oauth2/providers.ts';
import { hex, textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import type {
  ExternalRequest,
  ExternalResponse,
} from '../../../src/core/external/external_services.ts';
import type { Json } from '../../../src/core/schema/json.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createServiceKeys } from '../../../src/enclave/keys/service_keys.ts';
import { type Sender, seededRandom, type TestService, testRootKey } from '../../support/harness.ts';
import { nonceOf, type TestIssuer } from '../../support/identity_provider.ts';

/** The keys of every test service. */
export const testServiceKeys = createServiceKeys(
  createRootKeys(testRootKey()),
  seededRandom('service keys'),
);

/** Seals a client secret like a client of the API. */
export const sealedSecret = (secret: string): Promise<string> =>
  encryptOauth2ClientSecret(secret, hex(testServiceKeys.publicKey('secret_receiver')));

export const clientSecret = 'a secret of this client';
const sealedClientSecret = await sealedSecret(clientSecret);

/** Returns a credential of an OAuth 2.0 provider in the form of requests. */
export const describedCredential = (changes: object = {}) => ({
  provider: 'OAUTH2_PROVIDER_X',
  clientId: 'client',
  encryptedClientSecret: sealedClientSecret,
  ...changes,
});

/** Creates a credential; returns its id. Each has its own envelope, as from clients. */
export async function makeCredential(
  service: TestService,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL';
  const encryptedClientSecret = await sealedSecret(clientSecret);
  const described = describedCredential({ encryptedClientSecret, ...changes });
  const answer = await service.submit('create_oauth2_credential', type, described, as);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.activity.result.createOauth2CredentialResult.oauth2CredentialId;
}

export const codeVerifier = 'v'.repeat(43);

/** Returns parameters that exchange a code. */
export const describedCode = (oauth2CredentialId: string, changes: object = {}) => ({
  oauth2CredentialId,
  authCode: 'code',
  redirectUri: 'https://app.example/in',
  codeVerifier,
  nonce: 'nonce',
  ...changes,
});

const jsonAnswer = (value: Json, status = 200): ExternalResponse => ({
  status,
  body: utf8(JSON.stringify(value)),
});

/** Sets the answers of a provider; returns a list that fills with its requests. */
export function letAnswer(
  service: TestService,
  answers: { readonly token?: Json; readonly person?: Json; readonly tokenStatus?: number } = {},
  provider: keyof typeof oauth2ProviderRows = 'OAUTH2_PROVIDER_X',
): ExternalRequest[] {
  const { token = { access_token: 'bearer-1' }, person = { data: { id: '42' } } } = answers;
  const { tokenUrl, personUrl } = oauth2ProviderRows[provider];
  const requests: ExternalRequest[] = [];
  const keep = (request: ExternalRequest, answer: ExternalResponse): ExternalResponse => {
    requests.push({ ...request, body: Uint8Array.from(request.body) });
    return answer;
  };
  service.outside.answers.set(tokenUrl, (request) =>
    keep(request, jsonAnswer(token, answers.tokenStatus)),
  );
  service.outside.answers.set(personUrl, (request) => keep(request, jsonAnswer(person)));
  return requests;
}

/** Returns a token of an account, for a session of this key. */
export const tokenFor = (
  service: TestService,
  issuer: TestIssuer,
  publicKey: string,
  claims: object = {},
): string => issuer.token(service, { sub: 'ada', nonce: nonceOf(publicKey), ...claims });

/** Returns the claims of a token without verification. */
// biome-ignore lint/suspicious/noExplicitAny: tokens are looked into by path in tests
export function claimsOf(token: string): any {
  const [, payload = ''] = token.split('.');
  return JSON.parse(textOfUtf8(Uint8Array.fromBase64(payload, { alphabet: 'base64url' })) ?? '');
}
