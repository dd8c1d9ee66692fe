import { bindsKey, isFresh, type OidcClaims } from '../../core/auth/oidc_token.ts';
import { leaveFirstLogin, useVerification } from '../../core/auth/verifications.ts';
import type { Context } from '../../core/base/context.ts';
import { fail } from '../../core/errors/errors.ts';
import type { Keyring } from '../../core/keys/keyring.ts';
import {
  addPrivateKeys,
  type DrawnKey,
  drawPrivateKeysInParts,
  type PrivateKeyParameters,
} from '../../core/keys/private_keys.ts';
import {
  addAccounts,
  type DerivedAccount,
  deriveAccountsInParts,
  keepWallet,
  mnemonicLengthOf,
} from '../../core/keys/wallets.ts';
import type { OrganizationDraft } from '../../core/organization/state.ts';
import { userTags } from '../../core/organization/tags.ts';
import {
  answerList,
  answerText,
  object,
  optional,
  type ValueOfSchema,
} from '../../core/schema/schema.ts';
import { authProxyConfigOf } from '../../core/settings/auth_proxy.ts';
import { clientIdsOf } from '../../core/settings/client_ids.ts';
import { webauthnOriginsOf } from '../../core/settings/features.ts';
import { checkRootQuorum } from '../../core/settings/root_quorum.ts';
import { newSubOrganizationHead } from '../../core/settings/sub_organizations.ts';
import {
  apiKeyOfPublicKey,
  checkPublicKeysInParts,
  knownPublicKeys,
} from '../../core/users/api_keys.ts';
import {
  bringsTokens,
  checkProviders,
  readProviders,
  useTokens,
} from '../../core/users/oauth_providers.ts';
import { markCredentialVerified, markOnlyCredential } from '../../core/users/sign_in_links.ts';
import { createUser } from '../../core/users/users.ts';
import {
  apiKeyList,
  authenticatorList,
  oauthProviderList,
  phoneNumber,
} from '../credential_shapes.ts';
import {
  namesSubmitterKey,
  opensForHolderAlone,
  requireUnused,
} from '../oauth/registering_identity.ts';
import { providersOfNewUsers } from '../openapi/described_providers.ts';
import { activityOf, wireOf } from '../operation.ts';
import { type walletParameters, walletResult } from '../shapes.ts';
import { requireNewAccount, requireNewIdentities } from './new_account.ts';
import { olderSubOrganizations } from './older_sub_organizations.ts';
import { signUpOf } from './sign_up.ts';
import {
  laterMembers,
  named,
  subOrganizationMembers,
  userTagName,
} from './sub_organization_members.ts';

const rootUsersField = 'parameters.rootUsers';

const parameters = object({
  ...subOrganizationMembers(
    object({
      ...named(),
      userPhoneNumber: optional(phoneNumber()),
      userTag: optional(userTagName()),
      apiKeys: apiKeyList(),
      authenticators: authenticatorList(),
      oauthProviders: oauthProviderList(),
    }),
  ),
  ...laterMembers(),
});

/** One older version also accepts tokens of the first version, and another creates private keys. */
type Form = ValueOfSchema<typeof parameters> & {
  readonly takesFirstTokens?: true;
  readonly privateKeys?: readonly PrivateKeyParameters[];
};

export const create_sub_organization = activityOf<Form>()({
  wire: wireOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8'),
  older: olderSubOrganizations,
  summary: 'Creates a sub-organization with its root users and, if given, a wallet.',
  subject: { resource: 'ORGANIZATION', action: 'CREATE' },
  authority: 'none',
  parameters,
  upgrade: (given): Form => given,
  result: object({
    subOrganizationId: answerText(),
    wallet: optional(walletResult()),
    rootUserIds: answerList(answerText()),
  }),

  callsExternal: ({ rootUsers }) => bringsTokens(providersOfNewUsers(rootUsers, rootUsersField)),

  load: async ({ organization, parameters, submitter, read, context, services }) => {
    const { rootUsers } = parameters;
    const at = { ...services, now: context.now };
    const signUp = signUpOf(parameters, organization, at);
    const described = providersOfNewUsers(rootUsers, rootUsersField);
    readProviders(described, organization);
    // Strangers submit through the proxy. Other callers are trusted to decide themselves.
    const isByStranger = authProxyConfigOf(organization)?.userId === submitter.id;
    if (isByStranger) await requireNewAccount(rootUsers, signUp?.verification, organization, read);
    return { signUp, described, isByStranger };
  },
  obtain: async (input) => {
    const { organization, parameters, submittedWith, loaded, context, services } = input;
    const clientIds = clientIdsOf(organization);
    const { signUp, isByStranger, described } = loaded;
    const registers = async (claims: OidcClaims, place: number) => {
      const signedBy = place === signUp?.rootUser ? signUp.verification.publicKey : undefined;
      const opensAlone = (contacts: 'claimed' | 'set' | 'proven') =>
        signUp === undefined &&
        opensForHolderAlone(claims, parameters.rootUsers, contacts, clientIds);
      if (
        namesSubmitterKey(claims, submittedWith, services.deployment) ||
        (signedBy !== undefined && bindsKey(claims, signedBy)) ||
        opensAlone(isByStranger ? 'claimed' : 'proven')
      ) {
        return 'bound';
      }
      if (isByStranger || !opensAlone('set') || !isFresh(claims, context.now)) return undefined;
      await requireUnused(claims, services);
      return 'once';
    };
    const checked = await checkProviders(described, services.verifyIdToken, registers);
    if (isByStranger) await requireNewIdentities(checked, services);
    const { once, pause } = services;
    const child = await once('child', async () => {
      const id = context.newId();
      const keyring = input.childKeyring(id);
      await checkPublicKeysInParts(parameters.rootUsers, rootUsersField, pause);
      return { id, ...(await drawFirstKeys(parameters, { keyring, context, pause })) };
    });
    return { checked, ...child };
  },
  apply: (input) => {
    const { activityId, organization: parent, parameters, loaded, obtained, context } = input;
    const { signUp, isByStranger } = loaded;
    if (parent.parentId !== undefined) {
      fail('sub_organization_cannot', { action: 'have sub-organizations' });
    }
    if (signUp !== undefined) {
      useVerification(signUp.verification, 'sign_up', parent, { activityId, now: context.now });
    }
    // Raises the version, so that concurrent requests on any node search for the same account again.
    if (isByStranger) parent.setHead({});
    const { rootUsers, rootQuorumThreshold: threshold } = parameters;
    const { id, checked, wallet, privateKeys } = obtained;
    const head = newSubOrganizationHead({
      name: parameters.subOrganizationName,
      rootQuorumThreshold: threshold,
      switches: parameters,
      now: context.now,
    });
    const { organization } = input.createChild(id, head);
    if (signUp !== undefined) leaveFirstLogin(signUp.verification, organization, context.now);
    const allowedOrigins = webauthnOriginsOf(parent);
    const publicKeys = knownPublicKeys(organization);
    const rootUserIds = rootUsers.map((user, i) => {
      const situation = {
        allowedOrigins,
        publicKeys,
        providers: checked[i] ?? [],
        ...(isByStranger ? { contactsBy: 'stranger' as const } : {}),
        verified: i === signUp?.rootUser ? signUp.verification.otpType : undefined,
      };
      const field = `${rootUsersField}.${i}`;
      const { userTag: name, ...described } = user;
      const tags = name === undefined ? [] : [tagNamed(name, organization, context)];
      const tagged = { ...described, userTags: tags };
      const created = createUser(tagged, organization, context, { ...situation, field });
      if (i === signUp?.rootUser) {
        const signer = apiKeyOfPublicKey(organization, signUp.signedBy ?? '');
        if (signer !== undefined) markCredentialVerified(signer.id, organization);
      }
      return created.id;
    });
    useTokens(checked.flat(), parent);
    markOnlyCredential(organization);
    const rootQuorum = { threshold, userIds: rootUserIds };
    checkRootQuorum(rootQuorum, organization, {
      threshold: 'parameters.rootQuorumThreshold',
      userIds: rootUsersField,
    });
    organization.setHead({ rootQuorum });
    return {
      subOrganizationId: id,
      ...(wallet === undefined ? {} : { wallet: addFirstWallet(wallet, organization, context) }),
      ...(privateKeys === undefined
        ? {}
        : { privateKeys: addFirstPrivateKeys(privateKeys, organization, context) }),
      rootUserIds,
    };
  },
});

/** Returns the id of the tag with this name, and creates it for its first user. */
function tagNamed(name: string, organization: OrganizationDraft, { now, newId }: Context): string {
  const known = userTags.list(organization).find((tag) => tag.name === name);
  return (known ?? userTags.create({ id: newId(), name, now }, organization)).id;
}

/** Keys in a request other than those of users, generated before anything is stored. */
type FirstKeys = {
  readonly wallet: FirstWallet | undefined;
  readonly privateKeys: readonly DrawnKey[] | undefined;
};

type FirstWallet = {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly derived: readonly DerivedAccount[];
};

const privateKeysField = 'parameters.privateKeys';

/** Raises `field_invalid` and `already_exists`, like wallets and private keys in other operations. */
async function drawFirstKeys(
  { wallet, privateKeys }: Form,
  of: { readonly keyring: Keyring; readonly context: Context; readonly pause: () => Promise<void> },
): Promise<FirstKeys> {
  const { keyring, context, pause } = of;
  const at = { ...context, field: privateKeysField };
  return {
    wallet: wallet && (await drawFirstWallet(wallet, of)),
    privateKeys: privateKeys && (await drawPrivateKeysInParts(privateKeys, keyring, at, pause)),
  };
}

async function drawFirstWallet(
  {
    walletName: name,
    accounts,
    mnemonicLength,
  }: ValueOfSchema<ReturnType<typeof walletParameters>>,
  { keyring, context, pause }: Parameters<typeof drawFirstKeys>[1],
): Promise<FirstWallet> {
  const length = mnemonicLengthOf(mnemonicLength, 'parameters.wallet.mnemonicLength');
  const id = context.newId();
  const wallet = { id, secret: keyring.createSeed(id, length), name };
  const field = 'parameters.wallet.accounts';
  return {
    ...wallet,
    derived: await deriveAccountsInParts(wallet, accounts, keyring, field, pause),
  };
}

function addFirstWallet(
  { derived, ...wallet }: FirstWallet,
  organization: OrganizationDraft,
  context: Context,
) {
  keepWallet({ ...wallet, now: context.now }, organization);
  const added = addAccounts(wallet.id, derived, organization, context);
  return { walletId: wallet.id, addresses: added.map((account) => account.address) };
}

/** Private keys cannot name tags, because a new organization has none. Raises `resource_not_found`. */
function addFirstPrivateKeys(
  drawn: readonly DrawnKey[],
  organization: OrganizationDraft,
  { now }: Context,
) {
  const created = addPrivateKeys(drawn, organization, { now, field: privateKeysField });
  return created.map(({ id, addresses }) => ({ privateKeyId: id, addresses }));
}
