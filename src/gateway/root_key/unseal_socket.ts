// The local socket through which `keywright unseal` sends a passphrase to a sealed service: the bytes of the
// passphrase, the end of the sender's half, and one line of JSON as the answer.

import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { textOfUtf8, wipe } from '../../core/base/bytes.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { listenLocally } from '../base/local_socket.ts';
import { readWhole } from '../base/read_whole.ts';
import { passphraseBytes } from './sealed_key.ts';

/** The answer to an unseal request: undefined after success, else the reason of the failure. */
export type UnsealAnswer = { readonly refusal: string | undefined };

/** Returns the path of the socket of a data directory. */
export function unsealSocketPath(dataDirectory: string): string {
  const path = join(dataDirectory, 'unseal.sock');
  const length = Buffer.byteLength(path);
  if (length <= maximumPathBytes) return path;
  throw new UnusableDataError(
    `the path ${path} is too long for a socket (${length} bytes, at most ${maximumPathBytes}): use a shorter KEYWRIGHT_DATA_DIR`,
  );
}

/** Maximum length in `sockaddr_un` on Linux. Other systems have less, and reject longer paths themselves. */
const maximumPathBytes = 107;
const maximumConnections = 8;
/** Limits of a request, which its sender sends at once. */
const bounds = { maximumBytes: passphraseBytes.maximum, withinMs: 10_000 };
const maximumAnswerBytes = 4096;

/**
 * Listens until `close`, only for this user. Passes one passphrase at a time to `take`, and wipes it
 * afterwards.
 */
export async function listenForUnseal(
  path: string,
  take: (passphrase: Uint8Array) => Promise<UnsealAnswer>,
): Promise<{ close(): void }> {
  let isBusy = false;
  /** Connections that have not sent everything yet. `close` ends only these. */
  const sockets = new Set<Socket>();
  const serve = async (socket: Socket): Promise<void> => {
    const passphrase = await readWhole(socket, bounds);
    sockets.delete(socket);
    if (passphrase === undefined) return;
    try {
      answer(
        socket,
        isBusy ? 'another passphrase is being tried, send it again' : await tried(passphrase),
      );
    } finally {
      wipe(passphrase);
    }
  };
  const tried = async (passphrase: Uint8Array): Promise<string | undefined> => {
    isBusy = true;
    try {
      return (await take(passphrase)).refusal;
    } finally {
      isBusy = false;
    }
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A disconnected sender gets no answer.
    socket.on('error', () => socket.destroy());
    void serve(socket).catch(() => socket.destroy());
  });
  server.maxConnections = maximumConnections;
  // The lock of the data directory or of the enclaves' socket excludes other listeners.
  await listenLocally(server, path, 0o600);
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends a passphrase to the service of a data directory; undefined if no service waits for it. */
export async function sendUnseal(
  path: string,
  passphrase: Uint8Array,
): Promise<UnsealAnswer | undefined> {
  const socket = connect({ path, allowHalfOpen: true });
  const connected = Promise.withResolvers<boolean>();
  socket.once('connect', () => connected.resolve(true));
  socket.once('error', () => connected.resolve(false));
  if (!(await connected.promise)) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const ended = Promise.withResolvers<void>();
  socket.on('data', (chunk: Uint8Array) => {
    length += chunk.length;
    if (length <= maximumAnswerBytes) chunks.push(chunk);
  });
  for (const event of ['end', 'close', 'error']) socket.once(event, () => ended.resolve());
  socket.end(passphrase);
  await ended.promise;
  socket.destroy();
  return answerIn(Buffer.concat(chunks));
}

function answerIn(bytes: Uint8Array): UnsealAnswer {
  const unread = { refusal: 'the service ended before it answered: look at its log' };
  const text = textOfUtf8(bytes);
  if (text === undefined || text === '') return unread;
  const { refusal }: { refusal?: unknown } = JSON.parse(text);
  return { refusal: typeof refusal === 'string' ? refusal : undefined };
}

function answer(socket: Socket, refusal: string | undefined): void {
  socket.end(`${JSON.stringify({ refusal })}\n`);
}
