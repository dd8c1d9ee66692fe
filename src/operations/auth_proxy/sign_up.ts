// Sign-up: one sub-organization with its root user and optionally a wallet, in one activity.

import { claimedIdentity } from '../../core/auth/oidc_token.ts';
import { fail } from '../../core/errors/errors.ts';
import type { JsonObject } from '../../core/schema/json.ts';
import {
  answerList,
  answerText,
  boolean,
  label,
  object,
  optional,
  type TSchema,
  type ValueOfSchema,
} from '../../core/schema/schema.ts';
import type { Identity } from '../../core/users/oauth_providers.ts';
import {
  apiKeyList,
  authenticatorList,
  clientSignature,
  email,
  oauthProviderList,
  phoneNumber,
  tokenProviderList,
  verificationToken,
} from '../credential_shapes.ts';
import { appProofShape } from '../proofs/proof_shapes.ts';
import { walletParameters, walletResult } from '../shapes.ts';
import { methodOfOtpType, readContactToken } from './contact_token.ts';
import { methodOfIdentity } from './identity_provider.ts';
import type { ProxyCall } from './proxy_operation.ts';

/**
 * Maximum accounts that a sign-up derives, because anyone can sign up. Public clients derive one for each
 * address format, of which 18 are of main networks.
 */
const maximumSignUpAccounts = 20;

const bodyWith = <Providers extends TSchema>(oauthProviders: Providers) =>
  object({
    userEmail: optional(email()),
    userPhoneNumber: optional(phoneNumber()),
    userTag: optional(label()),
    userName: optional(label()),
    organizationName: optional(label()),
    verificationToken: optional(verificationToken()),
    apiKeys: apiKeyList(),
    authenticators: authenticatorList(),
    oauthProviders,
    wallet: optional(walletParameters(maximumSignUpAccounts)),
    clientSignature: optional(clientSignature()),
    generateAppProofs: optional(boolean()),
  });
export const body = bodyWith(oauthProviderList());
export const firstBody = bodyWith(tokenProviderList());
type SignUp = ValueOfSchema<typeof body>;

/** The common members of both versions. */
export const shared = {
  summary: 'Creates a sub-organization with one root user and, if given, a wallet.',
  takesCaptcha: true,
  response: object({
    organizationId: answerText(),
    userId: answerText(),
    wallet: optional(walletResult()),
    appProofs: optional(answerList(appProofShape())),
  }),
  answer: signUp,
} as const;

async function signUp(call: ProxyCall, given: SignUp) {
  const token =
    given.verificationToken === undefined
      ? undefined
      : readContactToken(given.verificationToken, call);
  requireCredential(given);
  if (token !== undefined) call.requireMethod(methodOfOtpType[token.otpType]);
  requireMethods(given, call);
  // A token of the first version is valid only for the activity type of that time.
  const type = `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${token?.version === 'first' ? 'V7' : 'V8'}`;
  const parameters = parametersOf(given, call.now);
  // Some clients verify all proofs in an answer, and expect none without an address.
  const hasAddress = (given.wallet?.accounts ?? []).length > 0;
  const generateAppProofs = given.generateAppProofs ?? hasAddress;
  const more = { type, generateAppProofs };
  const { result, appProofs } = await call.act('create_sub_organization', parameters, more);
  const { subOrganizationId, rootUserIds, wallet } = result as Created;
  return {
    organizationId: subOrganizationId,
    userId: rootUserIds[0],
    ...(wallet === undefined ? {} : { wallet }),
    ...(appProofs === undefined ? {} : { appProofs }),
  };
}

type Provider = SignUp['oauthProviders'][number];

function identityIn({ oidcToken, oidcClaims }: Provider): Identity | undefined {
  if (oidcToken !== undefined) return claimedIdentity(oidcToken);
  if (oidcClaims === undefined) return undefined;
  return { issuer: oidcClaims.iss, audience: oidcClaims.aud, subject: oidcClaims.sub };
}

type Created = {
  readonly subOrganizationId: string;
  readonly rootUserIds: readonly [string];
  readonly wallet?: ValueOfSchema<ReturnType<typeof walletResult>>;
};

/** Requires a credential. An unverified contact is none, because a request can name any contact. */
function requireCredential(given: SignUp): void {
  const { authenticators, oauthProviders, verificationToken: token } = given;
  const credentials = [lastingKeys(given), authenticators, oauthProviders].flat();
  if (credentials.length > 0 || token !== undefined) return;
  const reason = 'expected a credential that lasts, or the verification token of a contact';
  fail('user_without_credential', { reason });
}

/** Returns the keys without expiry. Expiring keys are for the first session of another credential. */
const lastingKeys = ({ apiKeys }: SignUp) =>
  apiKeys.filter(({ expirationSeconds }) => expirationSeconds === undefined);

function requireMethods(given: SignUp, call: ProxyCall): void {
  if (given.authenticators.length > 0) call.requireMethod('passkey');
  if (lastingKeys(given).length > 0) call.requireMethod('wallet');
  for (const provider of given.oauthProviders) {
    const identity = identityIn(provider);
    if (identity !== undefined) call.requireMethod(methodOfIdentity(identity, call));
  }
}

function parametersOf(given: SignUp, now: number): JsonObject {
  const { userEmail, userPhoneNumber, userTag, userName, organizationName } = given;
  const { verificationToken: token, clientSignature: signature, wallet } = given;
  const rootUser = {
    // Never a contact, because names are visible and searchable where contacts are not.
    userName: userName ?? `user-${now}`,
    ...present({ userEmail, userPhoneNumber, userTag }),
    apiKeys: given.apiKeys,
    authenticators: given.authenticators,
    oauthProviders: given.oauthProviders,
  };
  return {
    subOrganizationName: organizationName ?? userName ?? `sub-organization-${now}`,
    rootUsers: [rootUser],
    rootQuorumThreshold: 1,
    ...present({ wallet, verificationToken: token, clientSignature: signature }),
  };
}

function present(members: Readonly<Record<string, unknown>>): JsonObject {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as JsonObject;
}
