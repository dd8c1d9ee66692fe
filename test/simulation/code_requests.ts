// Generates requests about one-time codes and mailed keys. Codes go to a test contact with a fixed code, so
// no mail has to be read.

import { writeVerificationToken } from '../../src/core/auth/tokens/verification_token.ts';
import { utf8 } from '../../src/core/base/bytes.ts';
import { keyAgreement } from '../../src/core/crypto/key_agreement.ts';
import { testCode } from '../../src/core/external/sandbox_contacts.ts';
import type { Records } from '../../src/core/organization/model.ts';
import {
  describedOtp,
  loginSignature,
  serviceKeys,
} from '../operations/one_time_codes/otp_requests.ts';
import { clientKey, sealedTo, targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { startMs, testKey } from '../support/harness.ts';
import { heldKeys } from './held_keys.ts';
import { idOf, knownContact, newPasskey, rowsOf, unknownId, type World } from './request_parts.ts';

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Generators of parameters, by the name of the operation. */
export const codeRequests = {
  init_otp: { weight: 2, parameters: newCode },
  verify_otp: {
    weight: 3,
    parameters: (world: World) => {
      const row = codeOf(world, 'otp_v3');
      const typed = world.choice.chance(0.7) ? testCode : '999999';
      const message = JSON.stringify({ otp_code: typed, public_key: clientOf(world).publicKey });
      return { otpId: row?.id ?? unknownId, encryptedOtpBundle: sealedFor(world, row, message) };
    },
  },
  otp_login: {
    weight: 3,
    parameters: (world: World) => {
      const { choice, state, serial } = world;
      const { publicKey } = clientOf(world);
      // Sometimes a token that was used, or that belongs elsewhere.
      const number = choice.chance(0.1) ? choice.below(serial + 1) : serial;
      const token = writeVerificationToken(
        {
          id: `token ${number}`,
          expiresAtMs: startMs + yearMs,
          organizationId: choice.chance(0.5) ? state.id : (state.parentId ?? unknownId),
          verificationType: 'OTP_TYPE_EMAIL',
          contact: contactOf(world),
          publicKey,
        },
        serviceKeys,
      );
      return {
        verificationToken: token,
        publicKey,
        clientSignature: loginSignature(token, publicKey, clientOf(world)),
        expirationSeconds: String(choice.pick([1, 60, 3600])),
        ...(choice.chance(0.3) ? { invalidateExisting: true } : {}),
      };
    },
  },
  init_otp_auth: { weight: 3, parameters: newCode },
  otp_auth: {
    weight: 5,
    parameters: (world: World) => ({
      otpId: codeOf(world, 'otp_auth')?.id ?? unknownId,
      otpCode: world.choice.chance(0.7) ? testCode : '999999',
      targetPublicKey,
    }),
  },
  email_auth: { weight: 1.5, parameters: newMail },
  init_user_email_recovery: { weight: 1.5, parameters: newMail },
  recover_user: {
    weight: 1.5,
    parameters: (world: World) => ({
      userId: idOf(world, 'user'),
      authenticator: newPasskey(world),
    }),
  },
};

function newCode({ choice, serial }: World) {
  return describedOtp({
    contact: knownContact,
    otpLength: testCode.length,
    alphanumeric: false,
    userIdentifier: choice.chance(0.2) ? 'somebody' : `somebody ${serial}`,
    expirationSeconds: String(choice.chance(0.1) ? 60 : 600),
  });
}

function newMail(world: World) {
  return {
    email: contactOf(world),
    targetPublicKey,
    emailCustomization: { appName: 'Example' },
    expirationSeconds: String(world.choice.pick([1, 60, 3600])),
  };
}

/** Returns a contact of a user of the organization. */
function contactOf(world: World): string {
  const emails = rowsOf(world, 'user').flatMap(({ email }) => email ?? []);
  return (world.choice.some(emails, 1)[0] ?? knownContact).toLowerCase();
}

/** Returns one of few clients, so that their keys repeat. */
const clientOf = ({ serial }: World) => testKey(`client ${serial % 8}`);

/** Returns a live code of this flow, or sometimes any code. */
function codeOf(world: World, flow: string): Records['otp_code'] | undefined {
  const rows = rowsOf(world, 'otp_code').filter(
    (row) => (row.flow === flow && row.triesLeft > 0) || world.choice.chance(0.05),
  );
  return world.choice.some(rows, 1)[0];
}

function sealedFor(world: World, row: Records['otp_code'] | undefined, message: string): string {
  const secret = row?.targetPrivateKey;
  const receiver =
    row === undefined || secret === undefined
      ? keyAgreement(clientKey).publicKey
      : heldKeys(world.state.id).useHeldKey(
          'otp_target',
          { id: row.id, secret },
          (key) => keyAgreement(key).publicKey,
        );
  return sealedTo(receiver, utf8(message));
}
