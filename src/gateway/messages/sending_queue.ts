// The places of one carrier: the messages that it is sending, and those that wait for a place or for their
// next attempt.

import { CarrierError } from './carrier.ts';
import { createWaitingMessages, type WaitingMessage } from './waiting_messages.ts';

/** Upper bounds of each queue. */
export const sendingLimits = {
  /** Messages that wait, for a place or for their next attempt. */
  waiting: 1_000,
  /** Messages that are with the carrier at one time. */
  underWay: 4,
  attemptTimeoutMs: 30_000,
  /** Before the second attempt, and before the third, which is the last. */
  pausesMs: [1_000, 10_000],
} as const;

/** Calls back once after a time, unless cancelled by calling what it gives. */
export type After = (delayMs: number, run: () => void) => () => void;

export type SendingJob = WaitingMessage & {
  readonly send: (signal: AbortSignal) => Promise<void>;
  attempts: number;
};

export type SendingOutcome = 'sent' | 'failed' | 'dropped';

/** Why a message was not sent; absent where it was. */
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
  /** Takes a job over, and returns at once. */
  add(job: Job): void;
  /**
   * Accepts no more messages. Those that wait for their next attempt get it now, as their last. Attempts that
   * have not ended after the given time are dropped.
   */
  stop(timeoutMs: number): Promise<void>;
};

/** A queue with nothing to do yet. */
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

/** A carrier that does not listen to its signal must not hold its place for ever. */
async function unlessAborted(sending: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(new CarrierError('timeout', false)), {
    once: true,
  });
  await Promise.race([sending, aborted.promise]);
}

/** Its message may quote what was sent. */
function unexpected(error: unknown): CarrierError {
  return new CarrierError(`unexpected ${error instanceof Error ? error.name : 'error'}`, false);
}
