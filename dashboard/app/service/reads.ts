// Reads that several screens share. Screens that use the same name share one request.

import type { QueryName } from '../../../src/client/connect.ts';
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

type Query = <N extends QueryName>(
  name: N,
  parameters: Queries[N]['parameters'],
  options: { readonly signal: AbortSignal },
) => Promise<Queries[N]['result']>;

/** Follows a query under a name that includes its parameters; `select` returns the data from its answer. */
export function useQuery<N extends QueryName, T>(
  key: readonly unknown[],
  name: N,
  select: (answer: Queries[N]['result']) => T,
  parameters: Queries[N]['parameters'] = {},
): Read<T> {
  const { client } = useSession();
  return useRead(key, async (signal) =>
    select(await (client.query as Query)(name, parameters, { signal })),
  );
}

/** Reads the signed-in user with the user's credentials. */
export function useMe(): Read<User> {
  const { userId } = useSession();
  return useQuery(['user', userId], 'get_user', ({ user }) => user, { userId });
}

/** Reads all users of the organization, sorted by name. */
export function useUsers(): Read<readonly User[]> {
  return useQuery(['users'], 'list_users', ({ users }) =>
    users.toSorted((a, b) => a.userName.localeCompare(b.userName, locale)),
  );
}

export function useUserTags(): Read<readonly Tag[]> {
  return useQuery(['user tags'], 'list_user_tags', ({ userTags }) => userTags);
}

/** Reads the root quorum and the features of the organization. */
export function useConfigs(): Read<Configs> {
  return useQuery(['configs'], 'get_organization_configs', ({ configs }) => configs);
}

export function useWallets(): Read<readonly Wallet[]> {
  return useQuery(['wallets'], 'list_wallets', ({ wallets }) => wallets.toReversed());
}

export function usePolicies(): Read<readonly Policy[]> {
  return useQuery(['policies'], 'list_policies', ({ policies }) => policies.toReversed());
}

export function useAddressLabels(): Read<readonly AddressLabel[]> {
  return useQuery(['address labels'], 'list_address_labels', ({ addressLabels }) => addressLabels);
}

export function usePrivateKeys(): Read<readonly PrivateKey[]> {
  return useQuery(['private keys'], 'list_private_keys', ({ privateKeys }) =>
    privateKeys.toReversed(),
  );
}

export function useSessionProfiles(): Read<readonly SessionProfile[]> {
  return useQuery(
    ['session profiles'],
    'get_session_profiles',
    ({ sessionProfiles }) => sessionProfiles,
  );
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
