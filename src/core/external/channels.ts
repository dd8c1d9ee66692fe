// The ways in which messages leave the service.

import { fail } from '../errors/errors.ts';
import type { OutgoingMessage } from './outgoing_message.ts';
import type { Deployment } from './outside.ts';

/**
 * Refuses what would never be sent. Raises `email_sending_disabled`, `sms_sending_disabled`.
 */
export function requireChannel(
  channel: OutgoingMessage['channel'],
  { sendsEmail, sendsSms }: Pick<Deployment, 'sendsEmail' | 'sendsSms'>,
): void {
  if (channel === 'email' && !sendsEmail) fail('email_sending_disabled');
  if (channel === 'sms' && !sendsSms) fail('sms_sending_disabled');
}
