import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutgoingMessage } from '../../src/core/external/outgoing_message.ts';
import { externalServicesOverLink } from '../../src/enclave/services/external_services_over_link.ts';
import { externalHandlers } from '../../src/gateway/enclave/external_handlers.ts';

test('messages cross the link with all their members', async () => {
  const delivered: OutgoingMessage[] = [];
  const outside = { deliver: async (all: readonly OutgoingMessage[]) => delivered.push(...all) };
  const handlers = externalHandlers(outside as never);
  const link = { call: (name: 'deliver', request: never) => handlers[name](request) };
  const mail = {
    channel: 'email',
    to: 'user@example.com',
    subject: 'Your code',
    text: '123456',
    html: '<p>123456</p>',
    senderName: 'Wallet',
  } as const;
  const sms = { channel: 'sms', to: '+12025550123', text: '123456' } as const;
  const messages: readonly OutgoingMessage[] = [
    mail,
    {
      ...mail,
      account: 'organization 192.0.2.1/32',
      from: 'login@wallet.example',
      replyTo: 'help@wallet.example',
      reference: { organizationId: 'organization', messageId: 'message' },
    },
    sms,
    { ...sms, account: 'organization' },
  ];
  await externalServicesOverLink(link as never).deliver(messages);
  assert.deepEqual(delivered, messages);
});
