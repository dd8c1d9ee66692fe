// The third step of a start: the root key, and the enclave that receives it.

import { availableParallelism } from 'node:os';
import { assetsOf } from '../../core/balances/chains.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { Settings } from '../../settings/settings.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { placesWithReserve } from '../admission/load_limiter.ts';
import { baseUrlOf } from '../base/base_url.ts';
import { anchorFileOf, anchorHandlers, readAnchor } from '../custody/anchor.ts';
import { remoteEnclaves } from '../enclave/enclave_socket.ts';
import { externalHandlers } from '../enclave/external_handlers.ts';
import { superviseEnclaves, usualEnclaves } from '../enclave/pool.ts';
import { type EnclaveProcess, startEnclaveProcess } from '../enclave/process.ts';
import { storeHandlers } from '../enclave/store_handlers.ts';
import type { Supervisor } from '../enclave/supervise.ts';
import { logAnchorFileOf, readLogAnchor } from '../log/anchor.ts';
import type { WitnessPolicy } from '../log/witness_policy.ts';
import type { Messages } from '../messages/open_messages.ts';
import type { Log } from '../observability/log.ts';
import {
  type OpenedCustody,
  type OperatorPorts,
  openCustody,
  startUnsealed,
} from '../root_key/open_custody.ts';
import type { PortReservation } from '../root_key/port_reservation.ts';
import { startRotation } from '../rotation/start_rotation.ts';
import { createEnclaveCheck, explainedStart, type FirstAnswers } from './enclave_check.ts';
import type { OpenedData } from './open_data.ts';
import { watchSigningPermission } from './signing_permission_watch.ts';
import { startVitalSigns } from './start_metrics.ts';
import type { StartedServices } from './start_services.ts';
import { type Starting, startingReason } from './starting.ts';

export type StartedEnclave = FirstAnswers & {
  readonly enclave: Supervisor;
  readonly custody: OpenedCustody;
  /** The file with the newest checkpoint of the log. */
  readonly logAnchorFile: string;
  readonly witnesses: WitnessPolicy | undefined;
  /** Replaces the documents of the service by those of a new key epoch. */
  readonly renewDocuments: () => Promise<void>;
  /** The address of the service, held until its server takes it. */
  readonly reservation: PortReservation;
};

type EnclaveParts = OperatorPorts & {
  /** Ends the wait for a root key. The wait rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Tests replace it. */
  readonly launch?: (() => EnclaveProcess) | undefined;
};

/** Starts the enclave with its root key, and runs `loadMeanwhile` while it starts. */
export async function startEnclave(
  starting: Starting,
  { data, services }: { readonly data: OpenedData; readonly services: StartedServices },
  parts: EnclaveParts,
  loadMeanwhile: () => Promise<unknown>,
): Promise<StartedEnclave> {
  const { log, metrics, closers } = starting;
  const settings = { ...starting.settings, dataDirectory: data.directory };
  const anchorFile = anchorFileOf(settings);
  readAnchor(anchorFile);
  const logAnchorFile = logAnchorFileOf(settings.logAnchorFile, anchorFile);
  readLogAnchor(logAnchorFile);
  const { witnesses, witnessed, close } = await openWitnesses(settings, log);
  closers.push(close);
  let mayCreate = data.isNew;
  const { enclaveSocket } = settings;
  const remote = enclaveSocket === undefined ? undefined : remoteEnclaves(enclaveSocket);
  const custody = openCustody(settings, {
    ...parts,
    source: remote?.source,
    log,
    mayCreate: () => mayCreate,
    changed: metrics.sealed,
  });
  closers.push(() => custody.close());
  starting.notReady = () => reasonsOfStart(custody);
  // Tokens of the service contain its address.
  const reservation = await custody.holdAddress(() => starting.notReady());
  closers.push(() => reservation.release());
  const enclaveCheck = createEnclaveCheck(data.directory, custody.place);
  const enclave = superviseEnclaves(enclavesOf(settings), {
    ...enclaveOptions({ ...settings, port: reservation.port }, services),
    launch: parts.launch ?? remote?.launch ?? (() => startEnclaveProcess({ log })),
    withRootKey: custody.withRootKey,
    givesNextKey: custody.next?.isReadLater === true,
    collectShares: custody.shares?.collect,
    admit: enclaveCheck.check,
    unavailable: custody.unavailable,
    handlers: {
      ...storeHandlers(services.port, log),
      ...anchorHandlers(anchorFile),
      logAnchor: async () => ({ note: readLogAnchor(logAnchorFile) }),
      witnessed,
      ...externalHandlers(services.external),
    },
    log,
    restarted: () => metrics.enclaveRestarted(),
  });
  starting.enclave = enclave;
  closers.push(() => enclave.stop());
  await Promise.all([
    loadMeanwhile(),
    startUnsealed(explainedStart(enclave.start, custody.place), custody, log),
  ]);
  // A later enclave must find the data that this one creates.
  mayCreate = false;
  return {
    ...enclaveCheck.firstAnswers(),
    enclave,
    custody,
    reservation,
    logAnchorFile,
    witnesses,
    renewDocuments: () => enclaveCheck.renew(enclave.call),
  };
}

/** Loaded on demand, because most services have no witnesses. */
async function openWitnesses({ witnessPolicy, witnessStart }: Settings, log: Log) {
  const none = { witnesses: undefined, witnessed: () => ({ checkpoints: [] }), close: () => {} };
  if (witnessPolicy === undefined) return none;
  const { openWitnessed, readWitnessPolicy } = await import('../log/witness_policy.ts');
  const witnesses = readWitnessPolicy(witnessPolicy);
  return {
    witnesses,
    ...openWitnessed(witnesses, { isRequired: witnessStart === 'require', log }),
  };
}

/** Starts the outputs of a running enclave: metrics, webhooks, transactions and the audit trail. */
export async function watchEnclave(
  starting: Starting,
  {
    data: { store, directory },
    services: { tracing },
    enclave: { enclave, custody, logAnchorFile, witnesses, renewDocuments },
  }: {
    readonly data: OpenedData;
    readonly services: StartedServices;
    readonly enclave: Pick<
      StartedEnclave,
      'enclave' | 'custody' | 'logAnchorFile' | 'witnesses' | 'renewDocuments'
    >;
  },
): Promise<void> {
  const { settings, log, metrics, closers } = starting;
  await startVitalSigns(metrics, { enclave, store, closers });
  const copy = await watchSigningPermission({
    settings,
    store,
    enclave,
    log,
    metrics,
    tracing,
    logAnchorFile,
    witnesses,
  });
  starting.copy = copy;
  closers.push(() => copy.stop());
  const rotation = startRotation({
    store,
    enclave,
    enclaves: enclavesOf(settings),
    keys: custody.next,
    fence: starting.epochFence,
    epochBegan: renewDocuments,
    dataDirectory: directory,
    log,
    metrics,
  });
  closers.push(() => rotation?.stop());
}

/**
 * Returns the number of enclaves. With shares there is only one, because each enclave collects its own
 * shares. An enclave never passes its key on, because the gateway could pose as the receiver.
 */
function enclavesOf({ enclaves, rootKeyProvider }: Settings): number {
  if (rootKeyProvider !== 'shares') return enclaves ?? usualEnclaves(availableParallelism());
  if (enclaves === undefined || enclaves === 1) return 1;
  throw new UnusableDataError(
    'with KEYWRIGHT_ROOT_KEY_PROVIDER=shares there is one enclave: leave KEYWRIGHT_ENCLAVES out',
  );
}

/** Returns why a service that has not started yet is not ready. */
function reasonsOfStart(custody: Pick<OpenedCustody, 'reasons'>): readonly string[] {
  const reasons = custody.reasons();
  return reasons.length > 0 ? reasons : [startingReason];
}

function enclaveOptions(settings: Settings, { messages }: StartedServices) {
  return {
    liveness: {
      maximumAgeMs: settings.livenessMaximumAgeMs,
      maximumAheadMs: settings.livenessMaximumAheadMs,
    },
    deployment: deploymentOf(settings, messages),
    callsMaximum: placesWithReserve(settings.inFlightMaximum),
  };
}

/** Returns the settings that the enclave receives about its deployment. */
function deploymentOf(
  settings: Settings,
  { inbox, channels }: Pick<Messages, 'inbox' | 'channels'>,
): Deployment {
  const { publicUrl, host, port, compatibleHeaders, captchaSiteKey, oidcIssuers, chains } =
    settings;
  return {
    publicUrl: publicUrl ?? baseUrlOf(host, port),
    isDevelopment: inbox !== undefined,
    sendsEmail: channels.includes('email'),
    sendsSms: channels.includes('sms'),
    // Messages to the development inbox cost nothing, so all numbers are allowed.
    smsPrefixes: settings.smsPrefixes ?? (settings.smsUrl === undefined ? undefined : []),
    compatibleWebhooks: compatibleHeaders,
    oidcIssuers,
    acceptsUnboundTokens: settings.unboundTokens,
    acceptsUnboundIdentities: settings.unboundIdentities,
    refusesUnknownMembers: settings.unknownMembers === 'refuse',
    captchaSiteKey,
    chains: (chains ?? []).map(({ rewards, ...chain }) => {
      const { caip2, fromBlock, gasStation, vaults, swaps } = chain;
      const distributor = rewards && { distributor: rewards.distributor };
      const markets = { vaults, swaps, rewards: distributor };
      return { caip2, fromBlock, assets: assetsOf(chain), gasStation, ...markets };
    }),
  };
}
