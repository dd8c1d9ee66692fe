import type { ClientSignature } from '../../core/auth/client_signature.ts';
import {
  checkLoginBy,
  contactEntryOf,
  requireVerification,
  type TokenVersion,
  useVerification,
} from '../../core/auth/verifications.ts';
import { answerText, boolean, object, optional, text } from '../../core/schema/schema.ts';
import { requireLogin } from '../../core/settings/features.ts';
import { requireSessionProfile, sessionTokenOf, startSession } from '../../core/users/sessions.ts';
import { userOfContact } from '../../core/users/user_contacts.ts';
import { markVerified } from '../../core/users/users.ts';
import { clientSignature, verificationToken } from '../credential_shapes.ts';
import { activityOf, olderVersion, wireOf } from '../operation.ts';
import { lifeSeconds } from './message_members.ts';

const members = () => ({
  verificationToken: verificationToken(),
  publicKey: text({ minimum: 1, maximum: 1000 }),
  expirationSeconds: optional(lifeSeconds()),
  invalidateExisting: optional(boolean()),
  sessionProfileId: optional(text({ maximum: 36 })),
});

/** The common form of both versions. */
type Form = {
  readonly version: TokenVersion;
  readonly verificationToken: string;
  readonly publicKey: string;
  readonly clientSignature?: ClientSignature;
  readonly expirationSeconds?: string | number;
  readonly invalidateExisting?: boolean;
  readonly sessionProfileId?: string;
};

const older = [
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_OTP_LOGIN'),
    parameters: object({ ...members(), clientSignature: optional(clientSignature()) }),
    upgrade: (given): Form => ({ ...given, version: 'first' }),
  }),
];

export const otp_login = activityOf<Form>()({
  wire: wireOf('ACTIVITY_TYPE_OTP_LOGIN_V2', ''),
  older,
  summary: 'Exchanges a verification token for a session of the user with that contact.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({ ...members(), clientSignature: clientSignature() }),
  upgrade: (given): Form => ({ ...given, version: 'current' }),
  result: object({ session: answerText() }),

  parentActs: true,
  childEntry: ({ verificationToken: token }) => contactEntryOf(token),

  load: async ({ organization, parameters, context, services }) => {
    const { version, verificationToken: token } = parameters;
    const at = { ...services, now: context.now };
    const verification = requireVerification(token, [version], organization, at);
    requireLogin(verification.otpType, organization);
    checkLoginBy(verification, parameters.clientSignature, {
      publicKey: parameters.publicKey,
      organizationId: organization.id,
    });
    const owner = (await services.parent()) ?? organization;
    const profile = requireSessionProfile(parameters.sessionProfileId, owner);
    return { verification, profile };
  },
  facts: ({ parameters }) => ({
    params: { session_profile_id: parameters.sessionProfileId?.toLowerCase() ?? '' },
  }),
  apply: ({ activityId, organization, parameters, loaded, context, services }) => {
    const { verification, profile } = loaded;
    const user = userOfContact(verification, organization);
    useVerification(verification, 'login', organization, { activityId, now: context.now });
    // From now on, the contact leads from the parent to this organization.
    markVerified(user, verification.otpType, organization);
    const { publicKey, expirationSeconds, invalidateExisting } = parameters;
    const key = startSession(
      { kind: 'login', user, publicKey, expirationSeconds, invalidateExisting, profile },
      organization,
      context,
    );
    return { session: sessionTokenOf(key, profile, organization, services.serviceKeys) };
  },
});
