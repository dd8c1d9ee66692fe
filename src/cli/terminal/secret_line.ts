// Lines that are typed without echo. They never become texts, which nothing could wipe.

const maximumBytes = 1024;
/** Maximum number of lines buffered ahead of their prompts. */
const maximumAhead = 4;
const keys = { endOfText: 0x03, endOfInput: 0x04, backspace: 0x08, lineFeed: 0x0a, enter: 0x0d };
const controls = { lowest: 0x20, delete: 0x7f };

type SecretLines = {
  /**
   * Asks on the standard error and resolves with the bytes of the line, the caller's to wipe. Control-C
   * interrupts the program as everywhere. Rejects with the reason of the signal when that is aborted.
   */
  readonly ask: (question: string, signal: AbortSignal) => Promise<Uint8Array>;
  /**
   * Runs work that asks several times. Nothing that is typed from its first question to its end is shown,
   * and a line that is typed between two questions answers the second.
   */
  readonly silently: <R>(work: () => Promise<R>) => Promise<R>;
  /** Shows what is typed again, until the next question: for who reads the terminal otherwise. */
  readonly release: () => void;
};

/** The lines of the terminal that the program is started in. */
export function secretLines(): SecretLines {
  const { stderr } = process;
  let line = newLine();
  let ahead: Uint8Array[] = [];
  let works = 0;
  let isSilent = false;
  let answer: ((typed: Uint8Array) => void) | undefined;

  const give = (typed: Uint8Array): void => {
    if (answer !== undefined) answer(typed);
    else if (works > 0 && ahead.length < maximumAhead) ahead.push(typed);
    else typed.fill(0);
  };
  const take = (chunk: Uint8Array): void => {
    for (const byte of chunk) {
      if (byte === keys.enter || byte === keys.lineFeed || byte === keys.endOfInput) {
        const typed = line.bytes();
        line = newLine();
        give(typed);
      } else if (byte === keys.endOfText) {
        process.kill(process.pid, 'SIGINT');
      } else {
        line.type(byte);
      }
    }
    chunk.fill(0);
  };
  const hide = (): void => {
    if (isSilent) return;
    isSilent = true;
    process.stdin.setRawMode(true);
    process.stdin.on('data', take);
    process.stdin.resume();
  };
  const release = (): void => {
    if (!isSilent) return;
    isSilent = false;
    process.stdin.off('data', take);
    process.stdin.setRawMode(false);
    process.stdin.pause();
    for (const typed of [line.bytes(), ...ahead]) typed.fill(0);
    line = newLine();
    ahead = [];
  };

  return {
    ask: (question, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason);
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      const end = (): void => {
        answer = undefined;
        signal.removeEventListener('abort', abort);
        stderr.write('\n');
        if (works === 0) release();
      };
      const abort = (): void => {
        end();
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      answer = (typed) => {
        end();
        resolve(typed);
      };
      // Before the question: what is typed at once would else be shown.
      hide();
      stderr.write(question);
      const typed = ahead.shift();
      if (typed !== undefined) give(typed);
      return promise;
    },
    silently: async (work) => {
      works += 1;
      try {
        return await work();
      } finally {
        works -= 1;
        if (works === 0) release();
      }
    },
    release,
  };
}

/** A line while it is typed: `bytes` ends it. */
function newLine() {
  const line = new Uint8Array(new ArrayBuffer(maximumBytes));
  let length = 0;
  const erase = (): void => {
    while (length > 0 && isContinuation(line[length - 1])) length -= 1;
    if (length > 0) length -= 1;
    line.fill(0, length);
  };
  return {
    type: (byte: number): void => {
      if (byte === keys.backspace || byte === controls.delete) erase();
      else if (byte >= controls.lowest && length < maximumBytes) {
        line[length] = byte;
        length += 1;
      }
    },
    bytes: (): Uint8Array => line.subarray(0, length),
  };
}

/** Bytes of a character after its first, in UTF-8. */
const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x80 && byte < 0xc0;
