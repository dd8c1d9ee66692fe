// Warnings that need an action, each with a link to the screen that resolves it.

import { dayText, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { type ServiceWarning, useWarnings } from '../policies/reads.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { together } from '../service/queries.ts';
import { type Configs, type User, useConfigs, useQuery, useUsers } from '../service/reads.ts';
import { expiryMs, isSessionKey } from '../users/credentials.ts';
import { useFailingEndpoints } from '../webhooks/reads.ts';
import { ShortList } from './short_list.tsx';

type Warning = { readonly text: string; readonly href: string };

/** Warnings about policies that allow one user nearly everything without votes. */
const openCodes: ReadonlySet<string> = new Set([
  'EVERYTHING_OPEN_TO_EVERYBODY',
  'EQUALS_ROOT',
  'EXPORT_OPEN_TO_EVERYBODY',
  'SIGNING_OPEN_TO_EVERYBODY',
]);

export function Warnings() {
  const read = together(
    useConfigs(),
    useUsers(),
    useFailingEndpoints(),
    useWarnings(),
    useFreezes(),
  );
  return (
    <ShortList
      title={t('overview.warnings')}
      read={read}
      rowsOf={(data) => warningsOf(...data)}
      none={t('overview.noWarnings')}
      keyOf={({ text }) => text}
      item={({ text, href }) => <a href={hrefOf(href)}>{text}</a>}
    />
  );
}

function warningsOf(
  configs: Configs,
  users: readonly User[],
  failing: readonly string[],
  ofPolicies: readonly ServiceWarning[],
  freezes: Parameters<typeof ofFreezes>[0],
): readonly Warning[] {
  return [
    ...ofFreezes(freezes),
    ...ofQuorum(configs),
    ...withoutPasskey(configs, users),
    ...openPolicies(ofPolicies),
    ...expiring(users),
    ...failing.map((name) => ({
      text: t('overview.warnFailing', { name: shown(name) }),
      href: '/webhooks',
    })),
  ];
}

function useFreezes() {
  return useQuery(['freezes'], 'list_freezes', ({ freezes }) => freezes);
}

function ofFreezes(
  freezes: readonly { readonly createdAt: Parameters<typeof msOf>[0] }[],
): readonly Warning[] {
  const [first] = freezes;
  if (first === undefined) return [];
  const values = { count: freezes.length, day: dayText(msOf(first.createdAt)) };
  return [{ text: t('overview.warnFrozen', values), href: '/api/list_freezes' }];
}

function ofQuorum({ quorum: { threshold, userIds } }: Configs): readonly Warning[] {
  const href = '/settings';
  if (userIds.length === 1) return [{ text: t('overview.warnOneRoot'), href }];
  if (threshold < userIds.length) return [];
  return [{ text: t('overview.warnAll', { count: userIds.length }), href }];
}

/** Warns of root quorum members with an API key that does not expire and no passkey. */
function withoutPasskey({ quorum }: Configs, users: readonly User[]): readonly Warning[] {
  return users
    .filter(({ userId }) => quorum.userIds.includes(userId))
    .filter(({ authenticators }) => authenticators.length === 0)
    .filter(({ apiKeys }) =>
      apiKeys.some((key) => !isSessionKey(key) && expiryMs(key) === undefined),
    )
    .map(({ userId, userName }) => ({
      text: t('overview.warnWeak', { user: shown(userName) }),
      href: `/users/${userId}`,
    }));
}

function openPolicies(warnings: readonly ServiceWarning[]): readonly Warning[] {
  const open = warnings.filter(({ code }) => openCodes.has(code));
  const names = new Map(open.map(({ policyId, policyName }) => [policyId, policyName]));
  return [...names].map(([policyId, name]) => ({
    text: t('overview.warnOpen', { name: shown(name) }),
    href: `/policies/${policyId}`,
  }));
}

/** Lead time of the warning before a key expires, and the maximum number of keys listed. */
const [soonMs, mostExpiring] = [14 * 86_400_000, 10];

/** Returns warnings about keys of all users that expire soon, the earliest first. */
function expiring(users: readonly User[]): readonly Warning[] {
  const now = Date.now();
  return users
    .flatMap(({ userId, userName, apiKeys }) =>
      apiKeys.flatMap((key) => {
        const ends = isSessionKey(key) ? undefined : expiryMs(key);
        const isSoon = ends !== undefined && ends > now && ends < now + soonMs;
        return isSoon ? [{ ends, userId, userName, name: key.apiKeyName }] : [];
      }),
    )
    .sort((a, b) => a.ends - b.ends)
    .slice(0, mostExpiring)
    .map(({ ends, userId, userName, name }) => ({
      text: t('overview.warnExpires', {
        key: shown(name),
        user: shown(userName),
        day: dayText(ends),
      }),
      href: `/users/${userId}`,
    }));
}
