// Reports the outcome of mails to the enclave, one after the other and in the background. A failed report is
// logged, and delays no mail.

import { ServiceError } from '../../core/errors/errors.ts';
import type { Log } from '../observability/log.ts';
import type { EmailReport } from './delivery.ts';
import type { After } from './sending_queue.ts';

/** Limits of the reports. */
export const emailReportLimits = {
  /** Maximum waiting reports; further ones are dropped. */
  waiting: 1_000,
  attempts: 3,
  /** Pause between two attempts, in which an enclave restarts. */
  pauseMs: 1_000,
} as const;

export type EmailReportPorts = {
  /** Resolves when the report is stored. */
  readonly submit: (report: EmailReport) => Promise<unknown>;
  readonly log: Log;
  readonly after: After;
};

type EmailReports = {
  /** Queues a report, and returns immediately. */
  add(report: EmailReport): void;
  /** Accepts no more reports, and drops the waiting ones. */
  stop(): void;
};

/** Creates the queue of reports before their receiver is ready. */
export function createEmailReports({ submit, log, after }: EmailReportPorts): EmailReports {
  const waiting: EmailReport[] = [];
  let isSubmitting = false;
  let isStopped = false;
  let cancelPause = () => {
    // Replaced by the cancellation of a pause.
  };

  async function submitAll(): Promise<void> {
    isSubmitting = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await submitOne(next);
    }
    isSubmitting = false;
  }

  async function submitOne(report: EmailReport): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await submit(report);
        return;
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : 'internal';
        const mayPass = code === 'enclave_unavailable' && attempt < emailReportLimits.attempts;
        if (!mayPass || isStopped) {
          lost(report, code);
          return;
        }
        await paused();
      }
    }
  }

  function paused(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = after(emailReportLimits.pauseMs, resolve);
    cancelPause = () => {
      cancel();
      resolve();
    };
    return promise;
  }

  function lost({ organizationId, messageId, eventType }: EmailReport, reason: string): void {
    const fields = { organizationId, messageId, eventType, reason };
    log('warn', 'could not store the outcome of a mail', fields);
  }

  return {
    add: (report) => {
      if (isStopped || waiting.length >= emailReportLimits.waiting) {
        lost(report, isStopped ? 'stopping' : 'too many reports wait');
        return;
      }
      waiting.push(report);
      if (!isSubmitting) void submitAll();
    },
    stop: () => {
      isStopped = true;
      for (const report of waiting.splice(0)) lost(report, 'stopping');
      cancelPause();
    },
  };
}
