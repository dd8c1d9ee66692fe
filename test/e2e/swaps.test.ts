// Swaps in a market on a real development chain, by unmodified clients.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, toHex } from 'viem';
import { accountParameters, serverClient } from './clients.ts';
import { caip2, codeOf, startMarketChain } from './market_chain.ts';
import { startService, until } from './service.ts';

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function setPrice(uint24 fee, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
]);

const { anvil, payer, token, deploy, startWith } = await startMarketChain();
const market = await deploy(codeOf('swaps').router);
const [erc20, coin] = [`${caip2}/erc20:${token}`, `${caip2}/slip44:60`];

const service = await startService(
  startWith({ swaps: { router: market, quoter: market, wrappedCoin: market } }),
);
after(async () => {
  await service.stop();
  anvil.stop();
});
const client = serverClient(service);
const { addresses } = await client.createWallet({
  walletName: 'Swaps',
  accounts: [accountParameters.ethereum],
});
const signWith = addresses[0] as `0x${string}`;
const send = async (to: string, data: `0x${string}`, value = 0n) => {
  await anvil.send({ from: payer, to, data, value });
  await anvil.mine(1);
};
const mint = (to: `0x${string}`, value: bigint) =>
  send(token, encodeFunctionData({ abi, functionName: 'mint', args: [to, value] }));
const setPrice = (fee: number, value: bigint) =>
  send(market, encodeFunctionData({ abi, functionName: 'setPrice', args: [fee, value] }));
await send(signWith, '0x', 10n ** 18n);
await send(market, '0x', 10n ** 18n);
await mint(signWith, 5_000n);
await mint(market, 5_000n);
await setPrice(500, 150n);
await setPrice(3_000, 200n);

const tokensOf = async (owner: `0x${string}`) => {
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] });
  return BigInt(await anvil.call('eth_call', { to: token, data }, 'latest'));
};
const coinsOf = async (owner: string) =>
  BigInt(await anvil.call('eth_getBalance', owner, 'latest'));

async function quoteOf(inputToken: string, outputToken: string, inputAmount: string) {
  const terms = { signWith, inputToken, outputToken, inputAmount };
  const { quotes } = await client.createSwapQuote(terms);
  const [quote] = quotes;
  assert(quote !== undefined);
  const { quoteId, outputAmount: quotedOutputAmount, minOutputAmount } = quote;
  const bound = { quoteId, inputToken, outputToken, inputAmount, sponsor: false };
  return { ...bound, quotedOutputAmount, minOutputAmount };
}

async function endOf(swapRequestId: string) {
  const status = () => client.getSwapStatus({ swapRequestId });
  await until('the swap is in a block', async () => {
    await anvil.mine(1);
    return (await status()).status !== 'PENDING';
  });
  return await status();
}

test('coins are swapped for tokens in the best pool', async () => {
  const quote = await quoteOf(coin, erc20, '1000');
  assert.deepEqual([quote.quotedOutputAmount, quote.minOutputAmount], ['2000', '1990']);
  const { swapRequestId } = await client.executeSwap(quote);
  const { status, originTxHash = '' } = await endOf(swapRequestId);
  assert.equal(status, 'COMPLETED');
  assert.equal(await tokensOf(signWith), 7_000n);
  const sent = await anvil.call('eth_getTransactionByHash', originTxHash);
  assert.deepEqual([sent.to, BigInt(sent.value)], [market, 1_000n]);
});

test('tokens are swapped for coins, after an approval of exactly the input', async () => {
  const before = await coinsOf(market);
  const quote = await quoteOf(erc20, coin, '1000');
  const { swapRequestId } = await client.executeSwap(quote);
  assert.equal((await endOf(swapRequestId)).status, 'COMPLETED');
  assert.equal(await tokensOf(signWith), 6_000n);
  assert.equal(before - (await coinsOf(market)), 1_990n);
  await assert.rejects(client.executeSwap({ ...quote, evmNonce: '9' }), /was executed already/);
});

test('the router pays a fee to the account in the settings of the organization', async () => {
  const { addresses: fees } = await client.createWallet({
    walletName: 'Fees',
    accounts: [accountParameters.ethereum],
  });
  const receiver = fees[0] as `0x${string}`;
  await client.upsertSwapConfig({ feeReceiverWalletAddress: receiver, feeBps: '100' });
  const before = await tokensOf(signWith);
  const quote = await quoteOf(coin, erc20, '1000');
  assert.deepEqual([quote.quotedOutputAmount, quote.minOutputAmount], ['1980', '1970']);
  const { swapRequestId } = await client.executeSwap(quote);
  assert.equal((await endOf(swapRequestId)).status, 'COMPLETED');
  // The router of the test pays the minimum, 1990 units before the fee.
  assert.deepEqual([(await tokensOf(signWith)) - before, await tokensOf(receiver)], [1_971n, 19n]);
  const coins = await quoteOf(erc20, coin, '1000');
  const toCoins = await client.executeSwap(coins);
  assert.equal((await endOf(toCoins.swapRequestId)).status, 'COMPLETED');
  assert.equal(await coinsOf(receiver), 19n);
  await client.upsertSwapConfig({ feeBps: '0' });
  await assert.rejects(client.claimSwapFees({}), /nothing is left to claim/);
});

test('a price that falls below the bound after the signature reverts the swap', async () => {
  const before = await tokensOf(signWith);
  const quote = await quoteOf(coin, erc20, '1000');
  const { swapRequestId } = await client.executeSwap(quote);
  // Prices are the first mapping of the contract. No block lies between the signature and the change.
  const words = [{ type: 'uint256' }, { type: 'uint256' }] as const;
  const slot = keccak256(encodeAbiParameters(words, [3_000n, 0n]));
  await anvil.call('anvil_setStorageAt', market, slot, toHex(100n, { size: 32 }));
  const { status, error } = await endOf(swapRequestId);
  assert.equal(status, 'FAILED');
  assert.match(error?.message ?? '', /execution reverted/);
  assert.equal(await tokensOf(signWith), before);
});
