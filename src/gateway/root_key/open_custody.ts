// Opens the root key custody of a running service, and answers requests until the key arrives.

import type { ErrorCode } from '../../core/errors/errors.ts';
import type { Settings } from '../../settings/settings.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { isOpenedAtLocalhost } from '../base/both_families.ts';
import type { Log } from '../observability/log.ts';
import { sealedWord } from '../protocol/health.ts';
import { createCustody, type RootKeyCustody } from './custody.ts';
import { type PortReservation, reservePort } from './port_reservation.ts';
import { openRootKeySource } from './providers.ts';
import { serveSealed } from './sealed_server.ts';
import { createShareCollection, type ShareCollection, sharingPath } from './shares.ts';
import type { RootKeySource, SourcePorts } from './source.ts';
import { WrongRootKeyError } from './wrong_root_key_error.ts';

/** The operator's side of the start of a service. */
export type OperatorPorts = Partial<Pick<SourcePorts, 'environment' | 'askSecret' | 'silently'>>;

export type OpenedCustody = RootKeyCustody & {
  /** Description of the source, after the words "the root key". */
  readonly place: string;
  /** Returns why the key keeps the service from being ready; empty once it has the key. */
  reasons(): readonly string[];
  /** Returns the error for callers while there is no enclave. */
  unavailable(): ErrorCode;
  /** Collects shares of the root key. Undefined for other providers. */
  readonly shares: ShareCollection | undefined;
  /** Reserves the address of the service, and answers there while it may be sealed. */
  holdAddress(notReady: () => readonly string[]): Promise<PortReservation>;
};

/** Opens the source in the settings. Raises UnusableDataError for incomplete settings. */
export function openCustody(
  settings: Settings,
  parts: OperatorPorts & {
    readonly mayCreate: () => boolean;
    readonly log: Log;
    readonly changed: (isSealed: boolean) => void;
    /** Optional. Replaces the provider of the settings. */
    readonly source?: RootKeySource | undefined;
    /** Optional. Ends the wait for a key. */
    readonly signal?: AbortSignal | undefined;
  },
): OpenedCustody {
  const { mayCreate, log, changed, environment = {}, askSecret, silently } = parts;
  const random = openKernelRandom();
  const ports = { random, environment, askSecret, silently, isService: true };
  const source = parts.source ?? openRootKeySource(settings, ports);
  const custody = createCustody({ source, keeps: settings.rootKeyKeep, mayCreate, log, changed });
  const ends = parts.signal === undefined ? [] : [parts.signal];
  const until = (signal: AbortSignal) => AbortSignal.any([signal, ...ends]);
  const shares =
    settings.rootKeyProvider === 'shares'
      ? openShares(sharingPath(settings), custody, until)
      : undefined;
  return {
    ...custody,
    withRootKey: (use, signal) => custody.withRootKey(use, until(signal)),
    mayDiffer: () => shares !== undefined || custody.mayDiffer(),
    shares,
    place: source.place,
    reasons: () => {
      const reason = custody.sealedBecause();
      return reason === undefined ? [] : [`${sealedWord} ${reason}`];
    },
    unavailable: () => (custody.sealedBecause() === undefined ? 'enclave_unavailable' : 'sealed'),
    holdAddress: (notReady) =>
      source.mayWait
        ? serveSealedOn(settings, notReady, shares)
        : reservePort({ ...settings, asLocalhost: isOpenedAtLocalhost(settings) }),
  };
}

/** Creates the collection of shares, which reports to the custody. */
function openShares(
  path: string,
  { waiting, opened }: RootKeyCustody,
  until: (signal: AbortSignal) => AbortSignal,
): ShareCollection {
  const collection = createShareCollection(path, waiting);
  return {
    ...collection,
    collect: async (enclave, signal) => {
      const report = await collection.collect(enclave, until(signal));
      return (failure) => {
        if (failure === undefined) opened();
        report(failure);
      };
    },
  };
}

/** Starts the first enclave. After a wrong key, tries again if the provider may return another one. */
export async function startUnsealed(
  start: () => Promise<void>,
  { mayDiffer }: Pick<RootKeyCustody, 'mayDiffer'>,
  log: Log,
): Promise<void> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof WrongRootKeyError && mayDiffer())) throw error;
      log('error', 'the root key was refused', { detail: error.message });
    }
  }
}

/** Answers on the ports of the service. A service with an arbitrary port does not know its address yet. */
async function serveSealedOn(
  { host, port, authProxyPort = 0 }: Settings,
  notReady: () => readonly string[],
  shares: ShareCollection | undefined,
): Promise<PortReservation> {
  const api = await serveSealed({ host, port }, notReady, shares);
  try {
    const proxy =
      authProxyPort === 0 ? undefined : await serveSealed({ host, port: authProxyPort }, notReady);
    return {
      port: api.port,
      release: async () => {
        await Promise.all([api.release(), proxy?.release()]);
      },
    };
  } catch (error) {
    await api.release();
    throw error;
  }
}
