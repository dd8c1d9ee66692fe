// Passes the root key from its source to the enclave: its receivers, its lifetime, and the reason while the
// service is sealed.

import { copyOfSecret, wipe } from '../../core/base/bytes.ts';
import { rootKeyLengthBytes } from '../../store/data_directory/data_directory.ts';
import type { Log } from '../observability/log.ts';
import { withNextKey } from './next_key.ts';
import { type NextKey, nothingSettled, type ReadRequest, type RootKeySource } from './source.ts';
import { untilAborted } from './until_aborted.ts';

export type RootKeyCustody = {
  /**
   * Runs `use` with the root key, and wipes the key afterwards. Waits for a key that may come later. Passes
   * errors of `use` to the source, and rethrows them.
   */
  withRootKey<T>(use: (rootKey: Uint8Array) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Returns the reason for a missing key; undefined while the service has its key. */
  sealedBecause(): string | undefined;
  /** Returns true if the next read may return another key. */
  mayDiffer(): boolean;
  /** Reports the reason for a missing key, and later its arrival, for an enclave that collects shares. */
  readonly waiting: ReadRequest['waiting'];
  opened(): void;
  /** The next root key of a rotation, if the provider can give one. */
  readonly next: RotationKeys | undefined;
  /** Wipes the stored key. */
  close(): void;
};

/** The next root key, for running enclaves. */
export type RotationKeys = Pick<NextKey, 'exists'> & {
  /** True if the next root key can be read while the service runs. False if only a start can read it. */
  readonly isReadLater: boolean;
  /** Reads the next root key, which the receiver wipes; undefined if absent or readable only by a start. */
  read(): Promise<Uint8Array | undefined>;
  /** Replaces the earlier key of the provider by the next one, and wipes its copy in memory. */
  install(): void;
};

type CustodyOptions = {
  readonly source: RootKeySource;
  /** True to store a copy for the next start of the enclave. */
  readonly keeps: boolean;
  /** Returns true if a new key may be created. Called at each read. */
  readonly mayCreate: () => boolean;
  readonly log: Log;
  readonly changed: (isSealed: boolean) => void;
};

/** Creates the custody of one running service. */
export function createCustody(options: CustodyOptions): RootKeyCustody {
  const { source, keeps, log } = options;
  let kept: Uint8Array | undefined;
  let reason: string | undefined;
  let lastDetail: string | undefined;
  let mayDiffer = false;

  const waiting: ReadRequest['waiting'] = (why, detail) => {
    if (reason === why && lastDetail === detail) return;
    if (reason === undefined) options.changed(true);
    reason = why;
    lastDetail = detail;
    log('warn', 'the service is sealed', { reason: why, ...(detail && { detail }) });
  };
  const opened = (): void => {
    if (reason === undefined) return;
    reason = undefined;
    options.changed(false);
    log('info', 'the service has its root key', {});
  };

  async function readKey(signal: AbortSignal) {
    if (kept !== undefined) {
      return { rootKey: copyOfSecret(kept), settled: nothingSettled, mayDiffer: false };
    }
    // A separate signal, because its listeners must end with this read and not with the service.
    const own = AbortSignal.any([signal]);
    const reading = source.read({ mayCreate: options.mayCreate(), waiting, signal: own });
    try {
      return await Promise.race([reading, untilAborted(own)]);
    } catch (error) {
      // Wipes a key that arrives late.
      reading.then(({ rootKey }) => wipe(rootKey)).catch(() => undefined);
      throw error;
    }
  }

  return {
    withRootKey: async (use, signal) => {
      const given = await readKey(signal);
      mayDiffer = given.mayDiffer;
      const copy = keeps && kept === undefined ? copyOfSecret(given.rootKey) : undefined;
      try {
        const result = await use(given.rootKey);
        kept ??= copy;
        opened();
        given.settled(undefined);
        return result;
      } catch (error) {
        wipe(copy);
        given.settled(error instanceof Error ? error.message : String(error));
        throw error;
      } finally {
        wipe(given.rootKey);
      }
    },
    next: source.next && {
      exists: source.next.exists,
      isReadLater: source.next.read !== undefined,
      read: async () => {
        const next = await source.next?.read?.();
        if (kept !== undefined && next !== undefined) {
          const first = copyOfSecret(kept.subarray(0, next.length));
          wipe(kept);
          kept = withNextKey(first, copyOfSecret(next));
        }
        return next;
      },
      install: () => {
        source.next?.install();
        if (kept === undefined) return;
        const all = kept;
        kept = copyOfSecret(all.subarray(-rootKeyLengthBytes));
        wipe(all);
      },
    },
    sealedBecause: () => reason,
    waiting,
    opened,
    mayDiffer: () => mayDiffer,
    close: () => {
      wipe(kept);
      kept = undefined;
    },
  };
}
