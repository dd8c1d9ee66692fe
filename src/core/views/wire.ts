// API forms of records: member names, order and formats of the specification.

import { addressFormats } from '../address/index.ts';
import { timestampsOf } from '../base/compatibility.ts';
import type { MfaStatus } from '../mfa/mfa.ts';
import { smallKinds } from '../organization/kinds.ts';
import type {
  ApiKey,
  Authenticator,
  ContractInterface,
  IpAllowlist,
  Oauth2Credential,
  OauthProvider,
  Policy,
  PrivateKey,
  Secret,
  SessionProfile,
  Tag,
  User,
  Wallet,
  WalletAccount,
} from '../organization/model.ts';
import type { Invitation } from '../organization/records/invitations.ts';
import type { MfaPolicy } from '../organization/records/mfa_policy.ts';
import type {
  ApiKeyView,
  AuthenticatorView,
  MfaPolicyView,
  OauthProviderView,
  UserView,
} from '../organization/records/user_view.ts';
import type { OrganizationView } from '../organization/state.ts';
import { apiKeysOfUser } from '../users/api_keys.ts';
import { authenticatorsOfUser } from '../users/authenticators.ts';
import { isAccepted } from '../users/invitations.ts';
import { mfaPoliciesOf } from '../users/mfa_policies_of_user.ts';
import { providersOfUser } from '../users/oauth_providers.ts';

/** Returns the API form of an API key (specification, "API key"). */
export function apiKeyView(key: ApiKey): ApiKeyView {
  return {
    credential: {
      publicKey: key.publicKey,
      type: key.type,
      ...(key.sessionProfile === undefined ? {} : { sessionProfileId: key.sessionProfile.id }),
    },
    apiKeyId: key.id,
    apiKeyName: key.name,
    ...timestampsOf(key),
    ...(key.expirationSeconds === undefined
      ? {}
      : { expirationSeconds: String(key.expirationSeconds) }),
  };
}

/** Returns the API form of a passkey (specification, "Authenticator"). */
export function authenticatorView(authenticator: Authenticator): AuthenticatorView {
  return {
    transports: authenticator.transports,
    attestationType: authenticator.attestationType,
    aaguid: authenticator.aaguid,
    credentialId: authenticator.credentialId,
    model: authenticator.model,
    credential: {
      publicKey: authenticator.publicKey,
      type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR',
    },
    authenticatorId: authenticator.id,
    authenticatorName: authenticator.name,
    ...timestampsOf(authenticator),
  };
}

/** Returns the API form of an account at an identity provider (specification, "OAuth provider"). */
export function oauthProviderView(provider: OauthProvider): OauthProviderView {
  return {
    providerId: provider.id,
    providerName: provider.name,
    issuer: provider.issuer,
    audience: provider.audience,
    subject: provider.subject,
    ...timestampsOf(provider),
  };
}

/** Returns the API form of an organization's client at an OAuth 2.0 provider; the secret stays sealed. */
export function oauth2CredentialView(credential: Oauth2Credential, organizationId: string) {
  return {
    oauth2CredentialId: credential.id,
    organizationId,
    provider: credential.provider,
    clientId: credential.clientId,
    encryptedClientSecret: credential.encryptedClientSecret,
    ...timestampsOf(credential),
  };
}

/** Returns the API form of an MFA policy. */
export function mfaPolicyView(policy: MfaPolicy): MfaPolicyView {
  return {
    mfaPolicyId: policy.id,
    mfaPolicyName: policy.name,
    condition: policy.condition,
    requiredAuthenticationMethods: policy.requiredMethods,
    order: policy.order,
    ...(policy.notes === undefined ? {} : { notes: policy.notes }),
    ...timestampsOf(policy),
  };
}

/** Returns the API form of an IP allowlist. A key's list is always enabled. */
export function ipAllowlistView(
  list: IpAllowlist | undefined,
  publicKey: string | undefined,
  organizationId: string,
) {
  return {
    organizationId,
    rules: (list?.rules ?? []).map(({ cidr, label, createdAtMs }) => ({
      cidr,
      ...(label === undefined ? {} : { label }),
      createdAt: String(createdAtMs),
    })),
    ...(publicKey === undefined ? { enabled: list?.enabled ?? false } : { publicKey }),
    onEvaluationError: list?.onEvaluationError ?? ('DENY' as const),
  };
}

/** Returns the status of a user under an MFA policy; only methods that name a credential have an ID. */
export function mfaStatusView({ policy, satisfied, satisfiedMethods }: MfaStatus) {
  return {
    mfaPolicyId: policy.id,
    userId: policy.userId,
    satisfied,
    satisfiedMethods: satisfiedMethods.map(({ type, id }) => (id === '' ? { type } : { type, id })),
    requiredMethods: policy.requiredMethods,
  };
}

/** A cached view, with the rows of all kinds that it was made from; it is valid while they are the same. */
type MadeView = { readonly rows: readonly ReadonlyMap<string, unknown>[]; readonly view: UserView };
const madeViews = new WeakMap<User, MadeView>();

function rowsAt(organization: OrganizationView, index: number): unknown {
  const kind = smallKinds[index];
  return kind && organization.rows(kind);
}

/** Returns the API form of a user with its credentials, which every vote quotes. */
export function userView(user: User, organization: OrganizationView): UserView {
  const known = madeViews.get(user);
  if (known?.rows.every((rows, i) => rows === rowsAt(organization, i))) return known.view;
  const rows = smallKinds.map((kind) => organization.rows(kind));
  const view = newUserView(user, organization);
  madeViews.set(user, { rows, view });
  return view;
}

/**
 * Returns a user of another organization without contacts, credentials and policies, which users of this
 * organization cannot read.
 */
export function foreignUserView(user: User): UserView {
  return {
    userId: user.id,
    userName: user.name,
    authenticators: [],
    apiKeys: [],
    userTags: [],
    oauthProviders: [],
    ...timestampsOf(user),
    mfaPolicies: [],
  };
}

function newUserView(user: User, organization: OrganizationView): UserView {
  return {
    userId: user.id,
    userName: user.name,
    ...(user.email === undefined ? {} : { userEmail: user.email }),
    ...(user.phoneNumber === undefined ? {} : { userPhoneNumber: user.phoneNumber }),
    authenticators: authenticatorsOfUser(organization, user.id).map(authenticatorView),
    apiKeys: apiKeysOfUser(organization, user.id).map(apiKeyView),
    userTags: user.tagIds,
    oauthProviders: providersOfUser(organization, user.id).map(oauthProviderView),
    ...timestampsOf(user),
    mfaPolicies: mfaPoliciesOf(organization, user.id).map(mfaPolicyView),
  };
}

/** Returns the API form of an invitation, without deleted tags. */
export function invitationView(invitation: Invitation, organization: OrganizationView) {
  const isThere = (id: string) => organization.get('tag', id) !== undefined;
  return {
    invitationId: invitation.id,
    receiverUserName: invitation.receiverName,
    receiverEmail: invitation.receiverEmail,
    receiverUserTags: invitation.receiverTagIds.filter(isThere),
    accessType: invitation.accessType,
    status: isAccepted(invitation, organization)
      ? ('INVITATION_STATUS_ACCEPTED' as const)
      : ('INVITATION_STATUS_CREATED' as const),
    ...timestampsOf(invitation),
    senderUserId: invitation.senderUserId,
  };
}

/** Returns the API form of a secret without its text. */
export function secretView({ id, name, staticProperties, createdAtMs }: Secret) {
  return {
    secretId: id,
    ...(name === undefined ? {} : { name }),
    staticProperties,
    createdAtUnixMs: String(createdAtMs),
  };
}

export function sessionProfileView(profile: SessionProfile) {
  const { expirationSeconds, notes } = profile;
  return {
    sessionProfileId: profile.id,
    sessionProfileName: profile.name,
    scope: profile.scope,
    ...(expirationSeconds === undefined ? {} : { expirationSeconds: String(expirationSeconds) }),
    ...(notes === undefined ? {} : { notes }),
    ...timestampsOf(profile),
  };
}

export function tagView(tag: Tag) {
  return {
    tagId: tag.id,
    tagName: tag.name,
    tagType: tag.type,
    ...timestampsOf(tag),
  };
}

export function walletView(wallet: Wallet) {
  return {
    walletId: wallet.id,
    walletName: wallet.name,
    ...timestampsOf(wallet),
    exported: wallet.exported,
    imported: wallet.imported,
  };
}

/** Returns the API form of a wallet account; `wallet` adds `walletDetails`. */
export function walletAccountView(
  account: WalletAccount,
  organizationId: string,
  wallet: Wallet | undefined,
) {
  const { caip2Prefix } = addressFormats[account.addressFormat];
  return {
    walletAccountId: account.id,
    organizationId,
    walletId: account.walletId,
    curve: account.curve,
    pathFormat: account.pathFormat,
    path: account.path,
    addressFormat: account.addressFormat,
    address: account.address,
    ...timestampsOf(account),
    publicKey: account.publicKey,
    ...(wallet === undefined ? {} : { walletDetails: walletView(wallet) }),
    ...(account.name === undefined ? {} : { name: account.name }),
    ...(caip2Prefix === undefined ? {} : { caip2Prefix }),
  };
}

/** Returns the API form of a policy; absent expressions are empty. */
export function policyView(policy: Policy) {
  return {
    policyId: policy.id,
    policyName: policy.name,
    effect: policy.effect,
    ...timestampsOf(policy),
    notes: policy.notes,
    consensus: policy.consensus ?? '',
    condition: policy.condition ?? '',
    ...(policy.time === undefined ? {} : { time: policy.time }),
  };
}

/** Returns the API form of a smart contract interface, whose text is a separate record. */
export function contractInterfaceView(
  found: ContractInterface,
  text: string,
  organizationId: string,
) {
  return {
    organizationId,
    smartContractInterfaceId: found.id,
    smartContractAddress: found.address,
    smartContractInterface: text,
    type: found.type,
    label: found.label,
    notes: found.notes,
    ...timestampsOf(found),
  };
}

/** Returns a contract interface without its text, which the digest identifies. */
export function contractInterfaceReferenceView({ id, address, digest }: ContractInterface) {
  return { smartContractInterfaceId: id, smartContractAddress: address, digest };
}

export function privateKeyView(key: PrivateKey) {
  return {
    privateKeyId: key.id,
    publicKey: key.publicKey,
    privateKeyName: key.name,
    curve: key.curve,
    addresses: key.addresses,
    privateKeyTags: key.tagIds,
    ...timestampsOf(key),
    exported: key.exported,
    imported: key.imported,
    ...(key.heldBy === undefined ? {} : { heldBy: key.heldBy }),
  };
}
