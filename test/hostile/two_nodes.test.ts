// Requests that two nodes get at once: what is good for one use is used once, and limits count all uses.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { activityBody } from '../operations/checks.ts';
import { sealedCode, startedOtp, verifyOtp } from '../operations/one_time_codes/otp_requests.ts';
import { askTwoNodes } from '../operations/second_node.ts';
import { makeEthereumSponsor } from '../operations/sending/gas_usage_requests.ts';
import { describedSend, makeSender, sendType } from '../operations/sending/send_requests.ts';
import { knownSentence, sealedSentence } from '../operations/wallets/transfer_requests.ts';
import { ethereumAccount } from '../operations/wallets/wallet_requests.ts';
import { startTestService, type TestService } from '../support/harness.ts';

async function startService(t: TestContext): Promise<TestService> {
  const service = await startTestService();
  t.after(() => service.close());
  return service;
}

/** Sends several activities of a type to two nodes at once. Returns their refusals in order of text. */
async function askBoth(
  service: TestService,
  { operation, type }: { readonly operation: string; readonly type: string },
  all: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly string[]> {
  const ask = await askTwoNodes(service);
  const bodies = all.map((parameters) => activityBody(service, type, parameters));
  return (await ask(operation, bodies)).map((code) => code ?? 'done').sort();
}

const several = [0, 1, 2, 3, 4, 5];

test('a code is exchanged once on two nodes', async (t) => {
  const service = await startService(t);
  const { otpId, bundle, code } = await startedOtp(service);
  const encryptedOtpBundle = await sealedCode(code, bundle);
  const outcomes = await askBoth(
    service,
    verifyOtp,
    several.map(() => ({ otpId, encryptedOtpBundle })),
  );
  assert.deepEqual(
    outcomes.filter((each) => each === 'done'),
    ['done'],
    `${outcomes}`,
  );
});

test('wrong codes on two nodes leave no further try', async (t) => {
  const service = await startService(t);
  const { otpId, bundle, code } = await startedOtp(service);
  const wrong = await Promise.all(
    several.map(async (i) => ({
      otpId,
      encryptedOtpBundle: await sealedCode(
        `${code.slice(0, -1)}${code.endsWith(`${i}`) ? 9 : i}`,
        bundle,
      ),
    })),
  );
  const outcomes = await askBoth(service, verifyOtp, wrong);
  assert(!outcomes.includes('done'));
  const right = { otpId, encryptedOtpBundle: await sealedCode(code, bundle) };
  const { status } = await service.submit(verifyOtp.operation, verifyOtp.type, right);
  assert.equal(status, 400);
});

test('the target of an import serves one import on two nodes', async (t) => {
  const service = await startService(t);
  const encryptedBundle = await sealedSentence(service, knownSentence);
  const { userId } = service.root;
  const outcomes = await askBoth(
    service,
    { operation: 'import_wallet', type: 'ACTIVITY_TYPE_IMPORT_WALLET' },
    several.map((i) => ({
      userId,
      walletName: `Imported ${i}`,
      encryptedBundle,
      accounts: [ethereumAccount()],
    })),
  );
  assert.equal(outcomes.filter((each) => each === 'done').length, 1, `${outcomes}`);
});

test('a limit of sponsored fees holds on two nodes together', async (t) => {
  const service = await startService(t);
  // Each transaction costs up to 0.63 USD.
  await makeEthereumSponsor(service, { userWindowLimitUsd: '1.3' });
  const senders = [];
  for (const i of several) senders.push(await makeSender(service, {}, `Sender ${i}`));
  const outcomes = await askBoth(
    service,
    { operation: 'eth_send_transaction', type: sendType },
    senders.map((from) => describedSend(from, { sponsor: true })),
  );
  assert.equal(outcomes.filter((each) => each === 'done').length, 2, `${outcomes}`);
  const { body } = await service.query('get_gas_usage', {});
  assert(Number(body.usageUsd) <= 1.3, body.usageUsd);
});
