// The root key from shares of several operators, which the enclave collects. Each share is sealed to the key
// of the enclave's run, so this process can forward but not open it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOfHex, hex, textOfUtf8 } from '../../core/base/bytes.ts';
import { type ErrorCode, fail } from '../../core/errors/errors.ts';
import { shareErrors } from '../../core/errors/rows/shares.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { readBounded } from '../base/read_bounded.ts';
import type { OpenSource, ReadRequest, SourceSettings } from './source.ts';
import { untilAborted } from './until_aborted.ts';

/** Rejects each read of the root key: only an enclave opens shares, so commands cannot collect them. */
export const sharesSource: OpenSource = (settings) => {
  const path = sharingPath(settings);
  return {
    place: `of ${path}`,
    mayWait: true,
    read: async () => {
      throw new UnusableDataError(
        'this command needs the root key, and the provider `shares` gives it to a running service alone: write it to a file by keywright root-key combine, and set KEYWRIGHT_ROOT_KEY_PROVIDER=file and KEYWRIGHT_ROOT_KEY_FILE for this command',
      );
    },
  };
};

/** Returns the path of the sharing file. */
export function sharingPath({
  rootKeyFile,
  dataDirectory,
}: Pick<SourceSettings, 'rootKeyFile' | 'dataDirectory'>): string {
  return rootKeyFile ?? join(dataDirectory, 'root.key.shares');
}

/** Returns the text of a sharing file: the hex digits of its common part, which holds no secret. */
export const sharingText = (sharing: Uint8Array): string => `${hex(sharing)}\n`;

/** Reads the file of a sharing. Raises UnusableDataError if the file is missing or malformed. */
async function readSharingFile(path: string): Promise<Uint8Array> {
  // Only the shares provider needs it.
  const { readSharing, sharingMaximumBytes } = await import('../../core/custody/key_shares.ts');
  if (!existsSync(path)) {
    throw new UnusableDataError(
      `there is no sharing of a root key at ${path}: create a key with keywright root-key init --shares, or split one with keywright root-key split`,
    );
  }
  const text = textOfUtf8(readBounded(path, 2 * sharingMaximumBytes + 2));
  const bytes = text === undefined ? undefined : bytesOfHex(text.trim());
  if (bytes !== undefined && readSharing(bytes) !== undefined) return bytes;
  throw new UnusableDataError(`${path} names no sharing of version 1: put a copy of it back`);
}

type SealedEnclave = Pick<Link<EnclaveMessages>, 'call' | 'closed'>;

/** Reports the start of an enclave with its key: undefined for success, otherwise the failure. */
type ReportOutcome = (failure: string | undefined) => void;

export type ShareCollection = {
  /** Waits until the enclave has its root key. Rejects if the signal aborts or the enclave exits. */
  collect(enclave: SealedEnclave, signal: AbortSignal): Promise<ReportOutcome>;
  /** Returns the statement of the waiting enclave. Raises `not_sealed` if no enclave waits. */
  statement(): Promise<AnswerOf<EnclaveMessages['expectShares']>>;
  /** Sends a sealed share to the enclave. After the last share, waits for the start of the enclave. */
  give(share: RequestOf<EnclaveMessages['giveShare']>): Promise<ShareProgress>;
};

type ShareProgress = {
  readonly given: number;
  readonly threshold: number;
  /** The failure of the last start with the complete key. */
  readonly failure: string | undefined;
};

type Waiting = {
  readonly enclave: SealedEnclave;
  readonly sharing: Uint8Array;
  readonly complete: () => void;
  readonly settled: Promise<string | undefined>;
};

/** Creates the collection of a service, for one enclave at a time. */
export function createShareCollection(
  path: string,
  waiting: ReadRequest['waiting'],
): ShareCollection {
  let current: Waiting | undefined;
  const waitingNow = (): Waiting => current ?? fail('not_sealed');
  const report = ({ given, threshold }: { given: number; threshold: number }): void =>
    waiting(
      `waits for shares of the root key: ${given} of ${threshold} were given, send one by keywright unseal share`,
    );
  return {
    collect: async (enclave, signal) => {
      const sharing = await readSharingFile(path);
      report(await enclave.call('expectShares', { sharing }));
      const completed = Promise.withResolvers<void>();
      const settled = Promise.withResolvers<string | undefined>();
      current = { enclave, sharing, complete: completed.resolve, settled: settled.promise };
      const own = AbortSignal.any([signal]);
      const ended = enclave.closed.then(() => fail('enclave_unavailable'));
      try {
        await Promise.race([completed.promise, ended, untilAborted(own)]);
        return settled.resolve;
      } catch (error) {
        settled.resolve('the enclave ended before it had its root key');
        throw error;
      } finally {
        current = undefined;
      }
    },
    statement: async () => {
      const { enclave, sharing } = waitingNow();
      const stated = await enclave.call('expectShares', { sharing });
      // The enclave may have dropped expired shares.
      if (current?.enclave === enclave) report(stated);
      return stated;
    },
    give: async (share) => {
      const { enclave, complete, settled } = waitingNow();
      const { refused, shareNumber, given, threshold } = await enclave.call('giveShare', share);
      if (current?.enclave === enclave) report({ given, threshold });
      if (refused !== undefined) {
        return fail(isShareError(refused) ? refused : 'internal', { number: shareNumber });
      }
      if (given < threshold) return { given, threshold, failure: undefined };
      complete();
      return { given, threshold, failure: await settled };
    },
  };
}

const isShareError = (code: string): code is ErrorCode & keyof typeof shareErrors =>
  Object.hasOwn(shareErrors, code);
