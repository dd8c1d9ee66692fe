import { otpTypeTable } from '../../core/auth/otp/otp_codes.ts';
import { requireVerification, type Verification } from '../../core/auth/verifications.ts';
import type { OtpType } from '../../core/base/enums.ts';
import type { ServiceKeys } from '../../core/crypto/service_keys.ts';
import { fail } from '../../core/errors/errors.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { requireUnusedElsewhere } from '../otp/unused_token.ts';

/**
 * That the contact of a request, which stands in `field`, is the one that its token is about;
 * undefined without a token.
 * Raises `verification_token_invalid`, and what a contact is refused with.
 */
export async function verifiedContact(
  otpType: OtpType,
  {
    contact,
    field,
    verificationToken: token,
  }: {
    readonly contact: string;
    readonly field: string;
    readonly verificationToken: string | undefined;
  },
  organization: OrganizationView,
  { now }: { readonly now: number },
  services: Parameters<typeof requireUnusedElsewhere>[1] & { readonly serviceKeys: ServiceKeys },
): Promise<Verification | undefined> {
  if (token === undefined) return undefined;
  const at = { now, serviceKeys: services.serviceKeys };
  const verification = requireVerification(token, ['current', 'first'], organization, at);
  const isThisOne =
    verification.otpType === otpType &&
    verification.contact === otpTypeTable[otpType].check(contact, field);
  if (!isThisOne) fail('verification_token_invalid', { reason: 'it is about another contact' });
  await requireUnusedElsewhere(verification, services);
  return verification;
}
