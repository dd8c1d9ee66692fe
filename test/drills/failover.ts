// Drill: a primary fails under load, and its synchronous standby takes over.

import { readFileSync } from 'node:fs';
import { startService, temporaryDirectory, until } from '../e2e/service.ts';
import { runOn } from '../store/postgres_server.ts';
import { type PostgresPair, startPostgresPair } from './postgres_pair.ts';
import { outcomesOf, type Sent, signersOf } from './signing_load.ts';

export type Loss = 'kill -9' | 'kill -STOP';

export type Failover = {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  /** Acknowledged signatures that the new primary does not have. */
  readonly lost: number;
  /** Milliseconds from the loss to the end of the promotion. */
  readonly promotionMs: number;
  /** Milliseconds from the loss to the first signature after it. */
  readonly outageMs: number;
  /** Maximum time of a client without an answer. */
  readonly longestMs: number;
  /** Open sessions with the lost primary while the node already used the new one. */
  readonly sessionsLeft: number;
  /** Milliseconds from the loss until the readiness check failed. */
  readonly notReadyMs: number;
};

const clients = 16;

/** Stops the primary under load, and promotes the standby. */
export async function failOver({
  loss,
  signatures,
  promoteAfterMs,
  startPair = startPostgresPair,
  restMs = 0,
}: {
  readonly loss: Loss;
  readonly signatures: number;
  readonly promoteAfterMs: number;
  readonly startPair?: () => Promise<PostgresPair>;
  /** Pause of each client after an answer. */
  readonly restMs?: number;
}): Promise<Failover> {
  const pair = await startPair();
  try {
    const service = await startService({
      dataDirectory: temporaryDirectory(),
      environment: { KEYWRIGHT_DATABASE_URL: pair.databaseUrl, KEYWRIGHT_LOG_LEVEL: 'warn' },
    });
    const load = (await signersOf(service))(service.baseUrl, clients, restMs);
    const isReady = async () => (await fetch(`${service.baseUrl}/health/ready`)).ok;
    const acknowledgedSince = (ms: number): Sent | undefined =>
      load.sent.find(
        ({ outcome, endedAtMs, durationMs }) => outcome === 200 && endedAtMs - durationMs > ms,
      );
    await until('there are signatures', () => acknowledged(load.sent).length >= signatures);

    pair.signalPrimary(loss === 'kill -9' ? 'SIGKILL' : 'SIGSTOP');
    const lostAtMs = performance.now();
    const seen = until('it is not ready', async () => !(await isReady())).then(() =>
      performance.now(),
    );
    await new Promise((resolve) => setTimeout(resolve, promoteAfterMs));
    await pair.promote();
    const promotedAtMs = performance.now();
    await until('there is a signature again', () => acknowledgedSince(lostAtMs) !== undefined);
    await until('it is ready again', isReady);
    const outageMs = (acknowledgedSince(lostAtMs)?.endedAtMs ?? Number.NaN) - lostAtMs;
    const enough = load.sent.length + signatures;
    await until('there are more', () => load.sent.length >= enough);
    await load.stop();
    const sessionsLeft = sessionsWith(pair.primary.url);
    // A paused primary must not serve when it continues.
    if (loss === 'kill -STOP') pair.signalPrimary('SIGKILL');
    const lost = await missingIn(withDatabaseOf(pair.standby.url, pair.databaseUrl), load.sent);
    const notReadyMs = (await seen) - lostAtMs;
    await service.stop();
    return {
      outcomes: outcomesOf(load.sent),
      acknowledged: acknowledged(load.sent).length,
      lost,
      promotionMs: promotedAtMs - lostAtMs,
      outageMs,
      longestMs: Math.max(...load.sent.map(({ durationMs }) => durationMs)),
      notReadyMs,
      sessionsLeft,
    };
  } finally {
    await pair.remove();
  }
}

/** Counts the connections of this machine to a server, from the list of Linux. */
function sessionsWith(serverUrl: string): number {
  const port = Number(new URL(serverUrl).port).toString(16).toUpperCase().padStart(4, '0');
  const isOpenTo = (line: string): boolean => {
    const [, , remote = '', state] = line.trim().split(/\s+/);
    return remote.endsWith(`:${port}`) && state === established;
  };
  return readFileSync('/proc/net/tcp', 'utf8').split('\n').filter(isOpenTo).length;
}

const established = '01';

const acknowledged = (sent: readonly Sent[]): readonly Sent[] =>
  sent.filter(({ outcome }) => outcome === 200);

const withDatabaseOf = (server: string, database: string): string =>
  server.replace(/[^/]*$/, database.split('/').at(-1) ?? '');

/** Counts the acknowledged activities that a database does not have. */
export async function missingIn(url: string, sent: readonly Sent[]): Promise<number> {
  const ids = acknowledged(sent).map(({ activityId }) => `('${activityId}')`);
  const [row] = await runOn(
    url,
    `SELECT count(*)::int AS missing FROM (VALUES ${ids.join(',')}) AS acknowledged (id)
     WHERE NOT EXISTS (SELECT FROM activities WHERE activities.id = acknowledged.id)`,
  );
  return Number(row?.['missing']);
}
