// Polls whether this replica may sign, so that a node without requests detects a change too. Webhooks and the
// watch of chains start once it may sign.

import type { ErrorCode, ServiceError } from '../../core/errors/errors.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Store } from '../../store/store.ts';
import { isAudited } from '../audit/audited_store.ts';
import type { AuditSink } from '../audit/sink.ts';
import type { AuditWorker } from '../audit/worker.ts';
import { monotonicClock } from '../base/clock.ts';
import { raiseLogAnchor } from '../log/anchor.ts';
import type { WitnessPolicy } from '../log/witness_policy.ts';
import { startLogWorker } from '../log/worker.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../traces/tracing.ts';
import type { WebhookWorker } from '../webhooks/worker.ts';

export type SigningPermissionWatch = {
  /** Returns why requests are not served normally; empty if they are. */
  reasons(): readonly string[];
  /** Signals a possible delivery. */
  wake(): void;
  /** Signals a possible line of the audit trail. */
  wakeAudit(): void;
  stop(): Promise<void>;
};

type Parts = {
  readonly settings: Settings;
  readonly store: Store;
  readonly enclave: Pick<Link<EnclaveMessages>, 'call'>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** The file with the newest checkpoint of the log. */
  readonly logAnchorFile: string;
  readonly witnesses: WitnessPolicy | undefined;
};
type CopyStatus = AnswerOf<EnclaveMessages['copyStatus']>;

const everyMs = 1_000;

/**
 * Watches until `stop`. A failed poll changes nothing, because other code reports the failure. Raises
 * UnusableDataError if the destination of the audit trail cannot be used.
 */
export async function watchSigningPermission(parts: Parts): Promise<SigningPermissionWatch> {
  const { enclave, log } = parts;
  const sinks = await openSinks(parts.settings);
  let current = await enclave.call('copyStatus', undefined);
  let outgoing: Outgoing | undefined;
  let isLooking = false;

  async function take(answer: CopyStatus): Promise<void> {
    current = answer;
    if (answer.state === 'serving') outgoing ??= await startOutgoing(parts, sinks);
  }

  async function look(): Promise<void> {
    const before = current;
    const answer = await enclave.call('copyStatus', undefined);
    const { state, epoch } = answer;
    if (state !== before.state || epoch !== before.epoch) report(log, answer);
    await take(answer);
  }

  if (current.reason !== undefined) report(log, current);
  await take(current);
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(() => {
        // The enclave restarts or the store is unavailable. Other code reports both.
      })
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);
  timer.unref();
  return {
    reasons: () => (current.reason === undefined ? [] : [current.reason]),
    wake: () => outgoing?.wake(),
    wakeAudit: () => outgoing?.wakeAudit(),
    stop: async () => {
      clearInterval(timer);
      await outgoing?.stop();
    },
  };
}

const refusingCodes: ReadonlySet<ErrorCode> = new Set([
  'custody_missing',
  'rule_unknown',
  'anchor_mismatch',
  'log_older_than_anchor',
  'log_differs_from_anchor',
  'log_anchor_unreadable',
  'witnesses_unanswered',
]);

/** Returns why the enclave does not serve, as a sentence; undefined for other errors. */
export async function reasonOfRefusal(
  error: ServiceError,
  enclave: Pick<Link<EnclaveMessages>, 'call'>,
): Promise<string | undefined> {
  if (!refusingCodes.has(error.code)) return undefined;
  const copyStatus = await enclave.call('copyStatus', undefined).catch(() => undefined);
  return copyStatus?.reason ?? error.message;
}

function report(log: Log, { state, epoch, reason }: CopyStatus): void {
  if (reason === undefined) log('info', 'this copy of the data may sign', { state, epoch });
  else log('error', reason, { state, epoch });
}

type Outgoing = Pick<WebhookWorker, 'wake' | 'stop'> & { wakeAudit(): void };

async function startOutgoing(parts: Parts, sinks: readonly AuditSink[]): Promise<Outgoing> {
  const { settings, enclave, log, metrics } = parts;
  const { startWebhooks } = await import('../webhooks/start_webhooks.ts');
  const { chains } = settings;
  const ofChains = chains === undefined ? undefined : await importOfChains();
  const webhooks = startWebhooks(parts);
  const audit = await startAuditTo(sinks, parts);
  const entries = settings.receipts
    ? startLogWorker({
        queue: parts.store.log,
        append: (request) => enclave.call('appendLog', request),
        anchor: (note) => raiseLogAnchor(parts.logAnchorFile, note),
        now: monotonicClock.now,
        after: monotonicClock.after,
        log,
      })
    : undefined;
  const witnesses = await startWitnesses(parts);
  const clock = () => performance.now();
  const watches = [
    chains && ofChains?.startChains({ chains, enclave, log, clock }),
    chains && ofChains?.startSends({ chains, enclave, log, clock, metrics }),
  ];
  return {
    wake: () => {
      webhooks.wake();
      entries?.wake();
    },
    wakeAudit: () => audit?.wake(),
    stop: async () => {
      await Promise.all(watches.map((watch) => watch?.stop()));
      await Promise.all([webhooks.stop(), audit?.stop(), entries?.stop(), witnesses?.stop()]);
    },
  };
}

/** Loaded on demand, because most services have no audit trail. */
async function openSinks(settings: Settings): Promise<readonly AuditSink[]> {
  if (!isAudited(settings)) return [];
  return (await import('../audit/start_audit.ts')).openAuditSinks(settings);
}

async function startAuditTo(
  sinks: readonly AuditSink[],
  parts: Parts,
): Promise<AuditWorker | undefined> {
  if (sinks.length === 0) return undefined;
  return (await import('../audit/start_audit.ts')).startAudit({ ...parts, sinks });
}

/** Loaded on demand, because most services have no witnesses. */
async function startWitnesses({ settings, witnesses, enclave, log }: Parts) {
  if (!settings.receipts || witnesses === undefined) return undefined;
  const { startWitnessesOf } = await import('../log/witness_policy.ts');
  return startWitnessesOf(witnesses, { enclave, log });
}

/** Loaded on demand, because most services have no chains. */
async function importOfChains() {
  const [{ startChains }, { startSends }] = await Promise.all([
    import('../chains/start_chains.ts'),
    import('../sends/start_sends.ts'),
  ]);
  return { startChains, startSends };
}
