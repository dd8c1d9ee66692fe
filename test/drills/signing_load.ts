// Clients that sign without a pause, each body sent once and never again: what a client sees is what counts.

import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { accountParameters, createAddress } from '../e2e/clients.ts';
import type { RunningService } from '../e2e/service.ts';
import { stampOf } from '../torture/ledger.ts';

/** One request and what became of it. */
export type Sent = {
  /** When the answer came, or the connection broke; milliseconds of `performance.now()`. */
  readonly endedAtMs: number;
  readonly durationMs: number;
  /** The status of the answer, or the reason why there was none. */
  readonly outcome: number | string;
  /** Of what was acknowledged. */
  readonly activityId: string | undefined;
};

export type SigningLoad = {
  /** All requests so far. */
  readonly sent: readonly Sent[];
  /** No further requests; resolves when the last was answered. */
  stop(): Promise<void>;
};

/** Returns what sends one signature with a new wallet of the root organization. */
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
      const asked = request(`${baseUrl}/public/v1/submit/sign_raw_payload`, {
        method: 'POST',
        agent,
        headers: { 'x-stamp': stampOf(body, key), 'content-length': body.length },
      });
      asked.end(body);
      const [answer]: IncomingMessage[] = await once(asked, 'response');
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

/** Returns what starts clients that sign with a new wallet of the root organization. */
export async function signersOf(node: RunningService) {
  const sendOnce = await senderOf(node);

  /** So many clients, each of which rests after each answer, and a moment after one that was none. */
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

/** How often each outcome came. */
export function outcomesOf(sent: readonly Sent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of sent) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
