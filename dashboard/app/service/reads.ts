// Reads that several screens share. Screens that use the same name share one request.

import type { Queries } from '../../../src/client/generated/operations.ts';
import { locale } from '../../messages/text.ts';
import { useSession } from '../session/context.ts';
import { type Read, type Reading, useRead } from './queries.ts';

export type User = Queries['get_user']['result']['user'];
export type Wallet = Queries['list_wallets']['result']['wallets'][number];
export type Account = Queries['list_wallet_accounts']['result']['accounts'][number];
export type Activity = Queries['list_activities']['result']['activities'][number];
export type Policy = Queries['list_policies']['result']['policies'][number];
export type PrivateKey = Queries['list_private_keys']['result']['privateKeys'][number];
export type Secret = Queries['list_secrets']['result']['secrets'][number];
export type AddressLabel = Queries['list_address_labels']['result']['addressLabels'][number];
export type Tag = Queries['list_user_tags']['result']['userTags'][number];
export type Configs = Queries['get_organization_configs']['result']['configs'];
type SessionProfile = Queries['get_session_profiles']['result']['sessionProfiles'][number];
export type ServiceHealth = Queries['get_service_health']['result'];
export type Explanation = Queries['explain_activity']['result'];

/** Reads the signed-in user with the user's credentials. */
export function useMe(): Read<User> {
  const { client, userId } = useSession();
  return useRead(['user', userId], async (signal) => {
    const { user } = await client.query('get_user', { userId }, { signal });
    return user;
  });
}

/** Reads all users of the organization, sorted by name. */
export function useUsers(): Read<readonly User[]> {
  const { client } = useSession();
  return useRead(['users'], async (signal) => {
    const { users } = await client.query('list_users', {}, { signal });
    return users.toSorted((a, b) => a.userName.localeCompare(b.userName, locale));
  });
}

export function useUserTags(): Read<readonly Tag[]> {
  const { client } = useSession();
  return useRead(['user tags'], async (signal) => {
    const { userTags } = await client.query('list_user_tags', {}, { signal });
    return userTags;
  });
}

/** Reads the root quorum and the features of the organization. */
export function useConfigs(): Read<Configs> {
  const { client } = useSession();
  return useRead(['configs'], async (signal) => {
    const { configs } = await client.query('get_organization_configs', {}, { signal });
    return configs;
  });
}

export function useWallets(): Read<readonly Wallet[]> {
  const { client } = useSession();
  return useRead(['wallets'], async (signal) => {
    const { wallets } = await client.query('list_wallets', {}, { signal });
    return wallets.toReversed();
  });
}

export function usePolicies(): Read<readonly Policy[]> {
  const { client } = useSession();
  return useRead(['policies'], async (signal) => {
    const { policies } = await client.query('list_policies', {}, { signal });
    return policies.toReversed();
  });
}

export function useAddressLabels(): Read<readonly AddressLabel[]> {
  const { client } = useSession();
  return useRead(['address labels'], async (signal) => {
    const { addressLabels } = await client.query('list_address_labels', {}, { signal });
    return addressLabels;
  });
}

export function usePrivateKeys(): Read<readonly PrivateKey[]> {
  const { client } = useSession();
  return useRead(['private keys'], async (signal) => {
    const { privateKeys } = await client.query('list_private_keys', {}, { signal });
    return privateKeys.toReversed();
  });
}

export function useSessionProfiles(): Read<readonly SessionProfile[]> {
  const { client } = useSession();
  return useRead(['session profiles'], async (signal) => {
    const { sessionProfiles } = await client.query('get_session_profiles', {}, { signal });
    return sessionProfiles;
  });
}

export const waitingStatuses = [
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
] as const;

const inboxSize = 100;

/** Reads the waiting activities that the signed-in user can vote on, newest first. */
function useVotable(): Read<readonly Activity[]> {
  const { client } = useSession();
  return useRead(['inbox'], async (signal) => {
    const { activities } = await client.query(
      'list_activities',
      {
        filterByStatus: waitingStatuses,
        paginationOptions: { limit: String(inboxSize) },
      },
      { signal },
    );
    return activities.filter(({ canApprove, canReject }) => canApprove || canReject);
  });
}

/** Reads the activities that wait for the vote of the signed-in user, newest first. */
export function useInbox(): Reading<readonly Activity[]> {
  const { userId } = useSession();
  const { data, ...read } = useVotable();
  return { ...read, data: data?.filter((activity) => needsVoteOf(userId, activity)) };
}

/** Reads the waiting activities, grouped by need: the vote of the signed-in user, or votes of others. */
export function useWaiting(): Reading<{
  readonly own: readonly Activity[];
  readonly others: readonly Activity[];
}> {
  const { userId } = useSession();
  const { data, ...read } = useVotable();
  const { own = [], others = [] } = Object.groupBy(data ?? [], (activity) =>
    needsVoteOf(userId, activity) ? 'own' : 'others',
  );
  return { ...read, data: data && { own, others } };
}

/** Returns false for users who have already approved, by the request or by a vote. */
function needsVoteOf(me: string, { canApprove, votes }: Activity): boolean {
  const hasVoted = votes.some(
    ({ userId, selection }) => userId === me && selection === 'VOTE_SELECTION_APPROVED',
  );
  return canApprove && !hasVoted;
}
