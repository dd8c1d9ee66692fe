import { otpTypeTable } from '../../core/auth/otp/otp_codes.ts';
import {
  checkSignedBy,
  requireVerification,
  type Verification,
} from '../../core/auth/verifications.ts';
import type { OtpType } from '../../core/base/enums.ts';
import type { ServiceKeys } from '../../core/crypto/service_keys.ts';
import { fail } from '../../core/errors/errors.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { SubmittedWith } from '../operation.ts';

/** A contact of a request, the path of the member that it stands in, and the token that came along. */
type ShownContact = {
  readonly contact: string;
  readonly field: string;
  readonly verificationToken: string | undefined;
};

type Asked = {
  readonly organization: OrganizationView;
  readonly submittedWith: SubmittedWith;
  readonly context: { readonly now: number };
  readonly services: { readonly serviceKeys: ServiceKeys; readonly deployment: Deployment };
};

/**
 * That the contact of a request is the one that its token is about, and that the token's key signed the
 * request: else whoever reads a token makes somebody else's contact their own. Undefined without a token.
 * Raises `verification_token_invalid`, `client_signature_invalid`, and what a contact is refused with.
 */
export function verifiedContact(
  otpType: OtpType,
  { contact, field, verificationToken: token }: ShownContact,
  { organization, submittedWith, context: { now }, services }: Asked,
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
