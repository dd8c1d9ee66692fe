// The ways in which messages leave the service.

import { fail } from '../errors/errors.ts';
import type { Deployment } from './external_services.ts';
import type { OutgoingMessage } from './outgoing_message.ts';
import { isTestNumber } from './sandbox_contacts.ts';

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

/**
 * Refuses a number (E.164) that the operator has not said text messages may go to: some cost their sender
 * much, and strangers name them. Test contacts of a development are sent nothing. Raises
 * `sms_number_not_allowed`.
 */
export function requireSmsNumber(
  phoneNumber: string,
  { smsPrefixes, isDevelopment }: Pick<Deployment, 'smsPrefixes' | 'isDevelopment'>,
): void {
  if (smsPrefixes === undefined || (isDevelopment && isTestNumber(phoneNumber))) return;
  if (smsPrefixes.some((prefix) => phoneNumber.startsWith(prefix))) return;
  fail('sms_number_not_allowed');
}
