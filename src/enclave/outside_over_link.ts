import type { OutgoingMessage } from '../core/outgoing_message.ts';
import type { Outside } from '../core/outside.ts';
import type { Json } from '../core/schema/json.ts';
import type { Link } from './link.ts';
import type { GatewayMessages, RequestOf } from './protocol.ts';

type Message = RequestOf<GatewayMessages['deliver']>['messages'][number];

/** The world on the enclave's side: each call is a message to the gateway. */
export function outsideOverLink(link: Pick<Link<GatewayMessages>, 'call'>): Outside {
  return {
    issuerKeys: async (issuer, keyId) => {
      const { keys } = await link.call('issuerKeys', { issuer, keyId });
      return JSON.parse(keys) as Json;
    },
    deliver: async (messages) => {
      await link.call('deliver', { messages: messages.map(asMessage) });
    },
    fetch: ({ url, method, headers, body }) => {
      const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
      return link.call('fetch', { url, method, headers: list, body });
    },
    refusedTarget: async (url) => (await link.call('refusedTarget', { url })).reason,
    verifyCaptcha: async (token, remoteAddress) => {
      return (await link.call('verifyCaptcha', { token, remoteAddress })).isSolved;
    },
  };
}

function asMessage(message: OutgoingMessage): Message {
  const { channel, to, text } = message;
  const none = {
    subject: undefined,
    html: undefined,
    from: undefined,
    senderName: undefined,
    replyTo: undefined,
  };
  return channel === 'sms' ? { channel, to, text, ...none } : { ...none, ...message };
}
