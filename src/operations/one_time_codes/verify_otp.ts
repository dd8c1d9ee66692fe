import { refuseTry, tryCode } from '../../core/auth/one_time_codes/otp_codes.ts';
import {
  writeLegacyVerificationToken,
  writeVerificationToken,
} from '../../core/auth/tokens/verification_token.ts';
import { bytesOfHex, wipe } from '../../core/base/bytes.ts';
import { openOtpMessage } from '../../core/bundles/otp_target.ts';
import { newPrivateKey } from '../../core/crypto/key_agreement.ts';
import { p256 } from '../../core/crypto/p256.ts';
import { failField } from '../../core/errors/errors.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { Keyring } from '../../core/keys/keyring.ts';
import type { OtpCode } from '../../core/organization/records/one_time_codes.ts';
import {
  answerBearer,
  bearerText,
  numberOf,
  object,
  optional,
  text,
  uuid,
} from '../../core/schema/schema.ts';
import { requireLogin } from '../../core/settings/features.ts';
import { activityOf, olderVersion, wireOf } from '../operation.ts';
import { lifeSeconds } from './message_members.ts';

/** The common form of both versions. */
type Form = { readonly otpId: string; readonly expirationSeconds?: string | number } & (
  | { readonly flow: 'otp_v3'; readonly encryptedOtpBundle: string }
  | { readonly flow: 'otp'; readonly otpCode: string; readonly publicKey: string | undefined }
);

const tokenLifeSeconds = { minimum: 1, maximum: 86_400, fallback: 3600 } as const;

const older = [
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_VERIFY_OTP'),
    parameters: object({
      otpId: uuid(),
      otpCode: bearerText({ maximum: 1000 }),
      expirationSeconds: optional(lifeSeconds()),
      publicKey: optional(text({ maximum: 1000 })),
    }),
    // Some clients send all members.
    upgrade: ({ publicKey, ...given }): Form => ({
      ...given,
      flow: 'otp',
      publicKey: publicKey === '' ? undefined : publicKey,
    }),
  }),
];

export const verify_otp = activityOf<Form>()({
  wire: wireOf('ACTIVITY_TYPE_VERIFY_OTP_V2', ''),
  older,
  summary: 'Exchanges a one-time code for a verification token of the contact.',
  subject: { resource: 'OTP', action: 'VERIFY' },
  authority: 'proven_login',
  parameters: object({
    otpId: uuid(),
    encryptedOtpBundle: text({ minimum: 1, maximum: 10_000 }),
    expirationSeconds: optional(lifeSeconds()),
  }),
  upgrade: (given): Form => ({ ...given, flow: 'otp_v3' }),
  result: object({ verificationToken: answerBearer() }),

  countsTries: true,

  load: async ({ organization, parameters, services }) => {
    const row = organization.get('otp_code', parameters.otpId.toLowerCase());
    if (organization.parentId !== undefined && row !== undefined) {
      requireLogin(row.otpType, organization);
    }
    checkPublicKey(parameters, services.deployment);
    return { lifeMs: lifeMsOf(parameters) };
  },
  apply: ({ organization, parameters, loaded, keyring, context, services }) => {
    const { now } = context;
    const row = organization.get('otp_code', parameters.otpId.toLowerCase());
    const { typed, publicKey } = answerIn(parameters, row, keyring, services.random);
    const tried = tryCode(row, {
      typed,
      flow: parameters.flow,
      rows: organization.rows('otp_code').values(),
      now,
      admits: services.admitTry,
    });
    if (tried.changed !== undefined) organization.put('otp_code', tried.changed);
    if (tried.outcome === 'refused') return refuseTry(tried);
    const claims = {
      id: context.newId(),
      organizationId: organization.id,
      verificationType: tried.otpType,
      contact: tried.contact,
    };
    const expiresAtMs = now + loaded.lifeMs;
    const { serviceKeys } = services;
    return {
      verificationToken:
        parameters.flow === 'otp_v3'
          ? writeVerificationToken(
              { ...claims, expiresAtMs, publicKey: publicKey ?? '' },
              serviceKeys,
            )
          : writeLegacyVerificationToken(
              {
                ...claims,
                expiresAtSeconds: Math.floor(expiresAtMs / 1000),
                ...(publicKey === undefined ? {} : { publicKey }),
              },
              serviceKeys,
            ),
    };
  },
});

type Answer = { readonly typed: string | undefined; readonly publicKey: string | undefined };

/** Returns the typed code, and the key to attest. A message that does not open contains no code. */
function answerIn(
  parameters: Form,
  row: OtpCode | undefined,
  keyring: Keyring,
  random: (length: number) => Uint8Array,
): Answer {
  if (parameters.flow === 'otp') {
    return { typed: parameters.otpCode, publicKey: parameters.publicKey };
  }
  const { message } = usingTarget(row, keyring, random, (targetPrivateKey) =>
    openOtpMessage(parameters.encryptedOtpBundle, targetPrivateKey),
  );
  return { typed: message?.otpCode, publicKey: message?.publicKey };
}

/** Without a stored code, derives an unused key, so that the answer takes the same time. */
function usingTarget<Result>(
  row: OtpCode | undefined,
  keyring: Keyring,
  random: (length: number) => Uint8Array,
  use: (targetPrivateKey: Uint8Array) => Result,
): Result {
  if (row?.targetPrivateKey !== undefined) {
    return keyring.useHeldKey('otp_target', { id: row.id, secret: row.targetPrivateKey }, use);
  }
  const forNothing = newPrivateKey(random);
  try {
    return use(forNothing);
  } finally {
    wipe(forNothing);
  }
}

/** A token without a key works for every reader, so it is issued only if the deployment allows it. */
function checkPublicKey(
  parameters: Form,
  { acceptsUnboundTokens }: Pick<Deployment, 'acceptsUnboundTokens'>,
): void {
  if (parameters.flow !== 'otp') return;
  if (parameters.publicKey === undefined) {
    if (acceptsUnboundTokens) return;
    failField('parameters.publicKey', 'expected a key: this service issues no token without one');
  }
  const bytes = bytesOfHex(parameters.publicKey);
  if (bytes === undefined || !p256.isPublicKey(bytes)) {
    failField('parameters.publicKey', 'expected a compressed P-256 public key in hex');
  }
}

function lifeMsOf({ expirationSeconds }: Form): number {
  const { minimum, maximum, fallback } = tokenLifeSeconds;
  const seconds = expirationSeconds === undefined ? fallback : numberOf(expirationSeconds);
  if (seconds < minimum || seconds > maximum) {
    failField('parameters.expirationSeconds', `expected ${minimum} to ${maximum} seconds`);
  }
  return seconds * 1000;
}
