// Requests about passkeys, and requests stamped by passkeys. A name determines the key and the credential
// id of a passkey.

import assert from 'node:assert/strict';
import { base64url, utf8 } from '../../../src/core/base/bytes.ts';
import type { Sender, TestAnswer, TestService } from '../../support/harness.ts';
import {
  type AuthenticatorOptions,
  type Ceremony,
  createSoftwareAuthenticator,
} from '../../support/software_authenticator.ts';
import { timestampOf } from '../users/user_requests.ts';

type PasskeyOptions = Omit<AuthenticatorOptions, 'seed'>;

/** Returns the software passkey with this name. */
export const passkeyOf = (name: string, options: PasskeyOptions = {}) =>
  createSoftwareAuthenticator({ seed: name, ...options });

/** Returns a passkey in the form of requests. */
export const describedPasskey = (
  name: string,
  options: PasskeyOptions = {},
  ceremony: Ceremony = {},
) => ({ authenticatorName: name, ...passkeyOf(name, options).register(ceremony) });

/** Returns a passkey in the form of the first version. */
export function describedByBrowser(name: string, options: PasskeyOptions = {}) {
  const { authenticatorName, challenge, attestation } = describedPasskey(name, options);
  const { credentialId, ...response } = attestation;
  return {
    authenticatorName,
    userId: '01900000-0000-7000-8000-000000000000',
    challenge,
    attestation: {
      id: credentialId,
      type: 'public-key',
      rawId: credentialId,
      response,
      clientExtensionResults: { credProps: { rk: true } },
    },
  };
}

/** Returns a passkey that was created at this moment, in the form of answers. */
export function shownPasskey(
  name: string,
  authenticatorId: string,
  madeMs: number,
  options: PasskeyOptions = {},
) {
  const { credentialId, publicKey } = passkeyOf(name, options);
  return {
    transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
    attestationType: 'none',
    aaguid: base64url(new Uint8Array(16)),
    credentialId: base64url(credentialId),
    model: 'Unnamed authenticator',
    credential: {
      publicKey: base64url(publicKey),
      type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR',
    },
    authenticatorId,
    authenticatorName: name,
    createdAt: timestampOf(madeMs),
    updatedAt: timestampOf(madeMs),
  };
}

/** Sends create_authenticators in its newest form. */
export const sendPasskeys = (
  service: TestService,
  userId: string,
  authenticators: readonly object[],
  as: Sender = {},
) =>
  service.submit(
    'create_authenticators',
    'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
    { userId, authenticators },
    as,
  );

/** Registers passkeys of a user by their names, as the root user by default. */
export async function makePasskeys(
  service: TestService,
  userId: string,
  names: readonly string[],
  as: Sender = {},
): Promise<string[]> {
  const described = names.map((name) => describedPasskey(name));
  const { status, body } = await sendPasskeys(service, userId, described, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createAuthenticatorsResult.authenticatorIds;
}

/** Returns the names of a user's passkeys, oldest first. */
export async function passkeyNames(service: TestService, userId: string): Promise<string[]> {
  const { status, body } = await service.query('get_authenticators', { userId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.authenticators.map((each: { authenticatorName: string }) => each.authenticatorName);
}

/** Returns the header with the stamp of a passkey for a body. */
export const passkeyStamp = (
  body: Uint8Array,
  name: string,
  options: PasskeyOptions & { readonly ceremony?: Ceremony } = {},
): { name: string; value: string } => ({
  name: 'x-stamp-webauthn',
  value: passkeyOf(name, options).stamp(body, options.ceremony),
});

type PasskeySender = PasskeyOptions & {
  readonly organizationId?: string;
  readonly ceremony?: Ceremony;
};

/** Sends a query that a passkey stamps. */
export function queryWithPasskey(
  service: TestService,
  name: string,
  operation: string,
  parameters: object = {},
  { organizationId = service.root.organizationId, ...options }: PasskeySender = {},
): Promise<TestAnswer> {
  const body = utf8(JSON.stringify({ organizationId, ...parameters }));
  return service.send('query', operation, body, [passkeyStamp(body, name, options)]);
}

/** Sends an activity that a passkey stamps; each timestamp differs by a millisecond. */
export function submitWithPasskey(
  service: TestService,
  name: string,
  operation: string,
  type: string,
  parameters: object,
  { organizationId = service.root.organizationId, ...options }: PasskeySender = {},
): Promise<TestAnswer> {
  service.advance(1);
  const timestampMs = String(service.now());
  const body = utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
  return service.send('submit', operation, body, [passkeyStamp(body, name, options)]);
}
