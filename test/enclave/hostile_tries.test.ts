// A database that commits nothing sees the length of each change, and thus if a guess was right. It gains
// no further guesses by this.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreChange, StorePort } from '../../src/store/port.ts';
import {
  childWithAlice,
  describedOtp,
  lastCode,
  resultOf,
  startedOtpAuth,
  submitOlder,
} from '../operations/one_time_codes/otp_requests.ts';
import { targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { startTestService, type TestKey, type TestService } from '../support/harness.ts';
import { activityBody, startServiceOver } from './service_over.ts';

/** Creates a store that answers every change with a conflict, and records the number of records in each. */
function takesNothing(honest: StorePort) {
  const seen: number[] = [];
  const port: StorePort = {
    ...honest,
    commit: async (change: StoreChange) => {
      seen.push(change.records.length);
      return 'conflict';
    },
  };
  return { port, seen };
}

type Guess = { readonly operation: string; readonly type: string; readonly parameters: object };

/** Returns the view of the database on guesses: for each attempt, the records that would be written. */
async function lookOn(
  service: TestService,
  guesses: readonly Guess[],
  as: { readonly organizationId: string; readonly key: TestKey },
): Promise<string[]> {
  const { port, seen } = takesNothing(service.store.port);
  const over = await startServiceOver({ store: port, seed: 'tries', clock: service.now });
  const views: string[] = [];
  for (const { operation, type, parameters } of guesses) {
    service.advance(1);
    seen.length = 0;
    const body = activityBody(type, as.organizationId, parameters, service.now());
    await over.send('submit', operation, body, as.key);
    views.push(seen.join());
  }
  return views;
}

/** The key that tokens are bound to: the generator of P-256, compressed. */
const tokenKey = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296';

const wrong = ['AAAAAAAA0', 'AAAAAAAA1', 'AAAAAAAA2', 'AAAAAAAA3'];

for (const { name, start, guessOf } of [
  {
    name: 'verify_otp',
    start: async (service: TestService) => {
      const as = { organizationId: service.root.organizationId, key: service.root.key };
      const init = await submitOlder(service, 'init_otp', 'INIT_OTP_V2', describedOtp());
      return { as, otpId: String(resultOf(init).otpId), code: lastCode(service) };
    },
    guessOf: (otpId: string, otpCode: string): Guess => ({
      operation: 'verify_otp',
      type: 'ACTIVITY_TYPE_VERIFY_OTP',
      parameters: { otpId, otpCode, publicKey: tokenKey },
    }),
  },
  {
    name: 'otp_auth',
    start: async (service: TestService) => {
      const child = await childWithAlice(service);
      const { otpId, code } = await startedOtpAuth(service, {}, child);
      return { as: child, otpId: String(otpId), code };
    },
    guessOf: (otpId: string, otpCode: string): Guess => ({
      operation: 'otp_auth',
      type: 'ACTIVITY_TYPE_OTP_AUTH',
      parameters: { otpId, otpCode, targetPublicKey },
    }),
  },
]) {
  test(`${name}: a database that answers with conflicts allows only three guesses`, async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    const { as, otpId, code } = await start(service);
    const guesses = [...wrong, code].map((typed) => guessOf(otpId, typed));
    const views = await lookOn(service, guesses, as);
    assert.notEqual(views[0], '', 'a try is written');
    assert.deepEqual(views.slice(0, 3), [views[0], views[0], views[0]]);
    // After three guesses nothing is written, so right and wrong codes are indistinguishable.
    assert.deepEqual(views.slice(3), ['', '']);
  });

  test(`${name}: repeating one request does not count as another attempt`, async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    const { as, otpId, code } = await start(service);
    let isTaken = false;
    const { port } = service.store;
    const store: StorePort = {
      ...port,
      commit: async (change) => (isTaken ? port.commit(change) : 'conflict'),
    };
    const over = await startServiceOver({ store, seed: 'again', clock: service.now });
    service.advance(1);
    const { operation, type, parameters } = guessOf(otpId, code);
    const body = activityBody(type, as.organizationId, parameters, service.now());
    const send = () => over.send('submit', operation, body, as.key);
    for (let i = 0; i < 4; i += 1) assert.equal((await send()).status, 409);
    isTaken = true;
    assert.equal((await send()).status, 200);
  });
}
