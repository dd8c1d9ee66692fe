import { otpTypeTable } from '../../core/auth/one_time_codes/otp_codes.ts';
import {
  checkSignedBy,
  requireVerification,
  type UsedIn,
  useVerification,
  type Verification,
} from '../../core/auth/verifications.ts';
import type { OtpType } from '../../core/base/enums.ts';
import type { ServiceKeys } from '../../core/crypto/service_keys.ts';
import { fail } from '../../core/errors/errors.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { OrganizationDraft, OrganizationView } from '../../core/organization/state.ts';
import { updateUser } from '../../core/users/users.ts';
import type { SubmittedWith } from '../operation.ts';

/** A contact of a request, the path of its member, and its token. */
type ShownContact = {
  readonly contact: string;
  readonly field: string;
  readonly verificationToken: string | undefined;
};

type ContactInput = {
  readonly organization: OrganizationView;
  readonly submittedWith: SubmittedWith;
  readonly context: { readonly now: number };
  readonly services: { readonly serviceKeys: ServiceKeys; readonly deployment: Deployment };
};

/**
 * Returns the verification of a contact; undefined without a token. The token must be about this contact,
 * and its key must have signed the request: otherwise anyone who reads a token could take the contact.
 * Raises `verification_token_invalid`, `client_signature_invalid`, and the errors of a contact.
 */
export function verifiedContact(
  otpType: OtpType,
  { contact, field, verificationToken: token }: ShownContact,
  { organization, submittedWith, context: { now }, services }: ContactInput,
): Verification | undefined {
  if (token === undefined) return undefined;
  const at = { ...services, now };
  const verification = requireVerification(token, ['current', 'first'], organization, at);
  const isThisOne =
    verification.otpType === otpType &&
    verification.contact === otpTypeTable[otpType].check(contact, field);
  if (!isThisOne) fail('verification_token_invalid', { reason: 'it is about another contact' });
  checkSignedBy(verification, submittedWith.publicKey);
  return verification;
}

/** Stores a contact of a user, and uses up its verification token. An empty text removes the contact. */
export function changeContact(
  contact: {
    readonly userId: string;
    readonly member: 'email' | 'phoneNumber';
    readonly text: string;
    /** ID of the submitter's credential. */
    readonly signedWith: string;
  },
  verification: Verification | undefined,
  organization: OrganizationDraft,
  usedIn: UsedIn,
): { readonly userId: string } {
  if (verification !== undefined) {
    useVerification(verification, 'contact_change', organization, usedIn);
  }
  const { userId, member, text, signedWith } = contact;
  const verified = verification?.otpType;
  const changes = { [member]: text === '' ? null : text, verified, signedWith };
  return { userId: updateUser(userId, changes, organization, usedIn.now).id };
}
