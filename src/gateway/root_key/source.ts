// The interface of each root key provider: a source to read the key from, once for each start of the
// enclave.

import type { Settings } from '../../settings/settings.ts';

export type RootKeySource = {
  /** Source of the key, to follow "the root key": never a secret. */
  readonly place: string;
  /** The key may come later: until then the service answers probes and reports that it is sealed. */
  readonly mayWait: boolean;
  /**
   * Resolves with the root key. Waits for a key that may come later, after a report of the reason. Rejects
   * with the reason of the aborted signal, or with UnusableDataError if waiting cannot help.
   */
  read(request: ReadRequest): Promise<GivenKey>;
  /** The next root key of a rotation. Absent if the provider cannot give two keys. */
  readonly next?: NextKey;
};

/** The next root key, which `read` of the source gives after the current one. */
export type NextKey = {
  /** Returns true if there is a next key. */
  exists(): boolean;
  /** Reads the key while the service runs. Absent if only a start can read it. */
  readonly read: (() => Promise<Uint8Array | undefined>) | undefined;
  /** Puts the next key in the place of the earlier one, which is destroyed. */
  install(): void;
};

export type ReadRequest = {
  /** The database is new: a key may be created with it. */
  readonly mayCreate: boolean;
  /**
   * Reports why there is no key yet, as a sentence without a full stop that readiness probes show to
   * everyone. `detail` goes only into the operator's log.
   */
  readonly waiting: (reason: string, detail?: string) => void;
  /** Reports a failed attempt that is followed by another. */
  readonly failed?: (reason: string) => void;
  readonly signal: AbortSignal;
};

/** A root key, and a callback for its outcome. */
export type GivenKey = {
  /** 32 bytes, or 64 with a next root key; the receiver's to wipe. */
  readonly rootKey: Uint8Array;
  /** Reports the start of the enclave: undefined for success, else the failure. */
  readonly settled: (failure: string | undefined) => void;
  /** The next reading may return another key, so a wrong one does not end the process. */
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
  | 'rootKeyNextCommand'
  | 'rootKeyCommandEncoding'
  | 'rootKeyCommandEnvironment'
  | 'rootKeyKeep'
>;

export type SourcePorts = {
  readonly random: (lengthBytes: number) => Uint8Array;
  /** The environment of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prompts for a secret without echo; absent without a terminal. */
  readonly askSecret?: ((question: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  /** Runs work that asks several times, and shows nothing that is typed in between. */
  readonly silently?: (<R>(work: () => Promise<R>) => Promise<R>) | undefined;
  /**
   * The service reads, and a local socket accepts a passphrase meanwhile. Otherwise a command, which ends
   * soon.
   */
  readonly isService: boolean;
};

export type OpenSource = (settings: SourceSettings, ports: SourcePorts) => RootKeySource;

/** For sources without work after the enclave's start. */
export const nothingSettled = (): void => undefined;
