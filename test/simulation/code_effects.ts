// Writes of activities about one-time codes and mailed keys.

import type { ApiKey } from '../../src/core/organization/model.ts';
import { sessionKinds } from '../../src/core/users/sessions.ts';
import { type Effect, type Input, idsWhere } from './effect_parts.ts';
import type { TrueState } from './true_state.ts';

const windowMs = 180_000;

/** Returns the keys that a new key may evict. */
const expiringOf = (before: TrueState, userId: string) =>
  idsWhere(
    before,
    'api_key',
    (key) => key.userId === userId && key.expirationSeconds !== undefined,
  );

const startedCode: Effect = ({ result: { otpId }, before, after }) => {
  const made = after.rows.otp_code.get(otpId);
  const now = made?.createdAtMs ?? 0;
  const recent = [...after.rows.otp_code.values()].filter(
    (row) => row.userIdentifier === made?.userIdentifier && now < row.createdAtMs + windowMs,
  );
  return {
    created: { otp_code: [otpId] },
    mayGo: {
      otp_code: idsWhere(
        before,
        'otp_code',
        (row) => now >= Math.max(row.expiresAtMs, row.createdAtMs + windowMs),
      ),
    },
    facts: {
      'it has three tries': made?.triesLeft === 3,
      'it is at most the third in three minutes': recent.length <= 3,
    },
  };
};

/** Returns the facts of a right code that was live before and is used now. */
const usedCode = ({ intent, before, after }: Input) => {
  const [earlier, later] = [before, after].map(({ rows }) => rows.otp_code.get(intent.otpId));
  return {
    'it could still be tried':
      earlier !== undefined &&
      earlier.triesLeft > 0 &&
      (later?.updatedAtMs ?? earlier.expiresAtMs) < earlier.expiresAtMs,
    'it can be used once': later?.triesLeft === 0 && later.targetPrivateKey === undefined,
  };
};

/** Returns the effect of a new mailed key of this kind. */
function mailedKey(kind: keyof typeof sessionKinds): Effect {
  return ({ intent, result, before, after }) => {
    const user = after.rows.user.get(result.userId);
    const [created] = newKeys(before, after);
    return {
      created: { api_key: 1 },
      mayGo: { api_key: expiringOf(before, result.userId) },
      facts: {
        'the address is the user’s': user?.email?.toLowerCase() === intent.email,
        'the key is the user’s':
          created?.userId === result.userId && created?.type === sessionKinds[kind].type,
      },
    };
  };
}

function newKeys(before: TrueState, after: TrueState): ApiKey[] {
  return [...after.rows.api_key.values()].filter(({ id }) => !before.rows.api_key.has(id));
}

/** Effects by the name of the operation. */
export const codeEffects: Readonly<Record<string, Effect>> = {
  init_otp: startedCode,
  init_otp_auth: startedCode,
  verify_otp: (input) => ({
    updated: { otp_code: [input.intent.otpId] },
    facts: usedCode(input),
  }),
  otp_login: ({ intent, before, after }) => {
    const [created] = newKeys(before, after);
    const user = after.rows.user.get(created?.userId ?? '');
    const { contact, id }: { contact: string; id: string } = JSON.parse(
      Buffer.from(intent.verificationToken.split('.')[1], 'base64url').toString(),
    );
    return {
      created: { api_key: 1, used_token: [id] },
      updated: { user: [user?.id ?? ''] },
      mayGo: { api_key: expiringOf(before, user?.id ?? '') },
      facts: {
        'the contact is the user’s': user?.email?.toLowerCase() === contact,
        'nobody else holds it':
          idsWhere(
            after,
            'user',
            ({ email, emailVerified }) =>
              emailVerified === true && email?.toLowerCase() === contact,
          ).length === 1,
        'the contact is known to be held': user?.emailVerified === true,
        'the key is the one that was signed for': created?.publicKey === intent.publicKey,
      },
    };
  },
  otp_auth: (input) => ({
    updated: { otp_code: [input.intent.otpId], user: [input.result.userId] },
    created: { api_key: [input.result.apiKeyId] },
    mayGo: { api_key: expiringOf(input.before, input.result.userId) },
    facts: usedCode(input),
  }),
  email_auth: mailedKey('email_auth'),
  init_user_email_recovery: mailedKey('recovery'),
  recover_user: ({ intent, result, before, after }) => {
    const mailed = (state: TrueState) =>
      idsWhere(
        state,
        'api_key',
        (key) => key.userId === intent.userId && key.type === sessionKinds.recovery.type,
      );
    return {
      created: { authenticator: result.authenticatorId },
      deleted: { api_key: mailed(before) },
      facts: { 'no mailed key is left': mailed(after).length === 0 },
    };
  },
};

/** Returns the facts of a recorded refusal: one more attempt at a code. */
export function triedCodeFacts({
  intent,
  before,
  after,
}: Input): Readonly<Record<string, boolean>> {
  const [earlier, later] = [before, after].map(({ rows }) => rows.otp_code.get(intent.otpId));
  const tries = (earlier?.triesLeft ?? 0) - (later?.triesLeft ?? 0);
  return { 'it was tried once, or not at all': tries === 0 || tries === 1 };
}
