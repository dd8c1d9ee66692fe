// Contacts whose code is known beforehand, so that an integration can be tested without a mailbox.

import type { CodeForm } from './otp_code.ts';

/** The code of every test contact. */
export const testCode = '000000';

const testContacts: readonly string[] = ['user@example.com', '+19999999999'];

/**
 * Whether a code for this contact is `testCode`, and nothing is sent: only for the two test contacts,
 * only for codes of six digits, and only where the deployment is in development mode, for anybody
 * could enter with it.
 */
export function isTestContact(
  contact: string,
  { length, alphanumeric }: CodeForm,
  isDevelopment: boolean,
): boolean {
  return (
    isDevelopment && !alphanumeric && length === testCode.length && testContacts.includes(contact)
  );
}
