// Contacts whose code is known beforehand, so that an integration can be tested without a mailbox.

/** The code of every test contact. */
export const testCode = '000000';

const testNumber = '+19999999999';
const testContacts: readonly string[] = ['user@example.com', testNumber];

/** Returns true if a number is the one of tests, which nobody has. */
export function isTestNumber(phoneNumber: string): boolean {
  return phoneNumber === testNumber;
}

/**
 * Returns true if a code for this contact is `testCode`, and nothing is sent: only for the two test
 * contacts, only for codes of six digits, and only where the deployment is in development mode, for
 * anybody could enter with it.
 */
export function isTestContact(
  contact: string,
  { length, alphanumeric }: { readonly length: number; readonly alphanumeric: boolean },
  isDevelopment: boolean,
): boolean {
  return (
    isDevelopment && !alphanumeric && length === testCode.length && testContacts.includes(contact)
  );
}
