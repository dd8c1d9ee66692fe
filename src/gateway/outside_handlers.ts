// What the enclave may ask of the world, answered by this process.

import { assert } from '../core/errors.ts';
import type { OutgoingMessage } from '../core/outgoing_message.ts';
import type { Outside } from '../core/outside.ts';
import type { Handlers } from '../enclave/link.ts';
import type { OutsideMessages, RequestOf } from '../enclave/protocol.ts';

type Message = RequestOf<OutsideMessages['deliver']>['messages'][number];

/** Serves the enclave's messages that go beyond the service itself. */
export function outsideHandlers(outside: Outside): Handlers<OutsideMessages> {
  return {
    issuerKeys: async ({ issuer, keyId }) => ({
      keys: JSON.stringify(await outside.issuerKeys(issuer, keyId)),
    }),
    deliver: async ({ messages }) => {
      await outside.deliver(messages.map(messageOf));
      return undefined;
    },
    fetch: ({ url, method, headers, body }) =>
      outside.fetch({
        url,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        body,
      }),
    refusedTarget: async ({ url }) => ({ reason: await outside.refusedTarget(url) }),
    verifyCaptcha: async ({ token, remoteAddress }) => ({
      isSolved: await outside.verifyCaptcha(token, remoteAddress),
    }),
  };
}

function messageOf({ channel, to, text, ...rest }: Message): OutgoingMessage {
  if (channel === 'sms') return { channel, to, text };
  const { subject, html, senderName, from, replyTo } = rest;
  assert(
    channel === 'email' && subject !== undefined && html !== undefined && senderName !== undefined,
    'a message is an e-mail or a text message',
  );
  return {
    channel,
    to,
    text,
    subject,
    html,
    senderName,
    ...(from === undefined ? {} : { from }),
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}
