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
  /** Sent as bearer token. */
  readonly token: string | undefined;
};

const timeoutMs = 10_000;
/** Only the status of the answer is used. */
const maximumBytes = 64 * 1024;
/** Answers after which the same request may succeed; so may it after any of the server's errors. */
const passingStatuses: readonly number[] = [408, 425, 429];

/**
 * A provider of text messages, or the operator's own adapter to one: takes a POST of the JSON object
 * `{ to, text }`, and answers any status of 200 to 299 when it has taken the message over.
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
