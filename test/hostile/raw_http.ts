// HTTP by the byte: what is sent is exactly what a test says, and what comes back is taken apart.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** Bytes of texts (one byte a character) and byte arrays, one after the other. */
export function rawBytes(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
}

/**
 * Sends and waits for so many answers, then asks for health on the same connection and lets it end:
 * what was hidden in the bytes would be answered before. Gives all answers but that last one.
 */
export async function exchange(
  port: number,
  bytes: Uint8Array,
  expected: number,
): Promise<readonly RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1' });
  let isAsked = false;
  const askForHealth = (answers: readonly RawAnswer[]): void => {
    if (isAsked || answers.length < expected) return;
    isAsked = true;
    socket.write('GET /health/live HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
  };
  socket.write(bytes);
  askForHealth([]);
  const answers = await received(socket, askForHealth);
  const isHealthy = answers.at(-1)?.body === '{"status":"ok"}';
  return isHealthy ? answers.slice(0, -1) : answers;
}

/** Sends and closes its own side; gives all answers until the service has closed the other. */
export async function sendAndEnd(port: number, bytes: Uint8Array): Promise<readonly RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.end(bytes);
  return received(socket);
}

/** Sends and keeps its own side open; gives all answers until the service ends the connection. */
export async function hold(
  port: number,
  bytes: Uint8Array,
  thenEvery: { readonly milliseconds: number; readonly bytes: Uint8Array } | undefined,
): Promise<readonly RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(bytes);
  const drip =
    thenEvery && setInterval(() => socket.write(thenEvery.bytes), thenEvery.milliseconds);
  try {
    return await received(socket);
  } finally {
    clearInterval(drip);
  }
}

/** Sends, and goes away without listening. */
export function abandon(port: number, bytes: Uint8Array): Promise<void> {
  const gone = Promise.withResolvers<void>();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.once('error', gone.reject);
  socket.once('close', () => gone.resolve());
  socket.write(bytes, () => socket.resetAndDestroy());
  return gone.promise;
}

function received(
  socket: Socket,
  seen: (answers: readonly RawAnswer[]) => void = () => undefined,
): Promise<readonly RawAnswer[]> {
  let bytes = '';
  const all = Promise.withResolvers<readonly RawAnswer[]>();
  socket.setEncoding('latin1').on('data', (text: string) => {
    bytes += text;
    seen(answersIn(bytes).answers);
  });
  // A service that has answered and closed need not read the rest of what is sent.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') all.reject(error);
  });
  socket.once('close', () => {
    const { answers, rest } = answersIn(bytes);
    if (rest === '') all.resolve(answers);
    else all.reject(new Error(`no answer: ${rest.slice(0, 500)}`));
  });
  return all.promise;
}

/** The whole answers at the front of what came, and what is left. */
function answersIn(bytes: string): {
  readonly answers: readonly RawAnswer[];
  readonly rest: string;
} {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return { answers, rest };
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) [ -~]+$/.exec(statusLine) ?? [];
    if (status === undefined) return { answers, rest };
    const headers = new Map(lines.map(headerOf));
    const isBare = status === '100' || status === '204' || status === '304';
    const length = isBare ? 0 : Number(headers.get('content-length'));
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return { answers, rest };
    answers.push({ status: Number(status), headers, body });
    rest = rest.slice(end + 4 + length);
  }
}

function headerOf(line: string): readonly [string, string] {
  const [, name, value = ''] = /^([!-9;-~]+): ?([ -~]*)$/.exec(line) ?? [];
  assert(name !== undefined, `no header: ${line}`);
  return [name.toLowerCase(), value];
}
