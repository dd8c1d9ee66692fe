// The rows of an organization that `keywright migrate` compares and moves.

import type { Client } from '../../client/connect.ts';
import type { Queries } from '../../client/generated/operations.ts';
import { RequestFailed } from '../../client/index.ts';
import { accountsOf } from '../accounts/wallet_accounts.ts';
import { type PolicyText, storedPolicies } from '../policies/policy_file.ts';
import type { Named } from '../service/find.ts';
import { type LeftRow, readLeftRows } from './left_behind.ts';

export type UserKey = {
  readonly apiKeyName: string;
  readonly publicKey: string;
  /** For example `API_KEY_CURVE_P256`. */
  readonly curveType: string;
  /** Milliseconds since 1970; undefined for a key that does not expire. */
  readonly expiresAtMs: number | undefined;
};

export type UserState = {
  readonly id: string;
  readonly name: string;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly tags: readonly string[];
  /** Registered keys without session keys. */
  readonly keys: readonly UserKey[];
  readonly passkeys: number;
  readonly identities: number;
};

export type Endpoint = Pick<EndpointRow, 'name' | 'url' | 'subscriptions'> & {
  readonly id: string;
};
type EndpointRow = Queries['list_webhook_endpoints']['result']['webhookEndpoints'][number];

export type WalletState = Named & { readonly accounts: Awaited<ReturnType<typeof accountsOf>> };

type KeyRow = Queries['list_private_keys']['result']['privateKeys'][number];
export type KeyState = Named & Pick<KeyRow, 'publicKey' | 'curve' | 'addresses' | 'privateKeyTags'>;

export type OrganizationState = {
  readonly organizationId: string;
  readonly users: readonly UserState[];
  readonly userTags: readonly Named[];
  readonly policies: readonly (PolicyText & Named)[];
  readonly wallets: readonly WalletState[];
  readonly privateKeys: readonly KeyState[];
  readonly privateKeyTags: readonly Named[];
  readonly rootQuorum: { readonly threshold: number; readonly userIds: readonly string[] };
  /** Undefined if the service has no webhook endpoints. */
  readonly endpoints: readonly Endpoint[] | undefined;
  /** Rows that no run moves. */
  readonly left: readonly LeftRow[];
};

const lastingCurves: Readonly<Record<string, string>> = {
  CREDENTIAL_TYPE_API_KEY_P256: 'API_KEY_CURVE_P256',
  CREDENTIAL_TYPE_API_KEY_SECP256K1: 'API_KEY_CURVE_SECP256K1',
  CREDENTIAL_TYPE_API_KEY_ED25519: 'API_KEY_CURVE_ED25519',
};

/** Reads an organization. Throws the errors of the client. */
export async function readOrganization(client: Client): Promise<OrganizationState> {
  const { userTags } = await client.query('list_user_tags');
  const tagNames = new Map(userTags.map(({ tagId, tagName }) => [tagId, tagName]));
  const { users } = await client.query('list_users');
  const policies = await storedPolicies(client);
  const { wallets } = await client.query('list_wallets');
  const { privateKeys } = await client.query('list_private_keys');
  const { privateKeyTags } = await client.query('list_private_key_tags');
  const { configs } = await client.query('get_organization_configs');
  return {
    organizationId: client.organizationId,
    users: users.map((user) => userState(user, tagNames)),
    userTags: userTags.map(namedTag),
    policies: policies.map((policy) => ({
      ...policy,
      id: policy.policyId,
      name: policy.policyName,
    })),
    wallets: await Promise.all(
      wallets.map(async ({ walletId: id, walletName: name }) => ({
        id,
        name,
        accounts: await accountsOf(client, id),
      })),
    ),
    privateKeys: privateKeys.map(({ privateKeyId: id, privateKeyName: name, ...key }) => ({
      ...key,
      id,
      name,
    })),
    privateKeyTags: privateKeyTags.map(namedTag),
    rootQuorum: configs.quorum,
    endpoints: await endpointsOf(client),
    left: await readLeftRows(client),
  };
}

const namedTag = ({ tagId: id, tagName: name }: { tagId: string; tagName: string }): Named => ({
  id,
  name,
});

type UserRow = Queries['list_users']['result']['users'][number];

/** Returns a user of a list. Omits tags without a known name. */
export const userState = (user: UserRow, tagNames: ReadonlyMap<string, string>): UserState => ({
  id: user.userId,
  name: user.userName,
  email: user.userEmail,
  phone: user.userPhoneNumber,
  tags: user.userTags.flatMap((id) => tagNames.get(id) ?? []),
  keys: user.apiKeys.flatMap(keyOf),
  passkeys: user.authenticators.length,
  identities: user.oauthProviders.length,
});

function keyOf({
  credential,
  apiKeyName,
  createdAt,
  expirationSeconds,
}: UserRow['apiKeys'][number]): readonly UserKey[] {
  const curveType = lastingCurves[credential.type];
  if (curveType === undefined) return [];
  const life = expirationSeconds === undefined ? undefined : Number(expirationSeconds);
  const expiresAtMs = life === undefined ? undefined : (Number(createdAt.seconds) + life) * 1000;
  return [{ apiKeyName, publicKey: credential.publicKey, curveType, expiresAtMs }];
}

async function endpointsOf(client: Client): Promise<readonly Endpoint[] | undefined> {
  try {
    const { webhookEndpoints } = await client.query('list_webhook_endpoints');
    return webhookEndpoints.map(({ endpointId: id, name, url, subscriptions }) => ({
      id,
      name,
      url,
      subscriptions,
    }));
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return undefined;
    throw error;
  }
}
