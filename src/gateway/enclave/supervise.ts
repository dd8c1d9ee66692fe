// Keeps an enclave running: starts it, passes the root key, and restarts it when it ends.

import { setTimeout as timeout } from 'node:timers/promises';
import { wipe } from '../../core/base/bytes.ts';
import { type ErrorCode, ServiceError } from '../../core/errors/errors.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { EnclaveMessages, GatewayMessages } from '../../ipc/messages.ts';
import { enclaveMessages, gatewayMessages } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';
import { createLink, linkLimits } from '../../ipc/rpc.ts';
import type { Log } from '../observability/log.ts';
import type { RootKeyCustody } from '../root_key/custody.ts';
import type { ShareCollection } from '../root_key/shares.ts';
import type { EnclaveProcess } from './process.ts';

export type SuperviseOptions = {
  readonly launch: () => EnclaveProcess;
  /**
   * Runs `use` with the root key at every start, and wipes the key. Waits for a missing key until the signal
   * is aborted.
   */
  readonly withRootKey: RootKeyCustody['withRootKey'];
  /** True if the gateway can read the next root key of a rotation while the service runs. */
  readonly givesNextKey: boolean;
  /**
   * Replaces `withRootKey` for shares: waits until an enclave has collected its root key. Returns the
   * function that receives the outcome of the start.
   */
  readonly collectShares?: ShareCollection['collect'] | undefined;
  /** Checks an enclave that received its key before it serves. An error ends that enclave. */
  readonly admit?: (call: Link<EnclaveMessages>['call']) => Promise<void>;
  /** Returns the error for callers while there is no enclave. */
  readonly unavailable?: () => ErrorCode;
  readonly liveness: { readonly maximumAgeMs: number; readonly maximumAheadMs: number };
  readonly deployment: Deployment;
  /** The handlers for the enclave's requests. */
  readonly handlers: Handlers<GatewayMessages>;
  /** Maximum number of calls that wait for their answer. */
  readonly callsMaximum: number;
  readonly log: Log;
  /** Called at every start after the first. */
  readonly restarted: () => void;
  /** Tests replace it. */
  readonly pauses?: Partial<typeof supervisionPauses>;
};

export type Supervisor = {
  /** Starts the first enclave. Rejects if it cannot be started. */
  start(): Promise<void>;
  /** The calls of each running enclave, for messages that concern every enclave. */
  calls(): readonly Link<EnclaveMessages>['call'][];
  /** Calls the running enclave. Raises `enclave_unavailable` while there is none. */
  readonly call: Link<EnclaveMessages>['call'];
  isRunning(): boolean;
  /** Ends the enclave, and kills it if it does not end in time. */
  stop(): Promise<void>;
};

/** Pauses and timeouts in milliseconds. */
const supervisionPauses = {
  /** Pause between the end of an enclave and the next start, doubled up to the last. */
  firstRestartMs: 100,
  lastRestartMs: 10_000,
  /** Run time of an enclave after which the pause starts again at `firstRestartMs`. */
  steadyMs: 30_000,
  /** Timeout for the answer to the root key. */
  startMs: 30_000,
  /** Timeout for the end after a request to stop. */
  stopMs: 5_000,
};

type Running = { readonly link: Link<EnclaveMessages>; readonly child: EnclaveProcess };

/** The supervisor of one enclave, which can also start with a key that its caller has read. */
type OneSupervisor = Supervisor & {
  /** Starts the first enclave with this key, and wipes the key. */
  startWith(rootKey: Uint8Array): Promise<void>;
};

/** Creates a supervisor without starting the enclave. */
export function superviseEnclave(options: SuperviseOptions): OneSupervisor {
  const { log } = options;
  const pauses = { ...supervisionPauses, ...options.pauses };
  const stopping = new AbortController();
  let running: Running | undefined;
  let supervision = Promise.resolve();

  const launchOne = (rootKey: Uint8Array): Promise<Running> =>
    startEnclave(options, rootKey, pauses.startMs);
  const startOne = (): Promise<Running> =>
    options.collectShares === undefined
      ? options.withRootKey(launchOne, stopping.signal)
      : startSealed(options, options.collectShares, { ...pauses, signal: stopping.signal });
  const begin = (first: Running): void => {
    running = first;
    supervision = supervise(first);
  };

  /** Resolves once the enclave has ended. */
  async function watch({ link, child }: Running): Promise<void> {
    const reason = await link.closed;
    running = undefined;
    if (stopping.signal.aborted) return;
    child.kill();
    log('error', 'the enclave ended', { reason, exit: await child.exited });
  }

  async function supervise(first: Running): Promise<void> {
    let current: Running | undefined = first;
    let pauseMs = pauses.firstRestartMs;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      if (current !== undefined) await watch(current);
      if (current !== undefined && performance.now() - since >= pauses.steadyMs) {
        pauseMs = pauses.firstRestartMs;
      }
      if (!(await paused(pauseMs, stopping.signal))) return;
      pauseMs = Math.min(pauseMs * 2, pauses.lastRestartMs);
      current = await restart();
    }
    // An enclave that started during the stop has served no request.
    current?.child.kill();
  }

  async function restart(): Promise<Running | undefined> {
    options.restarted();
    try {
      running = await startOne();
      log('info', 'the enclave was restarted', {});
      return running;
    } catch (error) {
      if (stopping.signal.aborted) return undefined;
      const detail = error instanceof Error ? error.message : String(error);
      log('error', 'the enclave could not be restarted', { detail });
      return undefined;
    }
  }

  return {
    start: async () => begin(await startOne()),
    startWith: async (rootKey) => begin(await launchOne(rootKey)),
    calls: () => (running === undefined ? [] : [running.link.call]),
    call: (name, request) =>
      running?.link.call(name, request) ??
      Promise.reject(new ServiceError(options.unavailable?.() ?? 'enclave_unavailable')),
    isRunning: () => running !== undefined,
    stop: async () => {
      const last = running;
      stopping.abort();
      last?.link.close();
      if (last !== undefined) {
        const deadline = setTimeout(last.child.kill, pauses.stopMs);
        await last.child.exited;
        clearTimeout(deadline);
      }
      await supervision;
    },
  };
}

/** Starts an enclave with this key, wipes the key, and checks the enclave. Kills it if that fails. */
async function startEnclave(
  options: SuperviseOptions,
  rootKey: Uint8Array,
  startMs: number,
): Promise<Running> {
  const { link, child, started } = launchWith(options, rootKey);
  const deadline = setTimeout(child.kill, startMs);
  try {
    await started;
    clearTimeout(deadline);
    await options.admit?.(link.call);
    return { link, child };
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/**
 * Starts an enclave that collects its root key from shares, and checks it. Kills the enclave if the check
 * fails.
 */
async function startSealed(
  options: SuperviseOptions,
  collect: ShareCollection['collect'],
  { startMs, signal }: { readonly startMs: number; readonly signal: AbortSignal },
): Promise<Running> {
  const { liveness, deployment } = options;
  const child = options.launch();
  const link = linkTo(child, options);
  let report: Awaited<ReturnType<typeof collect>> = () => undefined;
  let deadline: NodeJS.Timeout | undefined;
  try {
    report = await collect(link, signal);
    deadline = setTimeout(child.kill, startMs);
    await link.call('start', { rootKey: undefined, liveness, deployment });
    clearTimeout(deadline);
    await options.admit?.(link.call);
    report(undefined);
    return { link, child };
  } catch (error) {
    child.kill();
    report(error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** Launches an enclave and sends it the root key. Wipes the key before it returns or throws. */
function launchWith(
  options: SuperviseOptions,
  rootKey: Uint8Array,
): Running & { readonly started: Promise<undefined> } {
  const { givesNextKey, liveness, deployment } = options;
  try {
    const child = options.launch();
    const link = linkTo(child, options);
    // Written into the link's buffer before it returns, so the key need not outlive the call.
    const started = link.call('start', { rootKey, givesNextKey, liveness, deployment });
    return { link, child, started };
  } finally {
    wipe(rootKey);
  }
}

function linkTo(
  { channel }: EnclaveProcess,
  { handlers, callsMaximum, log }: SuperviseOptions,
): Link<EnclaveMessages> {
  return createLink({
    channel,
    calls: enclaveMessages,
    serves: gatewayMessages,
    handlers,
    closedCode: 'enclave_unavailable',
    log,
    mayWait: isLargeOrCancels,
    limits: { ...linkLimits, calls: callsMaximum },
  });
}

/** Requests with longer bodies wait while many bytes are in transit to the enclave. */
const largeBodyBytes = 64 * 1024;

/**
 * Returns true for a request with a large body. A cancellation waits too, because it may not overtake the
 * request that it cancels.
 */
function isLargeOrCancels(name: string, request: unknown): boolean {
  if (name === 'cancel') return true;
  if (typeof request !== 'object' || request === null || !('body' in request)) return false;
  return request.body instanceof Uint8Array && request.body.length >= largeBodyBytes;
}

/** Pauses; returns false if the signal ended the pause. */
async function paused(pauseMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await timeout(pauseMs, undefined, { signal, ref: false });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
