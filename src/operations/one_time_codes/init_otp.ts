import { strangerAt } from '../../core/auth/one_time_codes/otp_limits.ts';
import { writeOtpTarget } from '../../core/bundles/otp_target.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { answerText, label, object, optional } from '../../core/schema/schema.ts';
import { authProxyConfigOf } from '../../core/settings/auth_proxy.ts';
import type { Origin } from '../../core/settings/ip_allowlist.ts';
import { activityOf, olderVersion, wireOf } from '../operation.ts';
import {
  codeFormMembers,
  emailCustomization,
  lifeSeconds,
  olderEmailCustomization,
  recipientMembers,
  senderMembers,
  smsCustomization,
} from './message_members.ts';
import { type CodeParameters, keepCode, prepareCode } from './start_code.ts';

/** The common form of all versions. Answers of older versions contain the code in the clear. */
type Form = CodeParameters & { readonly flow: 'otp' | 'otp_v3' };

const members = () => ({
  ...recipientMembers(),
  ...codeFormMembers(),
  expirationSeconds: optional(lifeSeconds()),
  smsCustomization: optional(smsCustomization()),
  ...senderMembers(),
});

const parameters = () =>
  object({
    ...members(),
    appName: label(),
    emailCustomization: optional(emailCustomization()),
  });

const olderResult = () => object({ otpId: answerText() });

/** Returns the answer of an older version. */
function withoutBundle({ otpId }: { readonly otpId: string }) {
  return { otpId };
}

const older = [
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_INIT_OTP_V2', ''),
    parameters: parameters(),
    result: olderResult(),
    upgrade: (given): Form => ({ ...given, flow: 'otp' }),
    downgrade: withoutBundle,
  }),
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_INIT_OTP'),
    parameters: object({
      ...members(),
      emailCustomization: optional(olderEmailCustomization()),
    }),
    result: olderResult(),
    upgrade: (given): Form => ({ ...given, flow: 'otp' }),
    downgrade: withoutBundle,
  }),
];

/**
 * In a parent, the code only verifies a contact. In a sub-organization it begins a login, which must be
 * enabled there.
 */
export const init_otp = activityOf<Form>()({
  wire: wireOf('ACTIVITY_TYPE_INIT_OTP_V3', 'V2'),
  older,
  summary: 'Sends a one-time code to an email address or a phone number.',
  subject: { resource: 'OTP', action: 'CREATE' },
  authority: 'proven_login',
  parameters: parameters(),
  upgrade: (given): Form => ({ ...given, flow: 'otp_v3' }),
  result: object({ otpId: answerText(), otpEncryptionTargetBundle: answerText() }),

  load: async ({ organization, parameters, services }) =>
    prepareCode(parameters, organization, services.deployment, {
      isLogin: organization.parentId !== undefined,
      parent: await services.parent(),
    }),
  apply: (input) => {
    const { organization, parameters, loaded: message, keyring, context, services } = input;
    const { flow } = parameters;
    const id = context.newId();
    const target = flow === 'otp_v3' ? keyring.createHeldKey('otp_target', id) : undefined;
    const { now } = context;
    const targetPrivateKey = target?.secret;
    const stranger = strangerOf(input);
    const kept = { id, flow, targetPrivateKey, stranger, message, now, services };
    keepCode(parameters, organization, kept);
    if (target === undefined) return { otpId: id, otpEncryptionTargetBundle: '' };
    const bundle = writeOtpTarget(
      { targetPublicKey: target.publicKey, organizationId: organization.id },
      services.serviceKeys,
    );
    return { otpId: id, otpEncryptionTargetBundle: bundle };
  },
});

/** Returns the source of the stranger if the onboarding proxy is the caller. */
function strangerOf({
  organization,
  submitter,
  origin,
}: {
  readonly organization: OrganizationView;
  readonly submitter: { readonly id: string };
  readonly origin: Origin | undefined;
}): string | undefined {
  if (authProxyConfigOf(organization)?.userId !== submitter.id) return undefined;
  return strangerAt(origin?.isOwn === true ? origin.address : '');
}
