// The interface of each root key provider: a source to read the key from, once for each start of the
// enclave.

import type { Settings } from '../../settings/settings.ts';

export type RootKeySource = {
  /** Description of the source, after the words "the root key"; never a secret. */
  readonly place: string;
  /** True if the key may come later. Until then the service answers probes and reports that it is sealed. */
  readonly mayWait: boolean;
  /**
   * Resolves with the root key. Waits for a key that may come later, after a report of the reason. Rejects
   * with the reason of the aborted signal, or with UnusableDataError if waiting cannot help.
   */
  read(request: ReadRequest): Promise<GivenKey>;
  /** The next root key of a rotation. Undefined if the provider cannot have two keys. */
  readonly next?: NextKey;
};

/** The next root key, which `read` of the source returns after the current one. */
export type NextKey = {
  /** Returns true if a next key exists. */
  exists(): boolean;
  /** Reads the key while the service runs. Undefined if only a start can read it. */
  readonly read: (() => Promise<Uint8Array | undefined>) | undefined;
  /** Replaces the earlier key by the next one, and destroys the earlier key. */
  install(): void;
};

export type ReadRequest = {
  /** True for a new database, with which a key may be created. */
  readonly mayCreate: boolean;
  /**
   * Reports why there is no key yet, as a sentence without a full stop that readiness probes show to
   * everyone. `detail` goes only into the operator's log.
   */
  readonly waiting: (reason: string, detail?: string) => void;
  /** Reports a failed attempt before its retry. */
  readonly failed?: (reason: string) => void;
  readonly signal: AbortSignal;
};

/** A root key, and a callback for its outcome. */
export type GivenKey = {
  /** 32 bytes, or 64 with a next root key; the receiver wipes them. */
  readonly rootKey: Uint8Array;
  /** Reports the start of the enclave: undefined for success, else the failure. */
  readonly settled: (failure: string | undefined) => void;
  /** True if the next read may return another key, so a wrong key does not end the process. */
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
  /** Prompts for a secret without echo; undefined without a terminal. */
  readonly askSecret?: ((question: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  /** Runs work with several prompts, and hides input between them. */
  readonly silently?: (<R>(work: () => Promise<R>) => Promise<R>) | undefined;
  /**
   * True in the service, where a local socket also accepts a passphrase. False in a command, which ends soon.
   */
  readonly isService: boolean;
};

export type OpenSource = (settings: SourceSettings, ports: SourcePorts) => RootKeySource;

/** Ignores the outcome of the enclave's start. */
export const nothingSettled = (): void => undefined;
