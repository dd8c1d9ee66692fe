// All access of a command to its environment. Tests replace it.

/** The terminal that a command reads from and writes to. */
export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Like `err`, but without waiting; the message may be lost. */
  readonly announce: (text: string) => void;
  /** Returns the whole standard input. Throws above `maximumBytes`. */
  readonly readInput: (maximumBytes: number) => Promise<Uint8Array>;
  /** Yields the standard input as it arrives. Throws an `AbortError` once the signal aborts. */
  readonly inputChunks: () => AsyncIterable<Uint8Array>;
  /** Prompts for one line; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /**
   * Prompts for one line without echo, as bytes that the caller wipes. Rejects when the signal aborts.
   * Undefined without a terminal.
   */
  readonly askSecret?: ((question: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  /** Runs work with several secret prompts, and hides input between them. Undefined without a terminal. */
  readonly silently?: (<R>(work: () => Promise<R>) => Promise<R>) | undefined;
  /** Opens an address in a browser if the machine has a display. Undefined without an interactive user. */
  readonly openBrowser?: ((url: string) => Promise<void>) | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if the stream is a terminal. */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly columns: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Aborted by SIGINT. */
  readonly signal: AbortSignal;
  /**
   * The command that starts this program: `keywright`, or `npx --no keywright` in a clone of the project and
   * where npm runs it.
   */
  readonly program: string;
  readonly workingDirectory: string;
  readonly homeDirectory: string;
};
