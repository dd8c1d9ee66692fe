// Limits on guesses: three attempts per code, and three codes in three minutes, in any order of requests
// and on any number of nodes. Checked against a model of a few lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { activityBody, storedCount } from '../checks.ts';
import { askTwoNodes } from '../second_node.ts';
import {
  describedOtp,
  lastCode,
  resultOf,
  sealedCode,
  startedOtp,
  submit,
  submitOlder,
  verifyOtp,
} from './otp_requests.ts';

const windowMs = 180_000;

/** A code as an attacker knows it, and the facts of the model. */
type Known = {
  readonly otpId: string;
  readonly code: string;
  /** The key that guesses of the newest version are sealed to. */
  readonly bundle: string | undefined;
  readonly owner: string;
  readonly sentMs: number;
  readonly expiresMs: number;
  wrong: number;
  isUsed: boolean;
};

const isLive = (code: Known, now: number): boolean =>
  !code.isUsed && code.wrong < 3 && now < code.expiresMs;

type Step =
  | {
      readonly kind: 'start';
      readonly owner: string;
      readonly life: number;
      readonly isNewest: boolean;
    }
  /** Concurrent guesses of one code; a guess is right or wrong. */
  | { readonly kind: 'guess'; readonly which: number; readonly guesses: readonly boolean[] }
  | { readonly kind: 'wait'; readonly seconds: number };

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({
      kind: fc.constant('start'),
      owner: fc.constantFrom('alice', 'bob'),
      life: fc.constantFrom(30, 300, 600),
      isNewest: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('guess'),
      which: fc.nat(5),
      guesses: fc.array(fc.constantFrom(false, false, false, true), { minLength: 1, maxLength: 5 }),
    }),
    fc.record({ kind: fc.constant('wait'), seconds: fc.constantFrom(1, 29, 60, 179, 300) }),
  ),
  { minLength: 10, maxLength: 40 },
);

const wrongFor = (code: string): string => (code.startsWith('2') ? '3' : '2') + code.slice(1);

async function start(
  service: TestService,
  known: Known[],
  { owner, life, isNewest }: Extract<Step, { kind: 'start' }>,
): Promise<void> {
  const now = service.now() + 1;
  const own = known.filter((code) => code.owner === owner);
  const isAllowed = own.filter((code) => now < code.sentMs + windowMs).length < 3;
  const parameters = describedOtp({ userIdentifier: owner, expirationSeconds: String(life) });
  const answer = isNewest
    ? await submit(
        service,
        { operation: 'init_otp', type: 'ACTIVITY_TYPE_INIT_OTP_V3' },
        parameters,
      )
    : await submitOlder(service, 'init_otp', 'INIT_OTP_V2', parameters);
  assert.equal(answer.status, isAllowed ? 200 : 429, JSON.stringify(answer.body));
  if (!isAllowed) return;
  // A fourth live code replaces the oldest.
  const live = own.filter((code) => isLive(code, now));
  for (const oldest of live.slice(0, Math.max(0, live.length - 2))) oldest.isUsed = true;
  const { otpId, otpEncryptionTargetBundle: bundle } = resultOf(answer);
  const times = { sentMs: now, expiresMs: now + life * 1000 };
  known.push({ otpId, code: lastCode(service), bundle, owner, ...times, wrong: 0, isUsed: false });
}

async function guess(
  service: TestService,
  known: readonly Known[],
  { which, guesses }: Extract<Step, { kind: 'guess' }>,
): Promise<void> {
  const code = known.at(-1 - which);
  if (code === undefined) return;
  const { otpId, bundle } = code;
  const typed = guesses.map((isRight) => (isRight ? code.code : wrongFor(code.code)));
  const parameters: object[] = [];
  for (const otpCode of typed) {
    parameters.push(
      bundle === undefined
        ? { otpId, otpCode, publicKey: testKey('client').publicKey }
        : { otpId, encryptedOtpBundle: await sealedCode(otpCode, bundle) },
    );
  }
  const type = bundle === undefined ? 'ACTIVITY_TYPE_VERIFY_OTP' : verifyOtp.type;
  const now = service.now() + guesses.length;
  // All requests are sent before the first answer, and the service orders them.
  const answers = await Promise.all(
    parameters.map((each) => service.submit('verify_otp', type, each)),
  );
  const wrong = code.wrong + guesses.filter((isRight) => !isRight).length;
  const mayBeAccepted = isLive(code, now) && guesses.includes(true);
  const mustBeAccepted = mayBeAccepted && wrong < 3;
  const accepted = answers.filter(({ status }) => status === 200).length;
  const told = JSON.stringify(answers.map(({ body }) => body));
  assert.ok(accepted <= (mayBeAccepted ? 1 : 0), told);
  assert.ok(accepted === 1 || !mustBeAccepted, told);
  for (const [i, { status }] of answers.entries()) {
    assert.ok(status === 400 || (status === 200 && guesses[i] === true), told);
  }
  if (accepted === 1) code.isUsed = true;
  else if (isLive(code, now)) code.wrong = wrong;
}

test('in any order, a code allows three attempts, and three codes are sent in three minutes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const service = await startTestService();
      const known: Known[] = [];
      for (const step of sequence) {
        if (step.kind === 'start') await start(service, known, step);
        else if (step.kind === 'guess') await guess(service, known, step);
        else service.advance(step.seconds * 1000);
      }
      service.close();
    }),
    { numRuns: 25 },
  );
});

test('several nodes share the count', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ask = await askTwoNodes(service);
  const { otpId, bundle, code } = await startedOtp(service);
  const before = await storedCount(service);
  const bodies: Uint8Array[] = [];
  for (let i = 0; i < 12; i += 1) {
    const encryptedOtpBundle = await sealedCode(wrongFor(code), bundle);
    bodies.push(activityBody(service, verifyOtp.type, { otpId, encryptedOtpBundle }));
  }
  const right = { otpId, encryptedOtpBundle: await sealedCode(code, bundle) };
  bodies.push(activityBody(service, verifyOtp.type, right));
  const refusals = await ask(verifyOtp.operation, bodies);
  for (const refusal of refusals) assert.equal(refusal, 'otp_code_invalid');
  const after = await storedCount(service);
  assert.equal(Number(after.version) - Number(before.version), 3, 'only three were tried');
  assert.equal(after.activities - before.activities, 3, 'and of the others nothing is kept');
});
