// The interface of each root key provider: a source to read the key from, once for each start of the
// enclave.

import type { Settings } from '../../settings/settings.ts';

export type RootKeySource = {
  /** Where the key comes from, to follow "the root key": never a secret. */
  readonly place: string;
  /** The key may come later: the service answers probes and says that it is sealed meanwhile. */
  readonly mayWait: boolean;
  /**
   * Resolves with the root key. Waits where the key may come later, after telling why; rejects with the
   * reason of the signal when that is aborted, and with UnusableDataError where waiting mends nothing.
   */
  read(request: ReadRequest): Promise<GivenKey>;
};

export type ReadRequest = {
  /** The database is new: a key may be created with it. */
  readonly mayCreate: boolean;
  /**
   * Tells why there is no key yet, as a sentence without a full stop, which anybody may read who asks
   * whether the service is ready. `detail` is for the operator's log alone.
   */
  readonly waiting: (reason: string, detail?: string) => void;
  /** Tells that a try failed and another one follows later. */
  readonly failed?: (reason: string) => void;
  readonly signal: AbortSignal;
};

/** A root key, and who learns what became of it. */
export type GivenKey = {
  /** 32 bytes, the receiver's to wipe. */
  readonly rootKey: Uint8Array;
  /** Told how the enclave started with it: undefined if well, else why not. */
  readonly settled: (failure: string | undefined) => void;
  /** Another reading may give another key, so a wrong one is no reason to end. */
  readonly mayDiffer: boolean;
};

export type SourceSettings = Pick<
  Settings,
  | 'dataDirectory'
  | 'rootKeyProvider'
  | 'rootKeyFile'
  | 'rootKeyDescriptor'
  | 'rootKeyPassphraseFile'
  | 'rootKeyPassphraseDescriptor'
  | 'rootKeyCommand'
  | 'rootKeyCommandEncoding'
  | 'rootKeyCommandEnvironment'
  | 'rootKeyKeep'
>;

/** The ports that sources need. */
export type SourcePorts = {
  readonly random: (lengthBytes: number) => Uint8Array;
  /** The environment of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A person types a secret without echo; absent where nobody sits. */
  readonly askSecret?: ((question: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  /** Runs work that asks several times, and shows nothing that is typed in between. */
  readonly silently?: (<R>(work: () => Promise<R>) => Promise<R>) | undefined;
  /** The service reads: a local socket takes a passphrase meanwhile. Else a command, which ends soon. */
  readonly isService: boolean;
};

export type OpenSource = (settings: SourceSettings, ports: SourcePorts) => RootKeySource;

/** For sources that have nothing to do when the enclave has started. */
export const nothingSettled = (): void => undefined;
