import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddress, Interface, Transaction } from 'ethers';
import { hex } from '../../../src/core/base/bytes.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { publishedRewards, testRewards, testStation, testToken } from '../../support/outside.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeEthereumSponsor } from '../sending/gas_usage_requests.ts';
import { makeSender, unsettled } from '../sending/send_requests.ts';
import { claimType, describedClaim, vaultAnswers } from './earn_requests.ts';

const operation = 'earn_claim_rewards';
const contract = new Interface([
  'function claim(address[] users, address[] tokens, uint256[] amounts, bytes32[][] proofs)',
]);
const other = `0x${'0a'.repeat(20)}`;
const done = `0x${'0d'.repeat(20)}`;

async function started() {
  const service = await startTestService();
  return { service, signWith: await makeSender(service) };
}

const signedOf = async (service: TestService) =>
  (await unsettled(service)).map(({ signedTransaction }) => Transaction.from(signedTransaction));

function claimed(service: TestService, user: string, token: string, value: bigint): void {
  const words = [BigInt(user), BigInt(token)];
  vaultAnswers(service, 'claimed(address,address)', words, value, testRewards.distributor);
}

test('earn_claim_rewards: claims the rest of each reward for the signing address', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const proofs = [`0x${'33'.repeat(32)}`];
  const rewards = [
    { token: { address: done, symbol: 'DONE', decimals: 18 }, amount: '9' },
    {},
    { token: { address: other, symbol: 'OTHER', decimals: 18 }, amount: '7', proofs },
  ];
  service.outside.rewards.set(signWith.toLowerCase(), publishedRewards(rewards));
  claimed(service, signWith, done, 9n);
  claimed(service, signWith, testToken, 3n);
  const parameters = describedClaim(signWith);
  const result = await checkActivity(service, {
    operation,
    type: claimType,
    intent: 'earnClaimRewardsIntent',
    result: 'earnClaimRewardsResult',
    parameters,
    optional: [],
    malformed: [
      { field: 'parameters.chainCaip2', parameters: { ...parameters, caip2: 'eip155:2' } },
      {
        field: 'parameters.chainCaip2',
        parameters: { ...parameters, chainCaip2: 'eip155:5' },
      },
    ],
  });
  assert.match(result.claimRequestId, /^[0-9a-f-]{36}$/);
  const [signed, ...more] = await signedOf(service);
  assert(signed !== undefined && more.length === 0);
  assert.equal(signed.to?.toLowerCase(), testRewards.distributor);
  const call = contract.parseTransaction({ data: signed.data });
  assert.deepEqual(call?.args.toArray(true), [
    [signWith, signWith],
    // The token in the operator's settings comes first.
    [getAddress(testToken), getAddress(other)],
    [5n, 7n],
    [[`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`], proofs],
  ]);
});

test('earn_claim_rewards: signs nothing without a reward, a valid proof or a source', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const claim = (changes = {}) =>
    service.submit(operation, claimType, describedClaim(signWith, changes));
  const user = signWith.toLowerCase();
  claimed(service, signWith, testToken, 5n);
  assertViolation(await claim(), 'parameters.signWith');
  claimed(service, signWith, testToken, 0n);
  for (const published of ['no JSON', '{}', publishedRewards([{ amount: '-1' }])]) {
    service.advance(1_001);
    service.outside.rewards.set(user, published);
    assertRefused(await claim(), 503, 14);
  }
  service.outside.rewards.set(user, '[]');
  service.advance(1_001);
  assertViolation(await claim(), 'parameters.signWith');
  service.outside.rewards.delete(user);
  service.advance(1_001);
  service.outside.reverts.set(testRewards.distributor, 'InvalidProof()');
  assertRefused(await claim(), 400, 3);
  assert.deepEqual(await signedOf(service), []);
});

test('earn_claim_rewards: claimed rewards and unknown tokens do not crowd out open rewards', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const addressOf = (prefix: string, i: number) => `0x${prefix.repeat(19)}${hex(Uint8Array.of(i))}`;
  const rewardIn = (address: string) => ({
    token: { address, symbol: 'SPAM', decimals: 18 },
    amount: '9',
  });
  // Addresses are sorted: 20 claimed rewards, 120 open rewards, then the reward in the configured token.
  const spent = Array.from({ length: 20 }, (_, i) => addressOf('00', i + 1));
  const spam = Array.from({ length: 120 }, (_, i) => addressOf('01', i + 1));
  const rewards = [...[...spent, ...spam].map(rewardIn), {}];
  service.outside.rewards.set(signWith.toLowerCase(), publishedRewards(rewards));
  for (const token of spent) claimed(service, signWith, token, 9n);
  const { body } = await service.query('list_earn_rewards', { walletAddress: signWith });
  assert.equal(body.rewards.length, 16);
  assert(body.rewards.every(({ claimable }: { claimable: string }) => claimable !== '0'));
  const { status } = await service.submit(operation, claimType, describedClaim(signWith));
  assert.equal(status, 200);
  const [signed] = await signedOf(service);
  const call = contract.parseTransaction({ data: signed?.data ?? '' });
  const [, tokens] = call?.args.toArray(true) ?? [];
  assert.equal(tokens.length, 16);
  assert.equal(tokens[0], getAddress(testToken));
});

test('earn_claim_rewards: policies decide on the call', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const claim = () => service.submit(operation, claimType, describedClaim(signWith), as);
  assertRefused(await claim(), 403, 7);
  const condition = `eth.tx.to == '${testRewards.distributor}'`;
  await makePolicy(service, 'Rewards', { condition, consensus: undefined });
  service.advance(1);
  assert.equal((await claim()).status, 200);
});

test('earn_claim_rewards: a sponsor delivers the claim', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const sponsor = await makeEthereumSponsor(service);
  const parameters = describedClaim(signWith, { sponsor: true });
  const { status, body } = await service.submit(operation, claimType, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  const [signed, ...more] = await signedOf(service);
  assert(signed !== undefined && more.length === 0);
  assert.deepEqual([signed.from, signed.to?.toLowerCase()], [sponsor, testStation.address]);
  assert(signed.data.includes(testRewards.distributor.slice(2)));
});

test('earn_claim_rewards: a deployment without rewards is refused with the reason', async (t) => {
  const service = await startTestService({ deployment: { chains: [] } });
  t.after(() => service.close());
  const refused = await service.query('list_earn_rewards', { walletAddress: other });
  assertRefused(refused, 400, 9);
  assert.match(refused.body.message, /the operator configured no rewards/);
});
