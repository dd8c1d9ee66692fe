// `keywright key-holder`: signs with keys of hardware modules and key management services. It runs as another
// user than the gateway, and only it has their PINs and credentials. It obeys only orders that the enclave
// signed, so a compromised gateway gets no signature from it.

import { createServer, type Socket } from 'node:net';
import { bytesOfHex, hex, textOfUtf8 } from '../../core/base/bytes.ts';
import { maximumSignatureBytes } from '../../core/keys/external_bounds.ts';
import { isJsonObject, parsedJson } from '../../core/schema/json.ts';
import { lockFile } from '../../store/data_directory/data_directory.ts';
import { listenLocally } from '../base/local_socket.ts';
import { readWhole } from '../base/read_whole.ts';
import { type CommandFailure, commandEnvironment, runCommand } from '../base/run_command.ts';
import type { Log } from '../observability/log.ts';
import type { HolderTool } from './holder_tools.ts';
import type { HeldKey, HolderKeys } from './keys_file.ts';
import { type AcceptedOrder, createOrders, type Refused } from './orders.ts';
import { maximumOrderBytes, maximumOrders, orderMs, sendMs, signMs } from './protocol.ts';

/** Maximum concurrent commands, over all orders. */
const commandsAtOnce = 8;
/** Maximum characters of a signature in base64 or hex, with a line end. */
const maximumOutputBytes = 2 * maximumSignatureBytes + 2;

type HolderParts = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Timeout of a command in milliseconds. Tests replace it. */
  readonly longestMs?: number;
};

/** Listens until `stop`, for this user and its group. Raises UnusableDataError if the socket is in use. */
export async function serveKeyHolder(
  path: string,
  keys: HolderKeys,
  parts: HolderParts,
): Promise<{ stop(): Promise<void> }> {
  const { log, clock, longestMs = signMs } = parts;
  const ended = new AbortController();
  const accept = createOrders(keys.authority, clock);
  const environment = commandEnvironment(keys.environment, parts.environment);
  const signing = createSigning({ environment, longestMs, signal: ended.signal });

  const answerTo = async (request: Uint8Array): Promise<object> => {
    const order = accepted(request, accept);
    if ('refusal' in order) return order;
    const { organizationId, publicKey, fingerprint, signedBytes } = order;
    const what = { organizationId, publicKey, fingerprint, count: signedBytes.length };
    const key = keys.keyOf(order);
    if (key === undefined) {
      log('warn', 'an order names a key that is not in the file', what);
      return { refusal: 'the holder has no such key for this organization' };
    }
    const signed = await signing(key, signedBytes);
    if ('reason' in signed) {
      log('warn', 'an order failed', { ...what, ...signed });
      // The output of the command may contain accounts or secrets, so callers receive only the reason.
      return { refusal: signed.reason };
    }
    log('info', 'an order was followed', what);
    return { heldBy: key.holder, ...signed };
  };

  const serve = async (socket: Socket): Promise<void> => {
    socket.on('error', () => socket.destroy());
    const bounds = { maximumBytes: maximumOrderBytes, withinMs: sendMs };
    const request = await readWhole(socket, bounds);
    if (request !== undefined) socket.end(JSON.stringify(await answerTo(request)));
  };
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void serve(socket).catch(() => socket.destroy());
  });
  server.maxConnections = maximumOrders;
  const lock = lockFile(`${path}.lock`, `the socket ${path}`);
  await listenLocally(server, path, 0o660).catch((error) => {
    lock.close();
    throw error;
  });
  return {
    stop: async () => {
      ended.abort();
      server.close();
      for (const socket of sockets) socket.destroy();
      lock.close();
    },
  };
}

function accepted(
  request: Uint8Array,
  accept: ReturnType<typeof createOrders>,
): AcceptedOrder | Refused {
  const body = parsedJson(textOfUtf8(request) ?? '');
  const { order, signature } = isJsonObject(body) ? body : {};
  const signatureBytes = typeof signature === 'string' ? bytesOfHex(signature) : undefined;
  if (typeof order !== 'string' || signatureBytes === undefined) {
    return { refusal: 'the request is not an order' };
  }
  return accept({ order, signature: signatureBytes });
}

type Signing = (
  key: HeldKey,
  signedBytes: readonly Uint8Array[],
) => Promise<{ readonly signatures: readonly string[] } | CommandFailure>;

/** Signs one message after another. Commands of several orders share a number of places. */
function createSigning(of: {
  readonly environment: Record<string, string>;
  readonly longestMs: number;
  readonly signal: AbortSignal;
}): Signing {
  let running = 0;
  const waiting: (() => void)[] = [];
  const inPlace = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (running < commandsAtOnce) running += 1;
    // Each command that ends starts the next one.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
  return async ({ holder, tool }, signedBytes) => {
    const signatures: string[] = [];
    const lateAt = performance.now() + orderMs;
    for (const input of signedBytes) {
      const place = `the command of ${holder}`;
      const ran = await inPlace(async () => {
        const longestMs = Math.min(of.longestMs, Math.floor(lateAt - performance.now()));
        if (longestMs <= 0) return { failure: { reason: `${place} is too slow` } };
        const options = { ...of, input, maximumOutputBytes, longestMs, place };
        return runCommand(tool.words, options);
      });
      if ('failure' in ran) return ran.failure;
      const signature = decoded(ran.output, tool.encoding);
      if (signature === undefined) return { reason: `${place} printed no ${tool.encoding}` };
      signatures.push(hex(signature));
    }
    return { signatures };
  };
}

function decoded(output: Uint8Array, encoding: HolderTool['encoding']): Uint8Array | undefined {
  if (encoding === 'raw') return output.length > maximumSignatureBytes ? undefined : output;
  const text = textOfUtf8(output)?.trimEnd() ?? '';
  if (encoding === 'hex') return bytesOfHex(text);
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    // The output is not base64.
    return undefined;
  }
}
