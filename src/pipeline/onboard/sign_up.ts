// Signing up: one sub-organization with its root user and, where asked for, a wallet, all at once.

import { claimedIdentity } from '../../core/auth/oidc_token.ts';
import { fail } from '../../core/errors.ts';
import { identityValue } from '../../core/indexes.ts';
import type { Identity } from '../../core/oauth_providers.ts';
import type { JsonObject } from '../../core/schema/json.ts';
import {
  answerList,
  answerText,
  label,
  object,
  optional,
  type TSchema,
  type ValueOfSchema,
} from '../../core/schema/schema.ts';
import type { Verification } from '../../core/verifications.ts';
import {
  apiKeyList,
  authenticatorList,
  clientSignature,
  email,
  oauthProviderList,
  phoneNumber,
  tokenProviderList,
  verificationToken,
} from '../../operations/credential_shapes.ts';
import type { ChildIndex } from '../../operations/operation.ts';
import { appProofShape } from '../../operations/proofs/proof_shapes.ts';
import { walletParameters, walletResult } from '../../operations/shapes.ts';
import { indexOfOtpType, methodOfOtpType, readContactToken } from './contact_token.ts';
import { methodOfIdentity } from './identity_provider.ts';
import { endpoint, type ProxyCall } from './proxy_endpoint.ts';

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
    wallet: optional(walletParameters()),
    clientSignature: optional(clientSignature()),
  });
const body = bodyWith(oauthProviderList());
const firstBody = bodyWith(tokenProviderList());
type SignUp = ValueOfSchema<typeof body>;

const shared = {
  summary: 'Makes a sub-organization with one root user and, where asked for, a wallet.',
  takesCaptcha: true,
  response: object({
    organizationId: answerText(),
    userId: answerText(),
    wallet: optional(walletResult()),
    appProofs: optional(answerList(appProofShape())),
  }),
  answer: signUp,
} as const;

export const signup_v2 = endpoint({ ...shared, body });
export const signup = endpoint({ ...shared, body: firstBody });

async function signUp(call: ProxyCall, given: SignUp) {
  const token =
    given.verificationToken === undefined
      ? undefined
      : readContactToken(given.verificationToken, call);
  requireCredential(given);
  if (token !== undefined) call.requireMethod(methodOfOtpType[token.otpType]);
  requireMethods(given, call);
  // A token of the first version is good for the activity of its time alone.
  const type = `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${token?.version === 'first' ? 'V7' : 'V8'}`;
  const entries = entriesOf(given, token);
  const create = async () => {
    for (const entry of entries) await requireNew(entry, call);
    const parameters = parametersOf(given, call.now);
    // Without an address there is only the decision to prove, and policies are not told to strangers.
    const generateAppProofs = (given.wallet?.accounts ?? []).length > 0;
    return call.act('create_sub_organization', parameters, { type, generateAppProofs });
  };
  // Whoever asks twice at once must not end with two accounts, of which none is found any more.
  const names = [...new Set(entries.map(({ index, value }) => `${index} ${value}`))].sort();
  const inTurn = names.reduceRight<() => ReturnType<typeof create>>(
    (job, name) => () => call.inTurn(name, job),
    create,
  );
  const { result, appProofs } = await inTurn();
  const { subOrganizationId, rootUserIds, wallet } = result as Created;
  return {
    organizationId: subOrganizationId,
    userId: rootUserIds[0],
    ...(wallet === undefined ? {} : { wallet }),
    ...(appProofs === undefined ? {} : { appProofs }),
  };
}

type Entry = { readonly index: ChildIndex; readonly value: string; readonly what: string };

/** Under what the new organization will be found by those who sign in. */
function entriesOf(given: SignUp, token: Verification | undefined): readonly Entry[] {
  const contact: Entry[] =
    token === undefined
      ? []
      : [{ index: indexOfOtpType[token.otpType], value: token.contact, what: 'this contact' }];
  const keys = given.apiKeys.map(({ publicKey }): Entry => {
    return { index: 'child_public_key', value: publicKey.toLowerCase(), what: 'this public key' };
  });
  const passkeys = given.authenticators.map(({ attestation: { credentialId } }): Entry => {
    return { index: 'child_credential_id', value: credentialId, what: 'this passkey' };
  });
  const identities = given.oauthProviders.flatMap((provider): Entry[] => {
    const identity = identityIn(provider);
    if (identity === undefined) return [];
    const value = identityValue(identity);
    return [{ index: 'child_identity', value, what: 'this account at an identity provider' }];
  });
  const entries = [contact, keys, passkeys, identities].flat();
  // Each is looked up, and no user could have more.
  if (entries.length > maximumEntries) {
    fail('limit_exceeded', { owner: 'user', resource: 'credentials', limit: maximumEntries });
  }
  return entries;
}

const maximumEntries = 50;

/** Refuses what leads to an account already: with a second one it would lead to neither. */
async function requireNew({ index, value, what }: Entry, call: ProxyCall): Promise<void> {
  if ((await call.childWith(index, value)) === undefined) return;
  fail('already_exists', { resource: 'account', what: `somebody has signed up with ${what}` });
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

/** A contact that nobody has verified is no way in: anybody can name anybody's. */
function requireCredential(given: SignUp): void {
  const { authenticators, oauthProviders, verificationToken: token } = given;
  const credentials = [lastingKeys(given), authenticators, oauthProviders].flat();
  if (credentials.length > 0 || token !== undefined) return;
  const reason = 'expected a credential that lasts, or the verification token of a contact';
  fail('user_without_credential', { reason });
}

/** Keys that expire come along with another way to sign in, for the first session. */
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
  const contact = userEmail ?? userPhoneNumber;
  const rootUser = {
    userName: userName ?? contact ?? `user-${now}`,
    ...present({ userEmail, userPhoneNumber, userTag }),
    apiKeys: given.apiKeys,
    authenticators: given.authenticators,
    oauthProviders: given.oauthProviders,
  };
  return {
    subOrganizationName: organizationName ?? userName ?? contact ?? `sub-organization-${now}`,
    rootUsers: [rootUser],
    rootQuorumThreshold: 1,
    ...present({ wallet, verificationToken: token, clientSignature: signature }),
  };
}

function present(members: Readonly<Record<string, unknown>>): JsonObject {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as JsonObject;
}
