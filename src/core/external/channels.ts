// The channels of outgoing messages.

import { fail } from '../errors/errors.ts';
import type { Deployment } from './external_services.ts';
import type { OutgoingMessage } from './outgoing_message.ts';
import { isTestNumber } from './sandbox_contacts.ts';

/** Rejects messages of a disabled channel. Raises `email_sending_disabled` and `sms_sending_disabled`. */
export function requireChannel(
  channel: OutgoingMessage['channel'],
  { sendsEmail, sendsSms }: Pick<Deployment, 'sendsEmail' | 'sendsSms'>,
): void {
  if (channel === 'email' && !sendsEmail) fail('email_sending_disabled');
  if (channel === 'sms' && !sendsSms) fail('sms_sending_disabled');
}

/**
 * Rejects a number (E.164) without a prefix that the operator allows. Strangers choose numbers, and some are
 * expensive. Test contacts in development mode receive no message and are allowed. Raises
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
