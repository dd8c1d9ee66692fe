// Delivers decided activities to the destination of the audit trail, in the order of their numbers. Entries
// that the destination has stored are deleted; others are sent again.

import { utf8 } from '../../core/base/bytes.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { AuditStream, SharedDestination } from '../../store/reads/audit_stream.ts';
import type { Clock } from '../base/clock.ts';
import { backoffMs } from '../base/pause.ts';
import type { Log } from '../observability/log.ts';
import { type AuditSink, AuditSinkError } from './sink.ts';

type AuditWorkerOptions = {
  readonly stream: AuditStream;
  readonly sink: AuditSink;
  /** Undefined for a single destination. */
  readonly shared?: SharedDestination | undefined;
  /** Identifies this process among those that share the database. */
  readonly owner: string;
  readonly linesOf: (
    request: RequestOf<EnclaveMessages['auditLines']>,
  ) => Promise<AnswerOf<EnclaveMessages['auditLines']>>;
  /** Milliseconds since 1970, as in leases. */
  readonly now: () => number;
  readonly after: Clock['after'];
  readonly log: Log;
  /** Called with the number of lines that reached the destination. */
  readonly written: (lines: number) => void;
  /** Called for each failed attempt. */
  readonly failed: () => void;
};

export type AuditWorker = {
  /** Signals possible new lines. */
  wake(): void;
  /** Starts no further write, waits for the current one, and releases the stream. */
  stop(): Promise<void>;
};

/** Maximum lines of one write, all in memory. */
const linesTogether = 128;
/** Pause between two writes, so that lines are collected. */
export const gatheringMs = 50;
/** Interval of the search for decisions of other nodes. */
export const auditPollMs = 1_000;
/** Longer than one write. After a crash, the next node waits this long. */
export const auditLeaseMs = 15_000;
const renewBeforeMs = 10_000;
const firstRetryMs = 200;
const lastRetryMs = 30_000;
/** Minimum interval between log lines about the same problem. */
const complainEveryMs = 60_000;

/** Starts the worker, which runs until `stop`. */
export function startAuditWorker(options: AuditWorkerOptions): AuditWorker {
  const { stream, sink, owner, now, shared } = options;
  const complaints = createComplaints(options);
  let isStopping = false;
  let working: Promise<void> | undefined;
  let wasWoken = false;
  let isSoon = false;
  let isRefused = true;
  let cancelNext = (): void => undefined;
  let leasedUntilMs = 0;
  let failures = 0;

  function wake(): void {
    wasWoken = true;
    // The next poll is early enough while another node writes, and after a failure.
    const waits = isSoon || isRefused || failures > 0;
    if (!waits && working === undefined) next(gatheringMs);
  }

  function next(delayMs: number): void {
    cancelNext();
    if (isStopping) return;
    isSoon = delayMs <= gatheringMs;
    cancelNext = options.after(delayMs, () => {
      isSoon = false;
      working = turn().finally(() => {
        working = undefined;
      });
    });
  }

  async function turn(): Promise<void> {
    wasWoken = false;
    try {
      const isFull = (await isLeased()) && (await writeSome());
      if (failures > 0) complaints.end();
      failures = 0;
      if (isFull) next(0);
      else next(wasWoken && !isRefused ? gatheringMs : auditPollMs);
    } catch (error) {
      failures += 1;
      options.failed();
      complaints.add(error, failures);
      next(backoffMs(failures, firstRetryMs, lastRetryMs));
    }
  }

  /** Renews the lease while this process has it, so that one node writes all lines. */
  async function isLeased(): Promise<boolean> {
    const at = now();
    if (leasedUntilMs - at > renewBeforeMs) return true;
    const leaseUntilMs = at + auditLeaseMs;
    const isHeld = await stream.lease({ owner, now: at, leaseUntilMs, shared });
    leasedUntilMs = isHeld ? leaseUntilMs : 0;
    isRefused = !isHeld;
    return isHeld;
  }

  /** Returns true if more lines may wait. */
  async function writeSome(): Promise<boolean> {
    const entries = await stream.next({ limit: linesTogether, shared });
    if (entries.length === 0) return false;
    const { lines } = await options.linesOf({ entries: [...entries] });
    const last = entries[lines.length - 1];
    if (last === undefined) throw new AuditSinkError('an activity has no line in the audit trail');
    await sink.write(Buffer.concat(lines.flatMap((line) => [line, lineEnd])));
    options.written(lines.length);
    // Two transactions, so that the later of two concurrent destinations sees both positions.
    if (shared !== undefined) await stream.reached({ upTo: last.number, shared });
    await stream.delivered({ upTo: last.number, shared });
    return lines.length < entries.length || entries.length === linesTogether;
  }

  next(0);
  return {
    wake,
    stop: async () => {
      isStopping = true;
      cancelNext();
      await working;
      // Lets another node continue immediately. If that fails, the lease expires.
      await stream.release({ owner, shared }).catch(() => undefined);
      sink.close();
    },
  };
}

/** Logs a lasting problem once at its start, then rarely, and once at its end. */
function createComplaints({ log, now, sink }: Pick<AuditWorkerOptions, 'log' | 'now' | 'sink'>) {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return {
    add: (error: unknown, failures: number): void => {
      if (now() - saidAtMs < complainEveryMs) return;
      saidAtMs = now();
      const reason = error instanceof Error ? error.message : String(error);
      log('error', 'the audit trail cannot be written', { to: sink.name, reason, failures });
    },
    end: (): void => {
      saidAtMs = Number.NEGATIVE_INFINITY;
      log('info', 'the audit trail is written again', { to: sink.name });
    },
  };
}

const lineEnd = utf8('\n');
