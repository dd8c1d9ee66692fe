// The queue of one carrier: messages in progress, and messages that wait for a place or for their next
// attempt.

import { CarrierError } from './carrier.ts';
import { createWaitingMessages, type WaitingMessage } from './waiting_messages.ts';

/** Limits of each queue. */
export const sendingLimits = {
  /** Maximum messages that wait for a place or for their next attempt. */
  waiting: 1_000,
  /** Maximum messages with the carrier at one time. */
  underWay: 4,
  attemptTimeoutMs: 30_000,
  /** Pauses before the second attempt, and before the third and last one. */
  pausesMs: [1_000, 10_000],
} as const;

/** Runs a function once after a delay. Returns a function that cancels it. */
export type After = (delayMs: number, run: () => void) => () => void;

export type SendingJob = WaitingMessage & {
  readonly send: (signal: AbortSignal) => Promise<void>;
  attempts: number;
};

export type SendingOutcome = 'sent' | 'failed' | 'dropped';

/** Why a message was not sent; undefined if it was. */
type SendingFailure = { readonly reason: string; readonly isPermanent?: boolean };

export type SendingQueuePorts<Job> = {
  readonly after: After;
  /** Called once for each job. */
  readonly end: (job: Job, outcome: SendingOutcome, failure?: SendingFailure) => void;
  /** Called for each failed attempt that is followed by another. */
  readonly delayed: (
    job: Job,
    failure: { readonly reason: string; readonly isPermanent: boolean; readonly pauseMs: number },
  ) => void;
};

export type SendingQueue<Job> = {
  /** Queues a job, and returns immediately. */
  add(job: Job): void;
  /**
   * Accepts no more messages. Waiting messages get their last attempt now. Attempts that take longer than the
   * given time are dropped.
   */
  stop(timeoutMs: number): Promise<void>;
};

/** Creates an idle queue. */
export function createSendingQueue<Job extends SendingJob>({
  after,
  end,
  delayed,
}: SendingQueuePorts<Job>): SendingQueue<Job> {
  const waiting = createWaitingMessages<Job>(after);
  const underWay = new Set<AbortController>();
  let stopping: PromiseWithResolvers<void> | undefined;

  function start(): void {
    while (underWay.size < sendingLimits.underWay) {
      const job = waiting.takeReady();
      if (job === undefined) break;
      void attempt(job);
    }
    if (waiting.count() > sendingLimits.waiting) {
      const oldest = waiting.takeOldest();
      if (oldest !== undefined) end(oldest, 'dropped', { reason: 'too many messages wait' });
    }
    if (underWay.size === 0) stopping?.resolve();
  }

  async function attempt(job: Job): Promise<void> {
    job.attempts += 1;
    const controller = new AbortController();
    underWay.add(controller);
    const cancel = after(sendingLimits.attemptTimeoutMs, () => controller.abort());
    try {
      await unlessAborted(job.send(controller.signal), controller.signal);
      end(job, 'sent');
    } catch (error) {
      retryOrEnd(job, error instanceof CarrierError ? error : unexpected(error));
    } finally {
      cancel();
      underWay.delete(controller);
      start();
    }
  }

  function retryOrEnd(job: Job, { reason, isPermanent }: CarrierError): void {
    const pauseMs = sendingLimits.pausesMs[job.attempts - 1];
    if (pauseMs === undefined || isPermanent || stopping !== undefined) {
      end(job, 'failed', { reason, isPermanent });
      return;
    }
    delayed(job, { reason, isPermanent, pauseMs });
    waiting.pause(job, pauseMs, start);
  }

  return {
    add: (job) => {
      if (stopping !== undefined) {
        end(job, 'dropped', { reason: 'stopping' });
        return;
      }
      waiting.add(job);
      start();
    },
    stop: async (timeoutMs) => {
      if (stopping !== undefined) return stopping.promise;
      stopping = Promise.withResolvers();
      waiting.endPauses();
      start();
      const cancel = after(timeoutMs, () => {
        for (const job of waiting.takeAllReady()) end(job, 'dropped', { reason: 'stopping' });
        for (const controller of underWay) controller.abort();
      });
      await stopping.promise;
      cancel();
    },
  };
}

/** Releases the place of a carrier that ignores its signal. */
async function unlessAborted(sending: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(new CarrierError('timeout', false)), {
    once: true,
  });
  await Promise.race([sending, aborted.promise]);
}

/** Drops the message of an unknown error, which may quote what was sent. */
function unexpected(error: unknown): CarrierError {
  return new CarrierError(`unexpected ${error instanceof Error ? error.name : 'error'}`, false);
}
