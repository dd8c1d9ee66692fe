// Test contacts with a fixed code, for integration tests without a mailbox.

/** The code of every test contact. */
export const testCode = '000000';

const testNumber = '+19999999999';
const testContacts: readonly string[] = ['user@example.com', testNumber];

/** Returns true for the test number, which belongs to no subscriber. */
export function isTestNumber(phoneNumber: string): boolean {
  return phoneNumber === testNumber;
}

/**
 * Returns true if a code for this contact is `testCode` and no message is sent. This holds only for the two
 * test contacts, for codes of six digits, and in development mode, since anyone could log in with it.
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
