// A line that is typed without echo. It never becomes a text, which nothing could wipe.

const maximumBytes = 1024;
const keys = { endOfText: 0x03, endOfInput: 0x04, backspace: 0x08, lineFeed: 0x0a, enter: 0x0d };
const controls = { lowest: 0x20, delete: 0x7f };
/** Bytes of a character after its first, in UTF-8. */
const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x80 && byte < 0xc0;

/**
 * Asks on the standard error and resolves with the bytes of the line, the caller's to wipe. Control-C
 * interrupts the program as everywhere. Rejects with the reason of the signal when that is aborted.
 */
export function askSecretLine(question: string, signal: AbortSignal): Promise<Uint8Array> {
  const { stdin, stderr } = process;
  const answer = Promise.withResolvers<Uint8Array>();
  const line = new Uint8Array(new ArrayBuffer(maximumBytes));
  let length = 0;
  const end = (): void => {
    stdin.off('data', take);
    stdin.setRawMode(false);
    stdin.pause();
    signal.removeEventListener('abort', abort);
    stderr.write('\n');
  };
  const abort = (): void => {
    end();
    line.fill(0);
    answer.reject(signal.reason);
  };
  const erase = (): void => {
    while (length > 0 && isContinuation(line[length - 1])) length -= 1;
    if (length > 0) length -= 1;
    line.fill(0, length);
  };
  const take = (chunk: Uint8Array): void => {
    for (const byte of chunk) {
      if (byte === keys.enter || byte === keys.lineFeed || byte === keys.endOfInput) {
        end();
        answer.resolve(line.subarray(0, length));
        break;
      }
      if (byte === keys.endOfText) {
        process.kill(process.pid, 'SIGINT');
        break;
      }
      if (byte === keys.backspace || byte === controls.delete) erase();
      else if (byte >= controls.lowest && length < maximumBytes) {
        line[length] = byte;
        length += 1;
      }
    }
    chunk.fill(0);
  };
  if (signal.aborted) return Promise.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  // Before the question: what is typed at once would else be shown.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.on('data', take);
  stdin.resume();
  return answer.promise;
}
