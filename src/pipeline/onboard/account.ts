// Whether somebody has an account already: the child organization that a credential or contact leads to.

import { canonicalBase64url, utf8 } from '../../core/base/bytes.ts';
import { namesOf, table } from '../../core/base/table.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import { identityValue } from '../../core/organization/indexes.ts';
import { isJsonObject } from '../../core/schema/json.ts';
import { answerText, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { strictJsonObject } from '../../core/schema/strict_json.ts';
import { oidcToken, verificationToken } from '../../operations/credential_shapes.ts';
import type { ChildIndex } from '../../operations/operation.ts';
import { readContactToken } from './contact_token.ts';
import { endpoint, type ProxyCall } from './proxy_endpoint.ts';

type Filter = {
  readonly index: ChildIndex;
  /** The value as it is kept. */
  readonly storedForm?: (value: string, call: ProxyCall) => string | Promise<string>;
  /** It is a contact, or often is: who has an account under it is not for everybody to know. */
  readonly isPersonal?: true;
};

const lowerCase = (value: string) => value.toLowerCase();

const filters = table<Filter>()({
  CREDENTIAL_ID: { index: 'child_credential_id', storedForm: canonicalBase64url },
  PUBLIC_KEY: { index: 'child_public_key', storedForm: lowerCase },
  NAME: { index: 'child_name', isPersonal: true },
  USERNAME: { index: 'child_username', isPersonal: true },
  // Contacts that were only claimed lead nowhere: their true holder would land with whoever did.
  EMAIL: { index: 'child_verified_email', storedForm: lowerCase, isPersonal: true },
  PHONE_NUMBER: { index: 'child_verified_phone_number', isPersonal: true },
  OIDC_TOKEN: {
    index: 'child_identity',
    storedForm: async (token, call) => identityValue(await call.verifyIdToken(token)),
  },
  OIDC_CLAIMS: { index: 'child_identity', storedForm: identityOfClaims },
});

export const account = endpoint({
  summary: 'The sub-organization that a credential, contact or identity leads to, if there is one.',
  body: object({
    filterType: oneOf(namesOf(filters)),
    filterValue: text({ minimum: 1, maximum: 16_384 }),
    verificationToken: optional(verificationToken()),
    oidcToken: optional(oidcToken()),
  }),
  response: object({ organizationId: optional(answerText()) }),

  answer: async (call, { filterType, filterValue, ...tokens }) => {
    const { index, storedForm = (same: string) => same, isPersonal } = filters[filterType];
    if (isPersonal === true && call.settings.verificationTokenRequiredForGetAccountPii) {
      await requireProof(filterValue, tokens, call);
    }
    const organizationId = await call.childWith(index, await storedForm(filterValue, call));
    return organizationId === undefined ? {} : { organizationId };
  },
});

type Tokens = {
  readonly verificationToken?: string | undefined;
  readonly oidcToken?: string | undefined;
};

/** Refuses who does not show to hold what is looked up. Raises `verification_token_invalid`. */
async function requireProof(value: string, tokens: Tokens, call: ProxyCall): Promise<void> {
  const proven = await provenContact(tokens, call);
  if (proven?.toLowerCase() === value.toLowerCase()) return;
  const reason = 'expected the token of a verified contact that is the value looked up';
  fail('verification_token_invalid', { reason });
}

async function provenContact(
  { verificationToken: contactToken, oidcToken: idToken }: Tokens,
  call: ProxyCall,
): Promise<string | undefined> {
  if (contactToken !== undefined) return readContactToken(contactToken, call).contact;
  if (idToken === undefined) return undefined;
  const { issuer, audience, email, emailVerified } = await call.verifyIdToken(idToken);
  // Other issuers may say what they like of addresses that are not theirs.
  const isTrusted =
    issuer === 'https://accounts.google.com' &&
    call.settings.socialLinkingClientIds.includes(audience);
  return isTrusted && emailVerified === true ? email : undefined;
}

function identityOfClaims(value: string): string {
  const claims = strictJsonObject(utf8(value));
  const { iss: issuer, aud: audience, sub: subject } = isJsonObject(claims) ? claims : {};
  if (typeof issuer === 'string' && typeof audience === 'string' && typeof subject === 'string') {
    return identityValue({ issuer, audience, subject });
  }
  return failField('filterValue', 'expected a JSON object with the texts `iss`, `aud` and `sub`');
}
