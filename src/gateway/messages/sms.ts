import { utf8 } from '../../core/base/bytes.ts';
import type { OutgoingSms } from '../../core/external/outgoing_message.ts';
import { type Carrier, CarrierError } from './carrier.ts';

/** Sends one guarded HTTP request: `send` of src/gateway/outbound/. */
export type SendRequest = (request: {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
  readonly maximumBytes: number;
}) => Promise<{ readonly status: number } | { readonly failure: string }>;

type SmsProvider = {
  readonly url: string;
  /** Optional bearer token. */
  readonly token: string | undefined;
};

const timeoutMs = 10_000;
/** Only the status of the answer is used. */
const maximumBytes = 64 * 1024;
/** Statuses after which the same request may succeed, in addition to all server errors. */
const passingStatuses: readonly number[] = [408, 425, 429];

/**
 * Creates the carrier for a provider of text messages, or an adapter of the operator. It receives a POST of
 * the JSON object `{ to, text }`, and answers 200 to 299 once it has accepted the message.
 */
export function createSmsCarrier(
  { url, token }: SmsProvider,
  send: SendRequest,
): Carrier<OutgoingSms> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return {
    send: async ({ to, text }) => {
      const body = utf8(JSON.stringify({ to, text }));
      const request = { url, method: 'POST', headers, body, timeoutMs, maximumBytes } as const;
      const answer = await send(request);
      if ('failure' in answer) {
        throw new CarrierError(answer.failure, answer.failure === 'refused_target');
      }
      const { status } = answer;
      if (status >= 200 && status < 300) return;
      const isPermanent = status < 500 && !passingStatuses.includes(status);
      throw new CarrierError(`status ${status}`, isPermanent);
    },
  };
}
