// Raw HTTP: sends exactly the bytes of a test, and parses the answers.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** Joins texts (one byte per character) and byte arrays. */
export function rawBytes(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
}

/**
 * Sends bytes and waits for this number of answers, then requests health on the same connection, which ends
 * it. A request hidden in the bytes would be answered first. Returns all answers but the last.
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

/** Sends bytes and closes the sending side; returns all answers until the service closes the connection. */
export async function sendAndEnd(port: number, bytes: Uint8Array): Promise<readonly RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.end(bytes);
  return received(socket);
}

/**
 * Sends bytes and keeps the sending side open; returns all answers until the service ends the connection.
 */
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

/** Sends bytes, and disconnects without reading. */
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
  // A service that has answered and closed need not read the remaining bytes.
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

/** Returns the complete answers at the start of the bytes, and the rest. */
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
