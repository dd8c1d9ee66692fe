import { type ClientSignature, checkSignUpSignature } from '../../core/auth/client_signature.ts';
import { requireVerification, signedBy, type Verification } from '../../core/auth/verifications.ts';
import { fail } from '../../core/errors/errors.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { JsonObject } from '../../core/schema/json.ts';

type RootUser = {
  readonly userEmail?: string;
  readonly userPhoneNumber?: string;
  readonly apiKeys: readonly JsonObject[];
  readonly authenticators: readonly JsonObject[];
  readonly oauthProviders: readonly JsonObject[];
};

/** The claims of a token about one of the root users. */
type SignUp = {
  readonly verification: Verification;
  /** Index of the user with the contact. */
  readonly rootUser: number;
  /** The key that signed the whole request: hex, lower case; undefined without one. */
  readonly signedBy: string | undefined;
};

/**
 * Returns the new root user who verified a contact and signed exactly these credentials; undefined without a
 * token. Raises `verification_token_invalid`, `client_signature_invalid`.
 */
export function signUpOf(
  parameters: {
    readonly verificationToken?: string;
    readonly clientSignature?: ClientSignature;
    readonly rootUsers: readonly RootUser[];
    readonly takesFirstTokens?: true;
  },
  parent: OrganizationView,
  at: Parameters<typeof requireVerification>[3],
): SignUp | undefined {
  const { verificationToken: token, clientSignature, rootUsers, takesFirstTokens } = parameters;
  if (token === undefined) {
    if (clientSignature === undefined) return undefined;
    return fail('client_signature_invalid', { reason: 'there is no verification token' });
  }
  const accepted =
    takesFirstTokens === true ? (['current', 'first'] as const) : ['current' as const];
  const verification = requireVerification(token, accepted, parent, at);
  const [rootUser, ...others] = [...rootUsers.keys()].filter(
    (i) => contactIn(rootUsers[i], verification) === verification.contact,
  );
  const user = rootUser === undefined ? undefined : rootUsers[rootUser];
  if (rootUser === undefined || user === undefined || others.length > 0) {
    const reason = 'expected exactly one root user with the contact that it is about';
    return fail('verification_token_invalid', { reason });
  }
  const signed = signedBy(verification, clientSignature);
  if (signed !== undefined) {
    const { apiKeys, authenticators, oauthProviders, userEmail, userPhoneNumber } = user;
    const contents = {
      apiKeys,
      authenticators,
      oauthProviders,
      ...(userEmail === undefined ? {} : { email: userEmail }),
      ...(userPhoneNumber === undefined ? {} : { phoneNumber: userPhoneNumber }),
    };
    checkSignUpSignature(signed.signature, { token: signed.token, contents });
  }
  const key = signed === undefined ? undefined : verification.publicKey?.toLowerCase();
  return { verification, rootUser, signedBy: key };
}

function contactIn(user: RootUser | undefined, { otpType }: Verification): string | undefined {
  return otpType === 'OTP_TYPE_EMAIL' ? user?.userEmail?.toLowerCase() : user?.userPhoneNumber;
}
