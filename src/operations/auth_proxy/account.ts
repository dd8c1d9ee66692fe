// Finds an existing account: the child organization of a credential or contact.

import { canonicalBase64url, utf8 } from '../../core/base/bytes.ts';
import { namesOf, table } from '../../core/base/table.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import { comparedEmail } from '../../core/organization/indexes/contacts.ts';
import { identityValue } from '../../core/organization/indexes/indexes.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { isJsonObject } from '../../core/schema/json.ts';
import { answerText, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { strictJsonObject } from '../../core/schema/strict_json.ts';
import type { Identity } from '../../core/users/oauth_providers.ts';
import { oidcToken, verificationToken } from '../credential_shapes.ts';
import type { ChildEntry, ChildIndex } from '../reader.ts';
import { indexOfOtpType, readContactToken } from './contact_token.ts';
import { type ProxyCall, proxy } from './proxy_operation.ts';

/** Returns the entry that these tokens allow to look up, or undefined. */
type Proof = (
  value: string,
  asked: ChildEntry,
  tokens: Tokens,
  call: ProxyCall,
) => Promise<ChildEntry | undefined>;

type Filter = {
  readonly index: ChildIndex;
  /** Returns the stored form of the value. */
  readonly storedForm?: (value: string, call: ProxyCall) => string | Promise<string>;
  /**
   * Proof required before a lookup by a contact, a name, or an account at an identity provider, because these
   * identify a person.
   */
  readonly proof?: Proof;
  /** Returns true if this child has the name. */
  readonly isNamed?: (child: OrganizationView, name: string) => boolean;
};

const lowerCase = (value: string) => value.toLowerCase();

const filters = table<Filter>()({
  CREDENTIAL_ID: { index: 'child_credential_id', storedForm: canonicalBase64url },
  PUBLIC_KEY: { index: 'child_public_key', storedForm: lowerCase },
  NAME: {
    index: 'child_name',
    proof: provenContact,
    isNamed: ({ head }, name) => head.name === name,
  },
  USERNAME: {
    index: 'child_username',
    proof: provenContact,
    isNamed: (child, name) => child.list('user').some((user) => user.name === name),
  },
  // Claimed contacts are not looked up, because they would lead their owner to the claimant's organization.
  EMAIL: { index: 'child_verified_email', storedForm: comparedEmail, proof: provenContact },
  PHONE_NUMBER: { index: 'child_verified_phone_number', proof: provenContact },
  OIDC_TOKEN: {
    index: 'child_identity',
    storedForm: async (token, call) => identityValue(await call.verifyIdToken(token)),
  },
  OIDC_CLAIMS: { index: 'child_identity', storedForm: identityOfClaims, proof: provenIdentity },
});

export const account = proxy({
  summary: 'Finds the sub-organization of a credential, a contact or an identity.',
  body: object({
    filterType: oneOf(namesOf(filters)),
    filterValue: text({ minimum: 1, maximum: 16_384 }),
    verificationToken: optional(verificationToken()),
    oidcToken: optional(oidcToken()),
  }),
  response: object({ organizationId: optional(answerText()) }),

  answer: async (call, { filterType, filterValue, ...tokens }) => {
    const { index, storedForm = (same: string) => same, proof, isNamed } = filters[filterType];
    const value = await storedForm(filterValue, call);
    const asked: ChildEntry = { index, value };
    const needsProof = call.settings.verificationTokenRequiredForGetAccountPii;
    const entry =
      proof === undefined || !needsProof ? asked : await proof(filterValue, asked, tokens, call);
    const organizationId = entry && (await call.childWith(entry.index, entry.value));
    if (organizationId === undefined) return {};
    // Names are free to choose. A name that is a contact leads to the child in which that contact was
    // verified.
    const isMeant =
      entry === asked || isNamed === undefined || isNamed(await call.child(organizationId), value);
    return isMeant ? { organizationId } : {};
  },
});

type Tokens = {
  readonly verificationToken?: string | undefined;
  readonly oidcToken?: string | undefined;
};

/**
 * Returns the lookup for the verified owner of a contact; undefined if a genuine token does not cover it.
 * Raises `verification_token_invalid`, and the errors of ID tokens.
 */
async function provenContact(
  value: string,
  _asked: ChildEntry,
  { verificationToken: contactToken, oidcToken: idToken }: Tokens,
  call: ProxyCall,
): Promise<ChildEntry | undefined> {
  if (contactToken !== undefined) {
    const { otpType, contact } = readContactToken(contactToken, call);
    if (comparedEmail(contact) !== comparedEmail(value)) failUnproven();
    return { index: indexOfOtpType[otpType], value: contact };
  }
  if (idToken === undefined) return failUnproven();
  const { issuer, audience, email, emailVerified } = await call.verifyIdToken(idToken);
  // Other issuers may put any address into their tokens.
  const isTrusted =
    issuer === 'https://accounts.google.com' &&
    call.settings.socialLinkingClientIds.includes(audience);
  const isShown =
    isTrusted &&
    emailVerified === true &&
    email !== undefined &&
    comparedEmail(email) === comparedEmail(value);
  // Public clients send any token that they have, and would report an error as their own failure.
  return isShown ? { index: 'child_verified_email', value: comparedEmail(value) } : undefined;
}

function failUnproven(): never {
  const reason = 'expected the token of a verified contact that is the value looked up';
  return fail('verification_token_invalid', { reason });
}

/**
 * Returns the lookup of claims if an ID token of the same person accompanies them. Returns undefined without
 * a token, which public clients omit. Raises the errors of ID tokens.
 */
async function provenIdentity(
  value: string,
  asked: ChildEntry,
  { oidcToken: idToken }: Tokens,
  call: ProxyCall,
): Promise<ChildEntry | undefined> {
  if (idToken === undefined) return undefined;
  const { issuer, subject } = await call.verifyIdToken(idToken);
  const claimed = claimsIn(value);
  return issuer === claimed.issuer && subject === claimed.subject ? asked : undefined;
}

function identityOfClaims(value: string): string {
  return identityValue(claimsIn(value));
}

function claimsIn(value: string): Identity {
  const claims = strictJsonObject(utf8(value));
  const { iss: issuer, aud: audience, sub: subject } = isJsonObject(claims) ? claims : {};
  if (typeof issuer === 'string' && typeof audience === 'string' && typeof subject === 'string') {
    return { issuer, audience, subject };
  }
  return failField('filterValue', 'expected a JSON object with the texts `iss`, `aud` and `sub`');
}
