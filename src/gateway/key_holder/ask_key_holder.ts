// Forwards orders to the holder of external keys. The gateway cannot create valid orders.

import { connect } from 'node:net';
import { bytesOfHex, hex, textOfUtf8 } from '../../core/base/bytes.ts';
import { fail } from '../../core/errors/errors.ts';
import type { ExternalServices } from '../../core/external/external_services.ts';
import {
  maximumOrderedSignatures,
  maximumSignatureBytes,
} from '../../core/keys/external_bounds.ts';
import { isJsonObject, parsedJson } from '../../core/schema/json.ts';
import { readWhole } from '../base/read_whole.ts';
import type { Log } from '../observability/log.ts';
import { maximumAnswerBytes, maximumOrders, orderMs, sendMs } from './protocol.ts';

type Answer = { readonly heldBy: string; readonly signatures: readonly Uint8Array[] };

/** Connects to the socket of `keywright key-holder` for each order. Tests replace the time limit. */
export function createKeyHolderClient(
  path: string | undefined,
  log: Log,
  withinMs = sendMs + orderMs,
): ExternalServices['orderSignatures'] {
  let underWay = 0;
  const failed = (reason: string): never => fail('external_signer_unavailable', { reason });

  return async ({ order, signature }) => {
    if (path === undefined) return failed('KEYWRIGHT_KEY_HOLDER_SOCKET is not set');
    if (underWay >= maximumOrders) return failed('there are too many orders');
    underWay += 1;
    try {
      const request = JSON.stringify({ order, signature: hex(signature) });
      const answer = readAnswer(await exchanged(path, request, withinMs));
      if (!('refusal' in answer)) return answer;
      log('warn', 'the holder of an external key did not sign', { reason: answer.refusal });
      return failed(shown(answer.refusal));
    } finally {
      underWay -= 1;
    }
  };
}

async function exchanged(
  path: string,
  request: string,
  withinMs: number,
): Promise<Uint8Array | undefined> {
  const socket = connect({ path, allowHalfOpen: true });
  const answer = readWhole(socket, { maximumBytes: maximumAnswerBytes, withinMs });
  socket.end(request);
  try {
    return await answer;
  } finally {
    socket.destroy();
  }
}

function readAnswer(bytes: Uint8Array | undefined): Answer | { readonly refusal: string } {
  if (bytes === undefined) return { refusal: 'it does not answer' };
  const answer = parsedJson(textOfUtf8(bytes) ?? '');
  const { heldBy, signatures, refusal } = isJsonObject(answer) ? answer : {};
  if (typeof refusal === 'string') return { refusal };
  if (typeof heldBy !== 'string' || !Array.isArray(signatures)) return unreadable;
  const read = signatures.slice(0, maximumOrderedSignatures + 1).map((each) => {
    const signature = typeof each === 'string' ? bytesOfHex(each) : undefined;
    return signature ?? new Uint8Array(0);
  });
  return read.some(({ length }) => length > maximumSignatureBytes)
    ? unreadable
    : { heldBy, signatures: read };
}

const unreadable = { refusal: 'its answer cannot be read' };

/** Returns a text from a command's output, restricted to printable ASCII. */
const shown = (text: string): string => text.replace(/[^ -~]/g, '?').slice(0, 256);
