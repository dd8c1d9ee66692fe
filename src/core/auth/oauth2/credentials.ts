// Rules for the OAuth 2.0 clients of an organization.

import { hex, utf8, wipe } from '../../base/bytes.ts';
import type { Context } from '../../base/context.ts';
import {
  type EnvelopeOwner,
  openClientSecret,
  secretOfContent,
} from '../../bundles/oauth2_client_secret.ts';
import { sha256 } from '../../crypto/hashes.ts';
import type { ServiceKeys } from '../../crypto/service_keys.ts';
import { fail, failField } from '../../errors/errors.ts';
import { envelopeValue } from '../../organization/indexes/indexes.ts';
import { checkLimit } from '../../organization/limits.ts';
import type { Oauth2Credential } from '../../organization/model.ts';
import type { OrganizationDraft, OrganizationView } from '../../organization/state.ts';

/** Parameters of a credential; the secret is an envelope in hex. */
type Oauth2CredentialParameters = Pick<
  Oauth2Credential,
  'provider' | 'clientId' | 'encryptedClientSecret'
>;

type Receiver = Pick<ServiceKeys, 'keyAgreement'>;

/** Stores a credential. Raises `field_invalid`, `already_exists` and `limit_exceeded`. */
export function createOauth2Credential(
  parameters: Oauth2CredentialParameters,
  organization: OrganizationDraft,
  context: Context,
  keys: Receiver,
): Oauth2Credential {
  const count = organization.rows('oauth2_credential').size + 1;
  checkLimit('oauth2Credentials', count, organization);
  const id = context.newId();
  const { now } = context;
  return put(
    { ...described(parameters, organization, keys), id, createdAtMs: now, updatedAtMs: now },
    organization,
  );
}

/** Replaces a credential. Raises like `createOauth2Credential`, and `oauth2_credential_not_found`. */
export function updateOauth2Credential(
  id: string,
  parameters: Oauth2CredentialParameters,
  organization: OrganizationDraft,
  now: number,
  keys: Receiver,
): Oauth2Credential {
  const before = requireOauth2Credential(organization, id);
  const after = { ...before, ...described(parameters, organization, keys), updatedAtMs: now };
  return put(after, organization);
}

/** Deletes a credential and returns its ID. Raises `oauth2_credential_not_found`. */
export function deleteOauth2Credential(id: string, organization: OrganizationDraft): string {
  const credential = requireOauth2Credential(organization, id);
  organization.remove('oauth2_credential', credential.id);
  return credential.id;
}

/** Finds a credential by its ID in any letter case. Raises `oauth2_credential_not_found`. */
export function requireOauth2Credential(
  organization: OrganizationView,
  id: string,
): Oauth2Credential {
  const found = organization.get('oauth2_credential', id.toLowerCase());
  if (found !== undefined) return found;
  return fail('oauth2_credential_not_found', { id, organizationId: organization.id });
}

/** Returns the only credential of a client at a provider. */
function oauth2CredentialOf(
  organization: OrganizationView,
  requested: Pick<Oauth2Credential, 'provider' | 'clientId'>,
): Oauth2Credential | undefined {
  const { provider, clientId } = requested;
  return organization
    .list('oauth2_credential')
    .find((each) => each.provider === provider && each.clientId === clientId);
}

const envelopeField = 'parameters.encryptedClientSecret';

/**
 * Returns the client secret in the envelope of a client of this organization; the caller wipes it. Raises
 * `field_invalid`, also for an envelope that names another organization or client.
 */
export function clientSecretOf(
  { encryptedClientSecret, ...client }: Oauth2CredentialParameters,
  organizationId: string,
  keys: Receiver,
): Uint8Array {
  const field = envelopeField;
  const content = openClientSecret(encryptedClientSecret, keys.keyAgreement('secret_receiver'));
  if (content.plaintext === undefined) failField(field, content.refusal);
  const owner: EnvelopeOwner = { ...client, organizationId };
  const opened = secretOfContent(content.plaintext, owner);
  if (opened.plaintext === undefined) failField(field, opened.refusal);
  // RFC 6749 appendix A.2.
  if (
    opened.plaintext.length > 0 &&
    opened.plaintext.every((byte) => byte >= 0x20 && byte < 0x7f)
  ) {
    return opened.plaintext;
  }
  wipe(opened.plaintext);
  return failField(field, 'the secret in it is empty, or has characters that are not of ASCII');
}

/** Returns the stored form of a request whose secret can be decrypted. */
function described(
  { provider, clientId, encryptedClientSecret }: Oauth2CredentialParameters,
  organization: OrganizationView,
  keys: Receiver,
): Oauth2CredentialParameters {
  const stored = { provider, clientId, encryptedClientSecret };
  wipe(clientSecretOf(stored, organization.id, keys));
  return stored;
}

/** The claims that a request adds for its envelope; empty if its organization already has them. */
type EnvelopeClaims = { readonly claims: readonly string[] };

/**
 * Rejects an envelope that a request of another organization named, or a request of this organization for
 * another provider. A reader of the envelope could otherwise use a secret without knowing it. The first
 * recorded request claims the envelope for good, so the claim outlasts the credential. Clients of one
 * provider may share an envelope inside their organization: the provider checks the client of each secret.
 * Raises `field_invalid`.
 */
export async function requireOwnEnvelope(
  { provider, encryptedClientSecret }: Oauth2CredentialParameters,
  organization: OrganizationView,
  read: {
    readonly organizationsWithEnvelope: (value: string) => Promise<readonly string[]>;
  },
  { isTokenUsed }: { readonly isTokenUsed: (tokenId: string) => Promise<boolean> },
): Promise<EnvelopeClaims> {
  const value = envelopeValue(encryptedClientSecret);
  const isOfOtherProvider = organization
    .list('oauth2_credential')
    .some(
      (each) => each.provider !== provider && envelopeValue(each.encryptedClientSecret) === value,
    );
  // Credentials of earlier releases hold their envelopes without a claim.
  const organizationIds = isOfOtherProvider ? [] : await read.organizationsWithEnvelope(value);
  if (isOfOtherProvider || organizationIds.some((id) => id !== organization.id)) failOther();
  const claim = `oauth2_envelope/${hex(sha256(utf8(value)))}`;
  const ownClaim = `${claim}/${organization.id}/${provider}`;
  if (await isTokenUsed(ownClaim)) return { claims: [] };
  if (await isTokenUsed(claim)) failOther();
  return { claims: [claim, ownClaim] };
}

function failOther(): never {
  return failField(
    envelopeField,
    'another organization or provider used this encrypted secret: encrypt the secret again',
  );
}

function put(credential: Oauth2Credential, organization: OrganizationDraft): Oauth2Credential {
  const { provider, clientId } = credential;
  const other = oauth2CredentialOf(organization, credential);
  if (other !== undefined && other.id !== credential.id) {
    fail('already_exists', {
      resource: 'OAuth 2.0 credential',
      what: `client ${clientId} of ${provider}`,
    });
  }
  organization.put('oauth2_credential', credential);
  return credential;
}
