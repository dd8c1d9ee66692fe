// Rewards that a contract pays for a Merkle proof, on a real development chain, by an unmodified client.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi } from 'viem';
import { accountParameters, httpClient, serverClient, timestampMs } from './clients.ts';
import { caip2, codeOf, startMarketChain } from './market_chain.ts';
import { startService, until } from './service.ts';

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
  'function setRoot(bytes32 value)',
]);

const { anvil, payer, token, deploy, startWith } = await startMarketChain();
const distributor = await deploy(codeOf('rewards').distributor);

let published = '[]';
const requestedUrls: string[] = [];
const source = createServer(({ url = '' }, response) => {
  requestedUrls.push(url);
  response.end(published);
});
await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
const { port } = source.address() as AddressInfo;

const rewards = { distributor, source: `http://127.0.0.1:${port}/` };
const service = await startService(startWith({ rewards }));
after(async () => {
  await service.stop();
  source.close();
  anvil.stop();
});
const client = httpClient(service);
const { organizationId } = service.credentials;
const { addresses } = await serverClient(service).createWallet({
  walletName: 'Rewards',
  accounts: [accountParameters.ethereum],
});
const signWith = addresses[0] as `0x${string}`;
const send = async (to: string, data: `0x${string}`, value = 0n) => {
  await anvil.send({ from: payer, to, data, value });
  await anvil.mine(1);
};
await send(signWith, '0x', 10n ** 18n);
await send(token, encodeFunctionData({ abi, functionName: 'mint', args: [distributor, 5_000n] }));

/** Publishes a sum of rewards of the account, with a leaf of another account. */
async function publish(amount: bigint, proven = amount): Promise<void> {
  const pair = [{ type: 'bytes32' }, { type: 'bytes32' }] as const;
  const leaf = keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }],
      [signWith, token, proven],
    ),
  );
  const other = keccak256('0x07');
  const root = keccak256(encodeAbiParameters(pair, leaf <= other ? [leaf, other] : [other, leaf]));
  await send(distributor, encodeFunctionData({ abi, functionName: 'setRoot', args: [root] }));
  const reward = {
    amount: String(amount),
    claimed: '0',
    pending: '3',
    proofs: [other],
    token: { address: token, symbol: 'TST', decimals: 6 },
  };
  published = JSON.stringify([{ chain: { id: 31_337 }, rewards: [reward] }]);
}

const held = async () => {
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [signWith] });
  return BigInt(await anvil.call('eth_call', { to: token, data }, 'latest'));
};
async function claim() {
  const { activity } = await client.earnClaimRewards({
    type: 'ACTIVITY_TYPE_EARN_CLAIM_REWARDS',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { signWith, chainCaip2: caip2 },
  });
  const claimRequestId = activity.result.earnClaimRewardsResult?.claimRequestId ?? '';
  return () => client.getEarnClaimRewardsStatus({ organizationId, claimRequestId });
}
const list = () => client.listEarnRewards({ organizationId, walletAddress: signWith });
const amounts = async () => {
  const { rewards: listed = [] } = await list();
  return listed.map(({ claimable, claimed, pending }) => [claimable, claimed, pending]);
};

test('rewards are claimed once, and later additions separately', async () => {
  assert.deepEqual(await amounts(), []);
  for (const [sum, added, before] of [
    [700n, '700', '0'],
    [1_000n, '300', '700'],
  ] as const) {
    await publish(sum);
    assert.deepEqual(await amounts(), [[added, before, '3']]);
    const status = await claim();
    await until('the claim is in a block', async () => {
      await anvil.mine(1);
      return (await status()).status === 'COMPLETED';
    });
    const receipt = await anvil.call(
      'eth_getTransactionReceipt',
      (await status()).claimTxHash ?? '',
    );
    assert.deepEqual([receipt.status, receipt.to], ['0x1', distributor]);
    assert.equal(await held(), sum);
  }
  await assert.rejects(claim(), /there are none now/);
  const path = `/v4/users/${signWith.toLowerCase()}/rewards?chainId=31337`;
  assert(requestedUrls.every((url) => url === path));
});

test('no key signs a proof that the contract rejects', async () => {
  await publish(2_000n, 1_500n);
  await assert.rejects(claim(), /it would fail/);
  published = 'an error';
  await assert.rejects(list(), /try again/);
});
