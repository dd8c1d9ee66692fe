// The store port on PostgreSQL, which several nodes share. Commits wait in one queue and use one
// connection; reads use others, so that neither waits for the other.

import { assert, fail, ServiceError } from '../core/errors/errors.ts';
import { activityKey } from './batch.ts';
import type { CommitResult } from './commit_queue.ts';
import { createCommitQueue } from './commit_queue.ts';
import { newsMarks } from './news.ts';
import { outboxSteps } from './outbox.ts';
import type { OrganizationAnswer, OrganizationRequest, StoreChange } from './port.ts';
import { addActivities, additionsOf } from './postgres_additions.ts';
import { DatabaseError } from './postgres_errors.ts';
import { createPostgresHealth } from './postgres_health.ts';
import { plain, statementOfStep, versionAndActivity } from './postgres_queries.ts';
import type { Session } from './postgres_session.ts';
import { createPool } from './postgres_session.ts';
import { writeBatch } from './postgres_writes.ts';
import { reads } from './reads.ts';
import type { Row } from './rows.ts';
import { activityOfRow, integerOf } from './rows.ts';
import type { Step, Steps } from './steps.ts';
import { awaitSteps, runSteps } from './steps.ts';
import type { Store, StoreLog } from './store.ts';
import { ChangeAtFault } from './store.ts';
import { UnusableDataError } from './unusable_data_error.ts';

const readConnections = 8;
const outboxConnections = 2;
const maximumAttempts = 10;

const beginSnapshot = plain('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
const endSnapshot = plain('COMMIT');
const begin = plain('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
const commit = plain('COMMIT');

/**
 * A store on a database whose tables are there. When the database cannot be reached, reads and
 * commits are refused with `store_unavailable`; the same goes for a commit whose outcome is not known,
 * which the sender finds out by sending the same request again. It recovers by itself.
 */
export function createPostgresStore({
  url,
  log,
  clock,
}: {
  readonly url: string;
  readonly log: StoreLog;
  readonly clock: () => number;
}): Store {
  const health = createPostgresHealth({ log, clock });
  const { use, refuseInDoubt, lost } = health;
  const readPool = createPool({ url, connections: readConnections, lost });
  const writePool = createPool({ url, connections: 1, lost });
  const outboxPool = createPool({ url, connections: outboxConnections, lost });
  const queue = createCommitQueue(writeChanges);
  const stopLooking = health.lookAfter(readPool);
  let closing: Promise<void> | undefined;

  async function writeChanges(changes: readonly StoreChange[]): Promise<readonly CommitResult[]> {
    const additions = additionsOf(changes);
    if (additions === undefined) return writeLong(changes);
    let added: ReadonlySet<string>;
    const confirmed = health.begin();
    try {
      refuseInDoubt();
      added = await use(writePool, (session) => addActivities(session, additions));
      if (added.size > 0) confirmed();
    } catch (error) {
      // Nothing of it was committed: the long way finds whose fault that is.
      if (isRolledBack(error)) return writeLong(changes);
      return changes.map(() => ({ error: refusalOf(error) }));
    }
    const isAdded = additions.map(({ activity }) => added.has(activityKey(activity)));
    const refused = await writeLong(changes.filter((_, i) => !isAdded[i]));
    const rest = refused.values();
    return isAdded.map((isCommitted): CommitResult => {
      if (isCommitted) return { outcome: 'committed' };
      const result = rest.next().value;
      assert(result !== undefined, 'each change of a batch has a result');
      return result;
    });
  }

  async function writeLong(changes: readonly StoreChange[]): Promise<readonly CommitResult[]> {
    if (changes.length === 0) return [];
    for (let attempt = 1; ; attempt += 1) {
      try {
        refuseInDoubt();
        const confirmed = health.begin();
        const results = await use(writePool, (session) => writeBatch(session, changes));
        if (results.some(isCommitted)) confirmed();
        return results;
      } catch (error) {
        const kind = kindOf(error);
        if (kind === 'raced' && attempt < maximumAttempts) continue;
        if (kind !== 'change') return changes.map(() => ({ error: refusalOf(error) }));
        if (changes.length === 1) return [{ error: new ChangeAtFault(error) }];
        // Alone, each change shows whether the fault is its own.
        const results: CommitResult[] = [];
        for (const change of changes) results.push(...(await writeLong([change])));
        return results;
      }
    }
  }

  async function read<Result>(run: (session: Session) => Promise<Result>): Promise<Result> {
    if (closing !== undefined) fail('draining');
    try {
      refuseInDoubt();
      const result = await use(readPool, run);
      // What was read may be what was not confirmed meanwhile.
      refuseInDoubt();
      return result;
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** One transaction over what waits to be delivered; raced ones are tried again. */
  const onOutbox = async <Result>(steps: () => Steps<Result>): Promise<Result> => {
    if (closing !== undefined) fail('draining');
    for (let attempt = 1; ; attempt += 1) {
      try {
        refuseInDoubt();
        return await use(outboxPool, async (session) => {
          await session.all([begin]);
          const result = await awaitSteps(steps(), (asked) => rowsOf(session, asked));
          await session.all([commit]);
          return result;
        });
      } catch (error) {
        if (kindOf(error) !== 'raced' || attempt === maximumAttempts) throw refusalOf(error);
      }
    }
  };

  /** One query, which is a snapshot by itself. */
  const readOne = <Result>(steps: Steps<Result>): Promise<Result> =>
    read((session) => awaitSteps(steps, (asked) => rowsOf(session, asked)));

  const readSnapshot = <Result>(steps: Steps<Result>): Promise<Result> =>
    read(async (session) => {
      await session.all([beginSnapshot]);
      const result = await awaitSteps(steps, (asked) => rowsOf(session, asked));
      await session.all([endSnapshot]);
      return result;
    });

  async function drainAndClose(): Promise<void> {
    stopLooking();
    await queue.idle();
    await Promise.all([readPool, writePool, outboxPool].map((pool) => pool.close()));
  }

  return {
    port: {
      deployment: () => readOne(reads.deployment()),
      organization: (request) =>
        read(
          async (session) =>
            (await unchangedOrganization(session, request)) ?? wholeOrganization(session, request),
        ),
      children: (request) => readOne(reads.children(request)),
      records: (request) => readOne(reads.records(request)),
      recordPage: (request) => readOne(reads.recordPage(request)),
      lookup: (request) => readOne(reads.lookup(request)),
      lookups: (request) => readOne(reads.lookups(request)),
      activity: (request) => readOne(reads.activity(request)),
      activityPage: (request) => readSnapshot(reads.activityPage(request)),
      deliveryPage: (request) => readSnapshot(reads.deliveryPage(request)),
      commit: async (change) => {
        if (closing !== undefined) fail('draining');
        return queue.submit(change);
      },
    },
    outbox: {
      claim: (request) => onOutbox(() => outboxSteps.claim(request)),
      next: (request) => readOne(outboxSteps.next(request)),
      settle: (request) => onOutbox(() => outboxSteps.settle(request)),
      pause: (request) => onOutbox(() => outboxSteps.pause(request)),
      release: (request) => onOutbox(() => outboxSteps.release(request)),
      drop: (request) => onOutbox(() => outboxSteps.drop(request)),
      forget: (request) => onOutbox(() => outboxSteps.forget(request)),
    },
    news: { marks: (topics) => readOne(newsMarks(topics)) },
    close: () => {
      closing ??= drainAndClose();
      return closing;
    },
    healthy: health.healthy,
  };
}

/** The answer in one round trip, where the caller holds the newest version or there is none. */
async function unchangedOrganization(
  session: Session,
  { organizationId, knownVersion, fingerprint }: OrganizationRequest,
): Promise<OrganizationAnswer | undefined> {
  if (knownVersion === 0) return undefined;
  const statement = versionAndActivity(
    organizationId,
    fingerprint?.bucket ?? null,
    fingerprint?.fingerprint ?? null,
  );
  const [[row] = []] = await session.all([statement]);
  const version = row?.['current_version'] ?? undefined;
  if (row === undefined || (version !== undefined && version !== knownVersion)) return undefined;
  return {
    version: version === undefined ? undefined : integerOf(version),
    organization: undefined,
    records: [],
    activity: row['id'] === null ? undefined : activityOfRow(row),
  };
}

/** Also in one round trip: all that the steps of the read may ask, and then the steps. */
async function wholeOrganization(
  session: Session,
  request: OrganizationRequest,
): Promise<OrganizationAnswer> {
  const { organizationId, kinds, fingerprint: asked } = request;
  const ofFingerprint = asked && [asked.bucket, asked.fingerprint, organizationId];
  const steps: readonly Step[] = [
    { query: 'organization', values: [organizationId] },
    { query: 'recordsOfKind', values: [organizationId], each: [...new Set(kinds)] },
    ...(ofFingerprint === undefined
      ? []
      : [{ query: 'activityOfFingerprint', values: ofFingerprint } as const]),
  ];
  const [, ...answers] = await session.all([
    beginSnapshot,
    ...steps.map(statementOfStep),
    endSnapshot,
  ]);
  const rowsOfQuery = new Map(steps.map(({ query }, i) => [query, answers[i]]));
  return runSteps(reads.organization(request), ({ query }) => {
    const rows = rowsOfQuery.get(query);
    assert(rows !== undefined, 'what is asked of an organization was asked before');
    return rows;
  });
}

async function rowsOf(session: Session, steps: readonly Step[]): Promise<readonly Row[]> {
  return (await session.all(steps.map(statementOfStep))).flat();
}

/** An error that is none of the database's is a fault of the change that was being written. */
function kindOf(error: unknown): DatabaseError['kind'] {
  if (error instanceof DatabaseError) return error.kind;
  return error instanceof ServiceError || error instanceof UnusableDataError
    ? 'unavailable'
    : 'change';
}

const isCommitted = (result: CommitResult): boolean =>
  'outcome' in result && result.outcome === 'committed';

/** Whether an error says for certain that nothing was committed. */
function isRolledBack(error: unknown): boolean {
  const kind = kindOf(error);
  return kind === 'raced' || kind === 'change';
}

/** What the caller is told; anything about the database stays here. */
function refusalOf(error: unknown): unknown {
  return error instanceof DatabaseError || error instanceof UnusableDataError
    ? new ServiceError('store_unavailable')
    : error;
}
