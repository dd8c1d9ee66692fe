// Deposits into a vault and withdrawals on a real development chain, by unmodified clients, despite kills of
// the service.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';
import { accountParameters, serverClient } from './clients.ts';
import { caip2, codeOf, startMarketChain } from './market_chain.ts';
import { startService, until } from './service.ts';

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);

const { anvil, payer, token, deploy, startWith } = await startMarketChain();
const vault = await deploy(
  `${codeOf('vault').vault}${encodeAbiParameters([{ type: 'address' }], [token]).slice(2)}`,
);
const caip19 = `${caip2}/erc20:${token}`;

const start = startWith({
  vaults: [{ address: vault, asset: token, name: 'Test vault', provider: 'MORPHO' }],
});
let service = await startService(start);
after(async () => {
  await service.stop();
  anvil.stop();
});
let client = serverClient(service);
const { addresses } = await client.createWallet({
  walletName: 'Yields',
  accounts: [accountParameters.ethereum],
});
const signWith = addresses[0] as `0x${string}`;
await anvil.send({ from: payer, to: signWith, value: 10n ** 18n });
const give = async (to: `0x${string}`, value: bigint) => {
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [to, value] });
  await anvil.send({ from: payer, to: token, data });
  await anvil.mine(1);
};
await give(signWith, 5_000n);
const answerOf = async (to: string, data: string) =>
  BigInt(await anvil.call('eth_call', { to, data }, 'latest'));
const tokensOf = (owner: `0x${string}`) =>
  answerOf(token, encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] }));
const at = { wrapperAddress: vault, chainCaip2: caip2, signWith };

test('the configured vaults are listed with their holdings', async () => {
  const { vaults = [] } = await client.listEarnVaults({ caip19 });
  assert.deepEqual(
    vaults.map(({ vaultAddress, tvl, provider }) => [vaultAddress, tvl, provider]),
    [[vault, '0', 'EARN_PROVIDER_MORPHO']],
  );
  const { enabledVaults = [] } = await client.listEarnEnabledVaults({});
  assert.equal(enabledVaults[0]?.wrapperAddress, vault);
});

test('a deposit happens once despite kills, and the position shows its yield', async () => {
  const { depositRequestId } = await client.earnDeposit({ ...at, assets: '2000' });
  await service.kill();
  service = await startService(start);
  client = serverClient(service);
  const status = () => client.getEarnDepositStatus({ depositRequestId });
  await until('the deposit is in a block', async () => {
    await anvil.mine(1);
    return (await status()).status === 'COMPLETED';
  });
  const { depositTxHash = '' } = await status();
  const receipt = await anvil.call('eth_getTransactionReceipt', depositTxHash);
  assert.deepEqual([receipt.status, receipt.to], ['0x1', vault]);
  assert.equal(await tokensOf(vault), 2_000n);
  assert.equal(await tokensOf(signWith), 3_000n);
  const args = [signWith, vault] as const;
  const data = encodeFunctionData({ abi, functionName: 'allowance', args });
  assert.equal(await answerOf(token, data), 0n);
  await give(vault, 500n);
  const { positions = [] } = await client.listEarnPositions({ walletAddress: signWith });
  assert.deepEqual(
    positions.map(({ wrapperAddress, currentValue }) => [wrapperAddress, currentValue]),
    [[vault, '2500']],
  );
});

test('an amount is withdrawn, and then the rest', async () => {
  for (const [amountValue, rest] of [
    ['1000', 1_500n],
    ['MAX', 0n],
  ] as const) {
    const { withdrawRequestId } = await client.earnWithdraw({ ...at, amountValue });
    await until('the withdrawal is in a block', async () => {
      await anvil.mine(1);
      const { status } = await client.getEarnWithdrawStatus({ withdrawRequestId });
      return status === 'COMPLETED';
    });
    assert.equal(await tokensOf(vault), rest);
  }
  assert.equal(await tokensOf(signWith), 5_500n);
  const { positions } = await client.listEarnPositions({ walletAddress: signWith });
  assert.deepEqual(positions, []);
});

test('a deposit that would fail is refused before a signature', async () => {
  const next = () => client.getNonces({ address: signWith, caip2, nonce: true });
  const before = await next();
  await assert.rejects(client.earnWithdraw({ ...at, amountValue: '1' }), /it would fail/);
  await anvil.mine(1);
  assert.deepEqual(await next(), before);
});
