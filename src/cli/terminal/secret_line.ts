// Reads lines without echo, as bytes that can be wiped.

const maximumBytes = 1024;
/** Maximum lines that are typed before their prompt. */
const maximumAhead = 4;
const keys = { endOfText: 0x03, endOfInput: 0x04, backspace: 0x08, lineFeed: 0x0a, enter: 0x0d };
const controls = { lowest: 0x20, delete: 0x7f };

type SecretLines = {
  /**
   * Prints a prompt on standard error, and resolves with the bytes of the line, which the caller wipes.
   * Control-C sends SIGINT to the process. Rejects with the reason of the signal when it aborts.
   */
  readonly ask: (question: string, signal: AbortSignal) => Promise<Uint8Array>;
  /**
   * Runs work with several prompts. Hides all input from the first prompt to the end of the work. A line
   * typed between two prompts answers the second.
   */
  readonly silently: <R>(work: () => Promise<R>) => Promise<R>;
  /** Shows input again until the next prompt, for other readers of the terminal. */
  readonly release: () => void;
};

/** Returns the secret lines of this process's terminal. */
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
      // Hide input before the prompt appears, so that no typed character is shown.
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

/** Collects the bytes of a line; `bytes` returns them. */
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

/** Returns true for UTF-8 continuation bytes. */
const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x80 && byte < 0xc0;
