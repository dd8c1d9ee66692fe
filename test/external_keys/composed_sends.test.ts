// Sends with external keys besides plain transfers: sponsored calls, removals of code, vaults and swaps.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { verifyAuthorization, ZeroAddress } from 'ethers';
import { hex } from '../../src/core/base/bytes.ts';
import {
  allow as allowVault,
  claimType,
  depositType,
  describedClaim,
  describedDeposit,
  describedWithdrawal,
  withdrawType,
} from '../operations/earn/earn_requests.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import {
  describedGasUsage,
  ethereumSponsorOf,
  gasUsageType,
  makeEthereumSponsor,
} from '../operations/sending/gas_usage_requests.ts';
import {
  describedSend,
  makeSender,
  sendChain,
  sendType,
} from '../operations/sending/send_requests.ts';
import { signedOf, signerOf } from '../operations/sending/station_calls.ts';
import {
  coin,
  describedSwap,
  makeQuote,
  poolGives,
  swapType,
  token,
} from '../operations/swaps/swap_requests.ts';

import { startTestService, type TestService } from '../support/harness.ts';
import { publishedRewards, testStation } from '../support/outside.ts';
import { registered } from './external_key_requests.ts';
import { memoryHolder, memoryKey, type OrderSignatures } from './holders.ts';

/**
 * Starts a service with an external key of Ethereum. Returns its address, and a function that counts the
 * signatures since then.
 */
async function withKey(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  const holder: OrderSignatures = memoryHolder({ clock: service.now });
  service.outside.holder = holder;
  const publicKey = hex(memoryKey('CURVE_SECP256K1').publicKey);
  const id = await registered(service, { curve: 'CURVE_SECP256K1', publicKey });
  const { body } = await service.query('get_private_key', { privateKeyId: id });
  const address: string = body.privateKey.addresses[0].address;
  let orders = 0;
  service.outside.holder = (order) => {
    orders += 1;
    return holder(order);
  };
  return { service, address, holder, orders: () => orders };
}

/** Gives an address the code of the delegate, as after its first sponsored call. */
function delegate(service: TestService, address: string): void {
  const senderCode = `0xef0100${testStation.delegate.slice(2)}`;
  service.outside.stationStates.set(address.toLowerCase(), { senderCode });
}

type Case = {
  readonly operation: string;
  readonly type: string;
  readonly parameters: object;
};

test('a holder signs sponsored calls and their delegation in one order', async (t) => {
  const { service, address, orders } = await withKey(t);
  const sponsor = await makeEthereumSponsor(service);
  const send = (nonce: object) =>
    service.submit(
      'eth_send_transaction',
      sendType,
      describedSend(address, { sponsor: true, ...nonce }),
    );
  const refused = await send({});
  assert.equal(refused.status, 400);
  assert.match(refused.body.message, /parameters\.gasStationNonce.*expected a nonce/);
  assert.equal(orders(), 0);
  const { status, body } = await send({ gasStationNonce: '0' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(orders(), 1);
  const [signed, ...others] = await signedOf(service);
  assert(signed !== undefined && others.length === 0);
  assert.deepEqual([signed.type, signed.from, signed.nonce], [4, sponsor, 0]);
  const { signer, nonce } = await signerOf(signed);
  assert.deepEqual([signer, nonce], [address, 0n]);
  const [authorization] = signed.authorizationList ?? [];
  assert(authorization !== undefined);
  assert.equal(authorization.address.toLowerCase(), testStation.delegate);
  assert.equal(verifyAuthorization(authorization, authorization.signature), address);
});

test('sponsored calls beyond a limit reach no holder', async (t) => {
  const { service, address, orders } = await withKey(t);
  await makeEthereumSponsor(service, { userWindowLimitUsd: '0' });
  const asked = { sponsor: true, gasStationNonce: '0' };
  const parameters = describedSend(address, asked);
  const { status, body } = await service.submit('eth_send_transaction', sendType, parameters);
  assert.equal(status, 429, JSON.stringify(body));
  assert.match(body.message, /sponsored fees of the user would exceed/);
  // The signed calls could be delivered by others in addition to the payment that replaces the refused one.
  assert.equal(orders(), 0);
});

test('an external key is no sponsor, also in a dry run', async (t) => {
  const { service, address } = await withKey(t);
  const parameters = describedGasUsage({ sponsors: [ethereumSponsorOf(address)] });
  for (const dryRun of [true, false]) {
    const { status, body } = await service.submit(
      'upsert_gas_usage_config',
      gasUsageType,
      parameters,
      { dryRun },
    );
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.message, /held .*it cannot be a sponsor/);
  }
});

test('an external key that an earlier version named as the sponsor pays for nothing', async (t) => {
  const { service, address } = await withKey(t);
  await makeEthereumSponsor(service);
  await changeOrganization(service, (draft) => {
    const [config] = draft.list('gas_usage_config');
    assert(config !== undefined);
    const sponsors = config.sponsors.map((sponsor) => ({ ...sponsor, address }));
    draft.put('gas_usage_config', { ...config, sponsors });
    return undefined;
  });
  const from = await makeSender(service);
  const parameters = describedSend(from, { sponsor: true });
  for (const dryRun of [true, false]) {
    const { status, body } = await service.submit('eth_send_transaction', sendType, parameters, {
      dryRun,
    });
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.message, /held .*it cannot be a sponsor/);
  }
});

test('a holder signs the removal of code and its authorization', async (t) => {
  const { service, address, orders } = await withKey(t);
  const remove = (nonce: object) =>
    service.submit('eth_undelegate_7702', 'ACTIVITY_TYPE_ETH_UNDELEGATE_7702', {
      from: address,
      caip2: sendChain,
      ...nonce,
    });
  const refused = await remove({});
  assert.match(refused.body.message, /parameters\.nonce.*expected a nonce/);
  assert.equal(orders(), 0);
  const { status, body } = await remove({ nonce: '4' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(orders(), 2);
  const [signed] = await signedOf(service);
  assert.deepEqual([signed?.from, signed?.nonce], [address, 4]);
  const [authorization] = signed?.authorizationList ?? [];
  assert(authorization !== undefined);
  assert.deepEqual([authorization.address, authorization.nonce], [ZeroAddress, 5n]);
  assert.equal(verifyAuthorization(authorization, authorization.signature), address);
});

test('a removal of code stores nothing if the holder answers one of two orders', async (t) => {
  const { service, address, holder } = await withKey(t);
  let answered = 0;
  service.outside.holder = async (order) => {
    answered += 1;
    return answered === 1 ? holder(order) : { heldBy: 'command', signatures: [] };
  };
  const remove = () =>
    service.submit('eth_undelegate_7702', 'ACTIVITY_TYPE_ETH_UNDELEGATE_7702', {
      from: address,
      caip2: sendChain,
      nonce: '0',
    });
  assert.equal((await remove()).status, 503);
  assert.deepEqual(await signedOf(service), []);
  service.outside.holder = holder;
  assert.equal((await remove()).status, 200);
  assert.equal((await signedOf(service)).length, 1);
});

/** Requests that need one transaction each, whose calls the service composes. */
async function composed(address: string, service: TestService): Promise<readonly Case[]> {
  allowVault(service, address, 100n);
  service.outside.rewards.set(address.toLowerCase(), publishedRewards([{}]));
  return [
    { operation: 'earn_deposit', type: depositType, parameters: describedDeposit(address) },
    { operation: 'earn_withdraw', type: withdrawType, parameters: describedWithdrawal(address) },
    { operation: 'earn_claim_rewards', type: claimType, parameters: describedClaim(address) },
  ];
}

test('a holder signs calls of vaults, by named nonces and for a sponsor', async (t) => {
  const { service, address, orders } = await withKey(t);
  await makeEthereumSponsor(service);
  delegate(service, address);
  const cases = await composed(address, service);
  for (const [i, { operation, type, parameters }] of cases.entries()) {
    const ask = (more: object) => service.submit(operation, type, { ...parameters, ...more });
    const unnamed = await ask({});
    assert.match(unnamed.body.message, /parameters\.nonce.*expected a nonce/, operation);
    const unsponsored = await ask({ nonce: '9', gasStationNonce: '0' });
    assert.match(unsponsored.body.message, /parameters\.gasStationNonce.*only sponsored/);
    assert.match(
      (await ask({ sponsor: true })).body.message,
      /parameters\.gasStationNonce.*expected a nonce/,
    );
    assert.equal(orders(), 2 * i);
    for (const more of [{ nonce: `${i}` }, { sponsor: true, gasStationNonce: `${i}` }]) {
      const { status, body } = await ask(more);
      assert.equal(status, 200, `${operation}: ${JSON.stringify(body)}`);
    }
    assert.equal(orders(), 2 * (i + 1));
  }
});

test('a swap of an external key is one transaction, or sponsored', async (t) => {
  const { service, address, orders } = await withKey(t);
  await makeEthereumSponsor(service);
  delegate(service, address);
  poolGives(service, 500, 2_000n);
  const ofCoins = { inputToken: coin, outputToken: token };
  const tokens = await makeQuote(service, address);
  const coins = await makeQuote(service, address, {}, ofCoins);
  const ask = (parameters: object) => service.submit('execute_swap', swapType, parameters);
  const unnamed = await ask(describedSwap(coins, ofCoins));
  assert.match(unnamed.body.message, /parameters\.evmNonce.*expected a nonce/);
  // The tokens have no allowance for the router, so two transactions would be needed.
  const two = await ask(describedSwap(tokens, { evmNonce: '0' }));
  assert.match(two.body.message, /parameters\.sponsor.*an approval sent before/);
  assert.equal(orders(), 0);
  for (const parameters of [
    describedSwap(coins, { ...ofCoins, evmNonce: '0' }),
    describedSwap(tokens, { sponsor: true, gasStationNonce: '0' }),
  ]) {
    const { status, body } = await ask(parameters);
    assert.equal(status, 200, JSON.stringify(body));
  }
  assert.equal(orders(), 2);
  const signers = (await signedOf(service)).map(({ from }) => from);
  assert.equal(signers.filter((from) => from === address).length, 1);
});

test('a send or removal of code for which its address has no room reaches no holder', async (t) => {
  const { service, address, orders } = await withKey(t);
  delegate(service, address);
  await makeEthereumSponsor(service);
  for (let i = 0; i < 64; i += 1) {
    const parameters = describedSend(address, { nonce: `${i}` });
    const { status, body } = await service.submit('eth_send_transaction', sendType, parameters);
    assert.equal(status, 200, JSON.stringify(body));
  }
  assert.equal(orders(), 64);
  const nonce = '64';
  const undelegation = { from: address, caip2: sendChain, nonce };
  for (const [operation, type, parameters] of [
    ['eth_send_transaction', sendType, describedSend(address, { nonce })],
    ['eth_undelegate_7702', 'ACTIVITY_TYPE_ETH_UNDELEGATE_7702', undelegation],
  ] as const) {
    const { status, body } = await service.submit(operation, type, parameters);
    assert.equal(status, 429, JSON.stringify(body));
    assert.match(body.message, /already has 64 transactions/);
  }
  // A transaction of the user could follow a rejection, if its holder had signed it.
  assert.equal(orders(), 64);
});

test('sponsored calls for which the sponsor has no room reach no holder', async (t) => {
  const { service, address, orders } = await withKey(t);
  const sponsor = await makeEthereumSponsor(service);
  for (let i = 0; i < 64; i += 1) {
    const parameters = describedSend(sponsor, { nonce: `${i}` });
    const { status, body } = await service.submit('eth_send_transaction', sendType, parameters);
    assert.equal(status, 200, JSON.stringify(body));
  }
  const parameters = describedSend(address, { sponsor: true, gasStationNonce: '0' });
  const { status, body } = await service.submit('eth_send_transaction', sendType, parameters);
  assert.equal(status, 429, JSON.stringify(body));
  assert.match(body.message, /already has 64 transactions/);
  assert.equal(orders(), 0);
});
