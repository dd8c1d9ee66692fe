// Moves of wallets and private keys under way. The source exports to the key of an import target of the
// destination, so that no plain key reaches this machine. The activities of both services are the only
// record of a move: a new run finds them and continues.

import type { Client, SubmitName } from '../../client/connect.ts';
import type { Activity } from '../../client/generated/operations.ts';
import { RequestFailed } from '../../client/index.ts';

export type KeyKind = 'wallet' | 'private key';

/** A free import target of the destination. */
type ImportTarget = { readonly key: string };

/** The state of a move. `bundle`: the value of `encryptedBundle` for the import. */
export type Transfer =
  | { readonly step: 'export waits' | 'import waits'; readonly note: string }
  | { readonly step: 'export rejected'; readonly note: string }
  | { readonly step: 'exported'; readonly bundle: string };

export type Transfers = {
  /** The user who imports. */
  readonly userId: string;
  /** Moves under way, by the id of the wallet or private key in the source. */
  readonly bySource: ReadonlyMap<string, Transfer>;
  /** Targets that no export names yet, oldest first. */
  readonly free: Readonly<Record<KeyKind, readonly ImportTarget[]>>;
};

/**
 * Maximum concurrent moves of a kind. A user of the destination has at most ten targets of a kind, and a
 * newer one replaces the oldest.
 */
export const maximumWaiting = 8;

/** Targets live for two days. The margin covers the time between this check and the import. */
const targetLifeMs = (2 * 24 - 1) * 60 * 60 * 1000;

type Operations = {
  readonly begin: 'init_import_wallet' | 'init_import_private_key';
  readonly export: SubmitName & `export_${string}`;
  readonly import: SubmitName & `import_${string}`;
};

export const operationsOf: Readonly<Record<KeyKind, Operations>> = {
  wallet: { begin: 'init_import_wallet', export: 'export_wallet', import: 'import_wallet' },
  'private key': {
    begin: 'init_import_private_key',
    export: 'export_private_key',
    import: 'import_private_key',
  },
};

const kinds: readonly KeyKind[] = ['wallet', 'private key'];

/** Reads the moves under way between two organizations. Throws the errors of the clients, and `Untrusted`. */
export async function readTransfers(source: Client, target: Client): Promise<Transfers> {
  const { userId } = await target.query('whoami');
  const [imports, exports] = await Promise.all([
    recentActivities(target, ['begin', 'import']),
    recentActivities(source, ['export']),
  ]);
  const used = importsBySealedKey(imports);
  const bySource = new Map<string, Transfer>();
  const free: Record<KeyKind, ImportTarget[]> = { wallet: [], 'private key': [] };
  for (const kind of kinds) {
    const begun = ofOperation(imports, operationsOf[kind].begin);
    const keys = new Set<string>();
    for (const activity of begun) {
      const key = await targetKeyOf(activity, target, userId);
      if (key !== undefined) keys.add(key);
    }
    const named = new Set<string>();
    for (const activity of ofOperation(exports, operationsOf[kind].export)) {
      const { walletId, privateKeyId, targetPublicKey } = memberOf(activity.intent);
      const key = String(targetPublicKey).toLowerCase();
      const sourceId = String(walletId ?? privateKeyId);
      if (!keys.has(key)) continue;
      named.add(key);
      // Newest first: an earlier export of the same key is superseded.
      if (bySource.has(sourceId)) continue;
      const transfer = await transferOf(activity, used, { source, target });
      if (transfer !== undefined) bySource.set(sourceId, transfer);
    }
    free[kind] = [...keys].filter((key) => !named.has(key)).map((key) => ({ key }));
    free[kind].reverse();
  }
  return { userId, bySource, free };
}

type Sides = { readonly source: Client; readonly target: Client };

/** Returns the state of an export; undefined if its target is used up or the export failed. */
async function transferOf(
  activity: Activity,
  used: ReadonlyMap<string, Activity>,
  { source, target }: Sides,
): Promise<Transfer | undefined> {
  if (activity.status === 'ACTIVITY_STATUS_REJECTED') {
    return { step: 'export rejected', note: `votes rejected the export ${activity.id}` };
  }
  if (activity.status === 'ACTIVITY_STATUS_FAILED') return undefined;
  if (activity.status !== 'ACTIVITY_STATUS_COMPLETED') {
    return { step: 'export waits', note: `the export ${await waitsFor(activity, source)}` };
  }
  const { forwardedBundle } = await import('../../client/bundles.ts');
  const bundle = forwardedBundle(String(memberOf(activity.result)['exportBundle']));
  const imported = used.get(bundle);
  if (imported === undefined) return { step: 'exported', bundle };
  if (imported.status === 'ACTIVITY_STATUS_COMPLETED') return undefined;
  return { step: 'import waits', note: `the import ${await waitsFor(imported, target)}` };
}

/** Returns waiting imports, and imports that used up their target, by the sealed bundle. */
function importsBySealedKey(activities: readonly Activity[]): ReadonlyMap<string, Activity> {
  const living = activities.filter(
    ({ status }) => status !== 'ACTIVITY_STATUS_FAILED' && status !== 'ACTIVITY_STATUS_REJECTED',
  );
  return new Map(
    living.flatMap((activity) => {
      const { encryptedBundle } = memberOf(activity.intent);
      return typeof encryptedBundle === 'string' ? [[encryptedBundle, activity] as const] : [];
    }),
  );
}

/** Returns the key of a target of this user that has not expired. */
async function targetKeyOf(
  { result, status }: Activity,
  target: Client,
  userId: string,
): Promise<string | undefined> {
  const { importBundle } = memberOf(result);
  if (status !== 'ACTIVITY_STATUS_COMPLETED' || typeof importBundle !== 'string') return undefined;
  const { importTargetKey } = await import('../../client/bundles.ts');
  const { Untrusted } = await import('../../client/index.ts');
  try {
    return await importTargetKey(target, importBundle, { userId });
  } catch (error) {
    // The target of another user does not count. A target of another key is an error.
    if (error instanceof Untrusted && error.code === 'BUNDLE_INVALID') return undefined;
    throw error;
  }
}

/** Returns a sentence with the users whose approval an activity needs. */
async function waitsFor({ id }: Pick<Activity, 'id'>, client: Client): Promise<string> {
  const names = await votersOf(id, client);
  const whom = names.length === 0 ? '' : ` of ${names.join(' or ')}`;
  return `${id} waits for the approval${whom}`;
}

/**
 * Returns the activities of the destination that wait for votes, by their parameters, with a note. A run does
 * not submit the same creation again.
 */
export async function waitingCreations(target: Client): Promise<ReadonlyMap<string, string>> {
  const filterByStatus = ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] as const;
  const found = new Map<string, string>();
  let looked = 0;
  for await (const activity of target.pages('list_activities', { filterByStatus })) {
    // Activities with equal parameters do not grow the map.
    if (looked === maximumActivities) break;
    looked += 1;
    found.set(parametersKey(memberOf(activity.intent)), await waitsFor(activity, target));
  }
  return found;
}

/** Returns equal texts for equal parameters, in whatever order of members. */
export const parametersKey = (parameters: object): string =>
  JSON.stringify(parameters, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

async function votersOf(activityId: string, client: Client): Promise<readonly string[]> {
  try {
    const { now } = await client.query('explain_activity', { activityId });
    return (now?.voters ?? []).filter(({ canApprove }) => canApprove).map((user) => user.userName);
  } catch (error) {
    // Other services of the family do not explain activities.
    if (error instanceof RequestFailed) return [];
    throw error;
  }
}

/** Returns the activities of these operations in the lifetime of a target, newest first. */
async function recentActivities(
  client: Client,
  names: readonly (keyof Operations)[],
): Promise<readonly Activity[]> {
  const operations = kinds.flatMap((kind) => names.map((name) => operationsOf[kind][name]));
  const filterByType = operations.map(typeOf);
  const found: Activity[] = [];
  for await (const activity of client.pages('list_activities', { filterByType })) {
    if (msOf(activity.createdAt) < client.now() - targetLifeMs) break;
    found.push(activity);
    if (found.length === maximumActivities) break;
  }
  return found;
}

/** Maximum activities to read of one side. */
const maximumActivities = 20_000;

const typeOf = (operation: string): Activity['type'] => `ACTIVITY_TYPE_${operation.toUpperCase()}`;

const ofOperation = (activities: readonly Activity[], operation: string): readonly Activity[] =>
  activities.filter(({ type }) => type === typeOf(operation));

const msOf = (time: string | { readonly seconds: string }): number =>
  typeof time === 'string' ? Date.parse(time) : Number(time.seconds) * 1000;

/** Returns the only member of an intent or a result. */
function memberOf(named: unknown): Readonly<Record<string, unknown>> {
  const [member] = Object.values(Object(named));
  return Object(member);
}
