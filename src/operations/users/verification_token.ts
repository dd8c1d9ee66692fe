import { fail } from '../../core/errors.ts';

/** Contacts cannot be verified yet, so a token that says one was must not be passed over. */
export function refuseVerificationToken(parameters: { readonly verificationToken?: string }): void {
  if (parameters.verificationToken !== undefined) {
    fail('feature_unavailable', { what: 'verifying a contact by a token' });
  }
}
