// Clients that sign continuously. Each body is sent only once, so the outcomes are those that a client sees.

import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { accountParameters, createAddress } from '../e2e/clients.ts';
import type { RunningService } from '../e2e/service.ts';
import { stampOf } from '../torture/ledger.ts';

/** A request and its outcome. */
export type Sent = {
  /** Time of the answer or of the broken connection, in milliseconds of `performance.now()`. */
  readonly endedAtMs: number;
  readonly durationMs: number;
  /** The status of the answer, or the reason for a missing answer. */
  readonly outcome: number | string;
  /** The acknowledged activity. */
  readonly activityId: string | undefined;
};

export type SigningLoad = {
  /** All requests so far. */
  readonly sent: readonly Sent[];
  /** Sends no further requests. Resolves after the last answer. */
  stop(): Promise<void>;
};

/** Returns a function that requests one signature with a new wallet of the root organization. */
export async function senderOf(node: RunningService) {
  const { organizationId, apiPrivateKey, apiPublicKey } = node.credentials;
  const key = { privateKey: Uint8Array.fromHex(apiPrivateKey), publicKey: apiPublicKey };
  const signWith = await createAddress(node, 'Signing', accountParameters.ethereum);
  let serial = 0;

  function newBody(): Buffer {
    serial += 1;
    return Buffer.from(
      JSON.stringify({
        type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
        timestampMs: String(Date.now()),
        organizationId,
        parameters: {
          signWith,
          payload: `request ${serial}`,
          encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
          hashFunction: 'HASH_FUNCTION_SHA256',
        },
      }),
    );
  }

  async function sendOnce(baseUrl: string, agent: Agent): Promise<Sent> {
    const body = newBody();
    const sentAtMs = performance.now();
    const ended = (outcome: Sent['outcome'], activityId?: string): Sent => {
      const endedAtMs = performance.now();
      return { endedAtMs, durationMs: endedAtMs - sentAtMs, outcome, activityId };
    };
    try {
      const sending = request(`${baseUrl}/public/v1/submit/sign_raw_payload`, {
        method: 'POST',
        agent,
        headers: { 'x-stamp': stampOf(body, key), 'content-length': body.length },
      });
      sending.end(body);
      const [answer]: IncomingMessage[] = await once(sending, 'response');
      if (answer === undefined) return ended('no answer');
      const answered = await text(answer);
      const { statusCode = 0 } = answer;
      return ended(statusCode, statusCode === 200 ? JSON.parse(answered).activity.id : undefined);
    } catch (error) {
      const isNamed = error instanceof Error && 'code' in error;
      return ended(isNamed ? String(error.code) : String(error));
    }
  }

  return sendOnce;
}

/** Returns a function that starts clients, which sign with a new wallet of the root organization. */
export async function signersOf(node: RunningService) {
  const sendOnce = await senderOf(node);

  /** Starts clients. Each pauses after an answer, and briefly after a failure. */
  return (baseUrl: string, clients: number, restMs = 0): SigningLoad => {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const sent: Sent[] = [];
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        const each = await sendOnce(baseUrl, agent);
        sent.push(each);
        const wait = each.outcome === 200 ? restMs : restMs + 20;
        if (wait > 0) await pause(wait);
      }
    };
    const running = Array.from({ length: clients }, client);
    return {
      sent,
      stop: async () => {
        isOver = true;
        await Promise.all(running);
        agent.destroy();
      },
    };
  };
}

/** Counts the requests by outcome. */
export function outcomesOf(sent: readonly Sent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of sent) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
