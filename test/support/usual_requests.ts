// Requests that most test files send, so that the code of a compiled service includes what they run.

import type { RootCredentials } from '../../src/gateway/enclave/root_credentials.ts';
import { ask, type Entry, type Member, newEntry, settle } from '../torture/ledger.ts';
import { accountAt, apiKeyOf, newSubOrganization } from '../torture/load.ts';

/** Creates an organization with a user, a policy and a wallet, signs with its account, and queries them. */
export async function sendUsualRequests(
  baseUrl: string,
  { organizationId, userId, apiPrivateKey, apiPublicKey }: RootCredentials,
): Promise<void> {
  const key = { privateKey: Uint8Array.fromHex(apiPrivateKey), publicKey: apiPublicKey };
  const root: Member = { organizationId, userId, key };
  const change = async (operation: string, type: string, parameters: object): Promise<Entry> => {
    const entry = newEntry(operation, `ACTIVITY_TYPE_${type}`, parameters, root);
    await settle(baseUrl, [entry]);
    return entry;
  };
  await settle(baseUrl, [newSubOrganization('Child', ['User'], root)]);
  const wallet = { walletName: 'Wallet', accounts: [accountAt(0)] };
  const { acknowledged } = await change('create_wallet', 'CREATE_WALLET', wallet);
  const { walletId, addresses } = acknowledged.result.createWalletResult;
  const user = { userName: 'User', userTags: [], authenticators: [], oauthProviders: [] };
  await change('create_users', 'CREATE_USERS_V3', {
    users: [{ ...user, apiKeys: [apiKeyOf('User')] }],
  });
  await change('create_policy', 'CREATE_POLICY_V3', {
    policyName: 'Policy',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${userId}')`,
    condition: "activity.type == 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'",
    notes: '',
  });
  const [signWith] = addresses;
  await change('sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', {
    signWith,
    payload: '00'.repeat(32),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
  const queries: readonly (readonly [operation: string, parameters: object])[] = [
    ['whoami', {}],
    ['get_organization', {}],
    ['get_activity', { activityId: acknowledged.id }],
    ['list_activities', {}],
    ['list_users', {}],
    ['list_policies', {}],
    ['list_wallets', {}],
    ['list_wallet_accounts', { walletId }],
  ];
  for (const [operation, parameters] of queries) await ask(baseUrl, operation, parameters, root);
}
