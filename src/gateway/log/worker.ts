// Appends committed activities to the log: reads the waiting rows, has the enclave append and sign, stores
// the checkpoint outside of the database, and deletes the rows. Each step can be repeated, because the
// enclave does not append an activity twice.

import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { LogQueue } from '../../store/reads/waiting_for_log.ts';
import { backoffMs } from '../base/pause.ts';
import type { Log } from '../observability/log.ts';

/** Maximum activities in one batch, equal to the enclave's limit. */
const logBatch = 512;
/** Delay between a commit and its batch, so that one batch has several activities. */
const logGatheringMs = 400;
/** Interval of the search for rows that other nodes left. */
const logPollMs = 1_000;
/** Delay after another node appended first. */
const lostMs = 100;
const firstRetryMs = 200;
const lastRetryMs = 30_000;
/** Minimum interval between two log lines about the same problem. */
const complainEveryMs = 60_000;

type LogWorkerOptions = {
  readonly queue: LogQueue;
  append(
    request: RequestOf<EnclaveMessages['appendLog']>,
  ): Promise<AnswerOf<EnclaveMessages['appendLog']>>;
  /** Stores a checkpoint outside of the database. */
  anchor(note: string): void;
  /** A monotonic clock, in milliseconds. */
  now(): number;
  /** Runs a function after a delay. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void;
  readonly log: Log;
};

type LogWorker = {
  /** Reports that rows may wait. */
  wake(): void;
  stop(): Promise<void>;
};

/** Starts the worker, which runs until `stop`. */
export function startLogWorker(options: LogWorkerOptions): LogWorker {
  const { queue, now, log } = options;
  let isStopping = false;
  let working: Promise<void> | undefined;
  let isSoon = false;
  let wasWoken = false;
  let cancelNext = (): void => undefined;
  let failures = 0;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  let anchored = '';

  function next(delayMs: number): void {
    cancelNext();
    if (isStopping) return;
    isSoon = delayMs <= logGatheringMs;
    cancelNext = options.after(delayMs, () => {
      working = turn().finally(() => {
        working = undefined;
      });
    });
  }

  async function turn(): Promise<void> {
    wasWoken = false;
    try {
      const outcome = await appendSome();
      if (failures > 0) log('info', 'the log is appended to again', {});
      failures = 0;
      if (outcome === 'lost') next(lostMs);
      else if (outcome === 'full') next(0);
      else next(wasWoken ? logGatheringMs : logPollMs);
    } catch (error) {
      failures += 1;
      complain(error);
      next(backoffMs(failures, firstRetryMs, lastRetryMs));
    }
  }

  async function appendSome(): Promise<'lost' | 'full' | 'done'> {
    const waiting = await queue.next({ limit: logBatch });
    if (waiting.length === 0) return 'done';
    const { isLost, note } = await options.append({ waiting: [...waiting] });
    if (isLost) return 'lost';
    if (note !== '' && note !== anchored) options.anchor(note);
    anchored = note;
    await queue.done(waiting);
    return waiting.length === logBatch ? 'full' : 'done';
  }

  function complain(error: unknown): void {
    if (failures > 1 && now() - saidAtMs < complainEveryMs) return;
    saidAtMs = now();
    const reason = error instanceof Error ? error.message : String(error);
    log('error', 'the log cannot be appended to', { reason, failures });
  }

  next(0);
  return {
    wake: () => {
      wasWoken = true;
      if (!isSoon && working === undefined && failures === 0) next(logGatheringMs);
    },
    stop: async () => {
      cancelNext();
      await working;
      isStopping = true;
      cancelNext();
      // The last commits are appended before the enclave ends.
      if (failures === 0) await appendSome().catch(complain);
    },
  };
}
