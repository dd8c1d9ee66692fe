// Everything that a command has of the world around it. Tests give another.

/** The terminal that a command reads from and writes to. */
export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Like `err`, for messages that may be lost; the command does not wait. */
  readonly announce: (text: string) => void;
  /** All of the standard input, at most `maximumBytes` of it; raises beyond. */
  readonly readInput: (maximumBytes: number) => Promise<Uint8Array>;
  /** The standard input as it arrives. Raises an AbortError once the signal is aborted. */
  readonly inputChunks: () => AsyncIterable<Uint8Array>;
  /** Prompts for one line; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /**
   * Prompts for one line without echo, as bytes that the caller wipes; rejects when the signal is aborted.
   * Undefined without a terminal.
   */
  readonly askSecret?: ((question: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  /** Runs work with several secret prompts and hides input between them. Absent without a terminal. */
  readonly silently?: (<R>(work: () => Promise<R>) => Promise<R>) | undefined;
  /** Opens an address in a browser, unless the machine has no display. Absent without a person. */
  readonly openBrowser?: ((url: string) => Promise<void>) | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if the standard output, and the standard error, are read by a person. */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly columns: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Aborted by SIGINT. */
  readonly signal: AbortSignal;
  /** The way to type this program: in a clone of the project, or where its package is installed. */
  readonly program: string;
  readonly workingDirectory: string;
  readonly homeDirectory: string;
};
