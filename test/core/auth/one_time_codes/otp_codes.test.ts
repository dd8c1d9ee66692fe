import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CodeRequest,
  startCode,
  type TriedCode,
  tryCode,
} from '../../../../src/core/auth/one_time_codes/otp_codes.ts';
import {
  isLive,
  otpLimits,
  strangerAt,
} from '../../../../src/core/auth/one_time_codes/otp_limits.ts';
import { ServiceError } from '../../../../src/core/errors/errors.ts';
import type { OtpCode, OtpFlow } from '../../../../src/core/organization/records/one_time_codes.ts';

const startMs = Date.UTC(2026, 0, 1);
const contact = 'name@example.org';

/** Creates the stored codes of one organization with a clock, like an operation uses them. */
function createCodes({ isDevelopment = false } = {}) {
  const rows = new Map<string, OtpCode>();
  let drawn = 0;
  const random = (length: number): Uint8Array => {
    drawn += 1;
    return new Uint8Array(hash('sha512', `one-time codes ${drawn}`, 'buffer')).slice(0, length);
  };
  let now = startMs;
  let count = 0;
  return {
    rows,
    advance: (ms: number) => {
      now += ms;
    },
    /** Sends a code for a stamped caller, or for the named stranger. */
    start: (request: Partial<CodeRequest> = {}, stranger?: string) => {
      count += 1;
      const flow = request.flow ?? 'otp';
      const started = startCode(
        rows.values(),
        { flow, otpType: 'OTP_TYPE_EMAIL', contact, ...request },
        {
          id: `code ${count}`,
          now,
          random,
          isDevelopment,
          targetPrivateKey: flow === 'otp_v3' ? 'wrapped' : undefined,
          stranger,
          field: 'parameters',
        },
      );
      for (const id of started.removed) rows.delete(id);
      for (const row of started.ended) rows.set(row.id, row);
      rows.set(started.row.id, started.row);
      return started;
    },
    try: (id: string, typed: string | undefined, flow: OtpFlow = 'otp'): TriedCode => {
      const tried = tryCode(rows.get(id), {
        typed,
        flow,
        rows: rows.values(),
        now,
        admits: () => true,
      });
      if (tried.changed !== undefined) rows.set(id, tried.changed);
      return tried;
    },
  };
}

function refusalOf(run: () => unknown): ServiceError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error;
  }
  return assert.fail('nothing was refused');
}

/** Returns another code. */
const wrong = (code: string) => (code[0] === '2' ? '3' : '2') + code.slice(1);

test('a code has nine base-32 characters and five minutes by default', () => {
  const { row, code, isSent, removed } = createCodes().start();
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{9}$/);
  assert.equal(row.expiresAtMs, startMs + 300_000);
  assert.equal(row.triesLeft, 3);
  assert.ok(isSent);
  assert.deepEqual(removed, []);
  const other = createCodes().start({ otpLength: 6, alphanumeric: false, expirationSeconds: 600 });
  assert.match(other.code, /^[0-9]{6}$/);
  assert.equal(other.row.expiresAtMs, startMs + 600_000);
});

test('a stored row does not contain the code, and two rows of one code share nothing', () => {
  const codes = createCodes({ isDevelopment: true });
  const request = { contact: 'user@example.com', otpLength: 6, alphanumeric: false };
  const [a, b] = [codes.start(request).row, codes.start(request).row];
  assert.notEqual(a.salt, b.salt);
  assert.notEqual(a.digest, b.digest);
  const { row, code } = codes.start();
  assert.ok(!JSON.stringify(row).includes(code));
});

test('the contact is stored in normalized form', () => {
  const codes = createCodes();
  assert.equal(codes.start({ contact: 'Name@Example.ORG' }).row.contact, contact);
  const phone = codes.start({ otpType: 'OTP_TYPE_SMS', contact: '+12025550123' }).row;
  assert.deepEqual([phone.otpType, phone.contact], ['OTP_TYPE_SMS', '+12025550123']);
});

test('malformed requests are refused with the wrong member', () => {
  const cases: readonly (readonly [string, Partial<CodeRequest>, string?])[] = [
    ['parameters.otpType', { otpType: 'OTP_TYPE_WHATSAPP' }],
    ['parameters.otpType', { otpType: 'constructor' }],
    ['parameters.contact', { contact: 'name' }, 'email_invalid'],
    ['parameters.contact', { otpType: 'OTP_TYPE_SMS', contact: '2025550123' }],
    ['parameters.otpLength', { otpLength: 5 }],
    ['parameters.otpLength', { otpLength: 10 }],
    ['parameters.otpLength', { otpLength: 6.5 }],
    ['parameters.expirationSeconds', { expirationSeconds: 0 }],
    ['parameters.expirationSeconds', { expirationSeconds: 601 }],
    ['parameters.userIdentifier', { userIdentifier: 'u'.repeat(257) }],
  ];
  for (const [field, request, code = 'field_invalid'] of cases) {
    const refusal = refusalOf(() => createCodes().start(request));
    assert.equal(refusal.code, code);
    assert.equal(refusal.fieldViolations[0]?.field, field);
  }
});

test('a code works once', () => {
  const codes = createCodes();
  const { row, code } = codes.start();
  assert.deepEqual(codes.try(row.id, code), {
    outcome: 'verified',
    otpType: 'OTP_TYPE_EMAIL',
    contact,
    changed: { ...row, triesLeft: 0 },
  });
  assert.deepEqual(codes.try(row.id, code), { outcome: 'refused', changed: undefined });
});

test('a code is locked after three wrong attempts, also for the right code', () => {
  const codes = createCodes();
  const { row, code } = codes.start();
  for (const triesLeft of [2, 1, 0]) {
    assert.equal(codes.try(row.id, wrong(code)).outcome, 'refused');
    assert.equal(codes.rows.get(row.id)?.triesLeft, triesLeft);
  }
  assert.deepEqual(codes.try(row.id, code), { outcome: 'refused', changed: undefined });
});

test('the third attempt may be the right code', () => {
  const codes = createCodes();
  const { row, code } = codes.start();
  codes.try(row.id, wrong(code));
  codes.try(row.id, undefined);
  assert.equal(codes.try(row.id, code.toLowerCase()).outcome, 'verified');
});

test('a code expires', () => {
  const codes = createCodes();
  const { row, code } = codes.start({ expirationSeconds: 60 });
  codes.advance(59_999);
  assert.ok(isLive(row, startMs + 59_999));
  const other = codes.start({ expirationSeconds: 60 });
  codes.advance(1);
  assert.ok(!isLive(row, startMs + 60_000));
  assert.deepEqual(codes.try(row.id, code), { outcome: 'refused', changed: undefined });
  assert.equal(codes.try(other.row.id, other.code).outcome, 'verified');
});

test('a code works only in its own flow, and an attempt in another flow does not count', () => {
  const flows: readonly OtpFlow[] = ['otp', 'otp_v3', 'otp_auth'];
  for (const flow of flows) {
    const codes = createCodes();
    const { row, code } = codes.start({ flow });
    for (const other of flows.filter((name) => name !== flow)) {
      const tried = codes.try(row.id, code, other);
      assert.deepEqual(tried, { outcome: 'refused', changed: undefined });
    }
    assert.equal(codes.try(row.id, code, flow).outcome, 'verified');
  }
});

test('the key of an encrypted flow is deleted with the last attempt or the right code', () => {
  const codes = createCodes();
  const locked = codes.start({ flow: 'otp_v3' });
  const keyOf = (id: string) => codes.rows.get(id)?.targetPrivateKey;
  assert.equal(keyOf(locked.row.id), 'wrapped');
  for (const key of ['wrapped', 'wrapped', undefined]) {
    codes.try(locked.row.id, wrong(locked.code), 'otp_v3');
    assert.equal(keyOf(locked.row.id), key);
  }
  const used = codes.start({ flow: 'otp_v3' });
  codes.try(used.row.id, used.code, 'otp_v3');
  assert.equal(keyOf(used.row.id), undefined);
});

test('an unknown code gets the refusal of a wrong code', () => {
  for (const typed of [undefined, '', '000000000', 'x'.repeat(100_000)]) {
    const attempt = { typed, flow: 'otp', rows: [], now: startMs, admits: () => true } as const;
    assert.deepEqual(tryCode(undefined, attempt), { outcome: 'refused', changed: undefined });
  }
  assert.match(new ServiceError('otp_code_invalid').message, /^Invalid OTP code/);
});

const named = { userIdentifier: 'user' };

test('three codes are sent in any three minutes', () => {
  const codes = createCodes();
  const refused = () => {
    const refusal = refusalOf(() => codes.start({ ...named, expirationSeconds: 1 }));
    assert.equal(refusal.code, 'otp_limit_reached');
    assert.match(refusal.message, /^Max number of OTPs have been initiated/);
  };
  const send = () => codes.start({ ...named, expirationSeconds: 1 });
  send();
  codes.advance(60_000);
  send();
  codes.advance(60_000);
  send();
  refused();
  codes.advance(59_999);
  refused();
  codes.advance(1);
  send();
  refused();
  codes.advance(60_000);
  send();
  refused();
});

test('a used, locked or expired code still counts as sent', () => {
  const codes = createCodes();
  const used = codes.start(named);
  codes.try(used.row.id, used.code);
  const locked = codes.start(named);
  for (let i = 0; i < 3; i += 1) codes.try(locked.row.id, wrong(locked.code));
  codes.start({ ...named, expirationSeconds: 1 });
  codes.advance(1_000);
  assert.equal(refusalOf(() => codes.start(named)).code, 'otp_limit_reached');
});

test('three codes are live at one time: a fourth replaces the oldest, and attempts at the others stay counted', () => {
  const codes = createCodes();
  const long = { ...named, expirationSeconds: 600 };
  const [first, second, third] = [codes.start(long), codes.start(long), codes.start(long)];
  codes.try(second.row.id, wrong(second.code));
  codes.advance(200_000);
  const fourth = codes.start(long);
  assert.deepEqual(
    fourth.ended.map(({ id, triesLeft }) => [id, triesLeft]),
    [[first.row.id, 0]],
  );
  assert.equal(codes.try(first.row.id, first.code).outcome, 'refused');
  assert.equal(codes.rows.get(second.row.id)?.triesLeft, 2);
  assert.equal(codes.try(third.row.id, third.code).outcome, 'verified');
  // A used code does not count.
  assert.deepEqual(codes.start(long).ended, []);
});

test('sends are counted by user identifier, and without an identifier by contact', () => {
  const codes = createCodes();
  const user = { userIdentifier: 'user 1' };
  for (const name of ['a', 'b', 'c']) codes.start({ ...user, contact: `${name}@example.org` });
  const isRefused = (request: Partial<CodeRequest>) =>
    refusalOf(() => codes.start(request)).code === 'otp_limit_reached';
  assert.ok(isRefused({ ...user, contact: 'd@example.org' }));
  codes.start({ userIdentifier: 'user 2', contact: 'a@example.org' });
  // A user identifier is not a contact, even if it looks like one.
  for (let i = 0; i < 3; i += 1) codes.start({ userIdentifier: contact });
  for (let i = 0; i < 8; i += 1) codes.start();
  codes.start({ userIdentifier: '', contact: contact.toUpperCase() });
  assert.ok(isRefused({}));
  assert.ok(isRefused({ userIdentifier: 'user 3' }));
  codes.start({ contact: 'other@example.org' });
});

test('strangers neither use up the codes of others, nor replace them', () => {
  const codes = createCodes();
  const long = { expirationSeconds: 600 };
  const isRefused = (stranger?: string) => {
    assert.equal(refusalOf(() => codes.start(long, stranger)).code, 'otp_limit_reached');
  };
  const own = codes.start(long, 'owner');
  for (let i = 0; i < 3; i += 1) codes.start(long, 'mallory');
  isRefused('mallory');
  codes.advance(180_000);
  for (let i = 0; i < 3; i += 1) {
    for (const { id } of codes.start(long, 'mallory').ended) assert.notEqual(id, own.row.id);
  }
  codes.start(long, 'owner');
  // All strangers together get twelve codes for one contact.
  for (let i = 0; i < 8; i += 1) codes.start(long, `other ${i}`);
  isRefused('owner');
  // Stamped callers get as many again, and replace no code of a stranger.
  for (let i = 0; i < 12; i += 1) codes.start();
  isRefused();
  assert.equal(codes.try(own.row.id, own.code).outcome, 'verified');
});

/** Tries codes of a stranger for many contacts, three times each; the last code stays. */
function guessAtMany(codes: ReturnType<typeof createCodes>, stranger: string): void {
  for (let i = 0; i < otpLimits.wrongTriesOfSource / 3; i += 1) {
    const target = codes.start({ contact: `target-${i}@example.org` }, stranger);
    for (let guess = 0; guess < 3; guess += 1) codes.try(target.row.id, wrong(target.code));
  }
}

test('a source of strangers has 36 wrong tries in three minutes, whatever contacts it names', () => {
  const codes = createCodes();
  const own = codes.start({ contact: 'own@example.org' }, 'mallory');
  const other = codes.start({ contact: 'own@example.org' }, 'neighbour');
  const stamped = codes.start({ contact: 'own@example.org' });
  guessAtMany(codes, 'mallory');
  assert.deepEqual(codes.try(own.row.id, own.code), { outcome: 'refused', changed: undefined });
  const refusal = refusalOf(() => codes.start({}, 'mallory'));
  assert.equal(refusal.code, 'otp_limit_reached');
  assert.match(String(refusal.details['reason']), /36 wrong codes from one address in 3 minutes/);
  for (const { row, code } of [other, stamped]) {
    assert.equal(codes.try(row.id, code).outcome, 'verified');
  }
  codes.advance(otpLimits.sendWindowMs);
  assert.equal(codes.try(own.row.id, own.code).outcome, 'verified');
});

test('wrong tries of a stranger are not forgotten with their codes', () => {
  const codes = createCodes();
  const start = (i: number) => codes.start({ contact: `n${i}@example.org` }, 'mallory');
  const first = Array.from({ length: 12 }, (_, i) => start(i));
  codes.advance(299_999);
  const last = start(12);
  for (const { row, code } of first) {
    for (let guess = 0; guess < 3; guess += 1) codes.try(row.id, wrong(code));
  }
  // The tried codes have expired, and were sent long ago.
  codes.advance(1);
  assert.equal(codes.start({ contact: 'new@example.org' }, 'new').removed.length, 0);
  assert.equal(codes.try(last.row.id, last.code).outcome, 'refused');
});

test('strangers are distinguished by address, or by network for IPv6', () => {
  assert.equal(strangerAt('192.0.2.1'), strangerAt('::ffff:192.0.2.1'));
  assert.notEqual(strangerAt('192.0.2.1'), strangerAt('192.0.2.2'));
  assert.equal(strangerAt('2001:db8::1'), strangerAt('2001:db8::ffff:1'));
  assert.notEqual(strangerAt('2001:db8::1'), strangerAt('2001:db8:0:1::1'));
  assert.equal(strangerAt(''), 'unknown');
});

test('the memory for strangers is bounded: the stranger with the most codes loses the oldest untried one', () => {
  const codes = createCodes();
  const user = codes.start({ contact: 'user@example.org' }, 'user');
  const flood = (i: number) => codes.start({ contact: `n${i}@example.org` }, 'mallory');
  const tried = flood(0);
  // Otherwise the stranger could have wrong tries forgotten.
  codes.try(tried.row.id, wrong(tried.code));
  const first = flood(1);
  for (let i = 2; i < otpLimits.strangersCodes - 1; i += 1) flood(i);
  assert.deepEqual(codes.start({ contact: 'new@example.org' }, 'new').removed, [first.row.id]);
  assert.equal(flood(5_000).removed.length, 1);
  assert.equal(codes.rows.size, otpLimits.strangersCodes);
  assert.ok(codes.rows.has(user.row.id));
  // Stamped callers use the remaining memory, and then that of strangers.
  for (let i = 0; i < 1_000; i += 1) codes.start({ contact: `s${i}@example.org` });
  assert.equal(codes.rows.size, otpLimits.keptCodes);
  assert.equal(codes.start({ contact: 'one@more.example' }).removed.length, 1);
  assert.ok(codes.rows.has(user.row.id));
});

test('rows that are no longer needed are removed with the next code', () => {
  const codes = createCodes();
  const short = codes.start({ expirationSeconds: 1 });
  const long = codes.start({ expirationSeconds: 600 });
  codes.advance(179_999);
  assert.deepEqual(codes.start({ contact: 'other@example.org' }).removed, []);
  codes.advance(1);
  assert.deepEqual(codes.start().removed, [short.row.id]);
  codes.advance(420_000);
  const { removed } = codes.start();
  assert.ok(removed.includes(long.row.id) && removed.length === 3);
});

test('an organization keeps a bounded number of codes', () => {
  const codes = createCodes();
  for (let i = 0; i < otpLimits.keptCodes; i += 1) codes.start({ contact: `n${i}@example.org` });
  assert.equal(refusalOf(() => codes.start()).code, 'otp_limit_reached');
  assert.equal(codes.rows.size, 5_000);
  codes.advance(300_000);
  assert.equal(codes.start().removed.length, 5_000);
});

test('test contacts have a fixed code and get no message, only in development', () => {
  const test6 = { otpLength: 6, alphanumeric: false };
  const phone = { otpType: 'OTP_TYPE_SMS', contact: '+19999999999' };
  for (const request of [{ contact: 'User@example.com' }, phone]) {
    const codes = createCodes({ isDevelopment: true });
    const { row, code, isSent } = codes.start({ ...request, ...test6 });
    assert.deepEqual([code, isSent], ['000000', false]);
    assert.equal(codes.try(row.id, '000-000').outcome, 'verified');
    const others: readonly Partial<CodeRequest>[] = [
      { ...test6, otpLength: 7 },
      { ...test6, alphanumeric: true },
    ];
    for (const other of others) assert.ok(codes.start({ ...request, ...other }).isSent);
    assert.ok(createCodes().start({ ...request, ...test6 }).isSent);
    assert.notEqual(createCodes().start({ ...request, ...test6 }).code, '000000');
  }
  const codes = createCodes({ isDevelopment: true });
  assert.ok(codes.start({ contact: 'user2@example.com', ...test6 }).isSent);
});

test('in any sequence, no code takes more than three attempts and none works twice', () => {
  type Step = { readonly code: number; readonly right: boolean; readonly afterMs: number };
  const step: fc.Arbitrary<Step> = fc.record({
    code: fc.nat({ max: 2 }),
    right: fc.boolean(),
    afterMs: fc.constantFrom(0, 0, 0, 100_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const codes = createCodes();
      const started = [codes.start(), codes.start(), codes.start()];
      const wrongTries = started.map(() => 0);
      const verified = started.map(() => 0);
      let passedMs = 0;
      for (const { code: i, right, afterMs } of steps) {
        codes.advance(afterMs);
        passedMs += afterMs;
        const one = started[i];
        if (one === undefined) continue;
        const mayEnter = passedMs < 300_000 && verified[i] === 0 && (wrongTries[i] ?? 0) < 3;
        const { outcome } = codes.try(one.row.id, right ? one.code : wrong(one.code));
        assert.equal(outcome === 'verified', mayEnter && right);
        if (outcome === 'verified') verified[i] = 1;
        else wrongTries[i] = (wrongTries[i] ?? 0) + 1;
      }
    }),
  );
});
