// Drill: deposits into a vault and swaps during kills of the gateway and the enclave. Each must be on the
// chain once, with its approval.

import assert from 'node:assert/strict';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';
import { accountParameters, httpClient, serverClient, timestampMs } from '../e2e/clients.ts';
import { caip2, codeOf, startMarketChain } from '../e2e/market_chain.ts';
import { startService, until } from '../e2e/service.ts';
import { type Kills, killInTurns, patienceMs, type Running, sendUntilTaken } from './kills.ts';

export type MarketsResult = {
  readonly rounds: number;
  readonly seconds: number;
  readonly kills: Kills;
  /** Number of repeated requests, by the answer before. */
  readonly again: Readonly<Record<string, number>>;
  /** Number of requests whose transaction succeeded in a block. */
  readonly deposits: number;
  readonly swaps: number;
  /** True if the vault has the sum of the deposits, and no approval is left. */
  readonly areDepositsOfChain: boolean;
  /** True if the account paid the sum of the inputs, and no approval is left. */
  readonly areSwapsOfChain: boolean;
  /** Transactions of the accounts on the chain. */
  readonly transactions: number;
};

type Chain = Awaited<ReturnType<typeof startMarkets>>;
type Ids = { readonly deposits: string[]; readonly swaps: string[] };

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function setPrice(uint24 fee, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);
const held = 10n ** 9n;
const paid = 1_000n;
/** Number of rounds between two blocks. */
const wave = 5;

/** Runs rounds of a deposit by one account and a swap by another. */
export async function soakMarkets(of: {
  readonly rounds: number;
  readonly every: number;
}): Promise<MarketsResult> {
  const { rounds, every } = of;
  const startedAt = performance.now();
  const chain = await startMarkets();
  const running: Running = { service: await startService(chain.start) };
  try {
    const [depositor, swapper] = await makeAccounts(running, chain);
    const again: Record<string, number> = {};
    const ids: Ids = { deposits: [], swaps: [] };
    let begun = 0;
    let isDone = false;
    const { start } = chain;
    const chaos = killInTurns({ running, start, every, begun: () => begun, isDone: () => isDone });
    for (let first = 0; first < rounds; first += wave) {
      for (let round = first; round < Math.min(first + wave, rounds); round += 1) {
        begun += 2;
        const [deposit, swap] = await Promise.all([
          depositOf(running, chain, { from: depositor, round, again }),
          swapOf(running, chain, { from: swapper, round, again }),
        ]);
        ids.deposits.push(deposit);
        ids.swaps.push(swap);
      }
      await settle(running, chain, ids);
    }
    isDone = true;
    const kills = await chaos;
    const { vault, market } = chain;
    const amounts = Array.from({ length: rounds }, (_, round) => amountOf(round));
    const deposited = amounts.reduce((sum, amount) => sum + amount, 0n);
    const given = held - (await chain.tokensOf(swapper));
    const left = async (owner: string, spender: string) => await chain.allowance(owner, spender);
    return {
      rounds,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      kills,
      again,
      ...(await succeeded(running, chain, ids)),
      areDepositsOfChain:
        (await chain.tokensOf(vault)) === deposited && (await left(depositor, vault)) === 0n,
      areSwapsOfChain: given === paid * BigInt(rounds) && (await left(swapper, market)) === 0n,
      transactions: (await chain.sentBy(depositor)) + (await chain.sentBy(swapper)),
    };
  } finally {
    await running.service.kill();
    chain.anvil.stop();
  }
}

/** Returns the amount of a round, which is different for each. */
const amountOf = (round: number): bigint => 1_000n + BigInt(round);

async function startMarkets() {
  const { anvil, payer, token, deploy, startWith } = await startMarketChain();
  const argument = encodeAbiParameters([{ type: 'address' }], [token]).slice(2);
  const vault = await deploy(`${codeOf('vault').vault}${argument}`);
  const market = await deploy(codeOf('swaps').router);
  const send = async (to: string, data: `0x${string}`, value = 0n) => {
    await anvil.send({ from: payer, to, data, value });
    await anvil.mine(1);
  };
  const read = async (to: string, data: string) =>
    BigInt(await anvil.call('eth_call', { to, data }, 'latest'));
  const args = [3_000, 100n] as const;
  await send(market, encodeFunctionData({ abi, functionName: 'setPrice', args }));
  await send(market, '0x', 10n ** 18n);
  return {
    anvil,
    token,
    vault,
    market,
    start: startWith({
      vaults: [{ address: vault, asset: token, name: 'Vault' }],
      swaps: { router: market, quoter: market, wrappedCoin: market, feeTiers: [3_000] },
    }),
    give: async (to: `0x${string}`) => {
      await send(to, '0x', 10n ** 18n);
      const values = [to, held] as const;
      await send(token, encodeFunctionData({ abi, functionName: 'mint', args: values }));
    },
    tokensOf: (owner: `0x${string}`) =>
      read(token, encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })),
    allowance: (owner: string, spender: string) => {
      const values = [owner as `0x${string}`, spender as `0x${string}`] as const;
      return read(token, encodeFunctionData({ abi, functionName: 'allowance', args: values }));
    },
    sentBy: async (address: string) =>
      Number(await anvil.call('eth_getTransactionCount', address, 'latest')),
  };
}

async function makeAccounts(
  { service }: Running,
  chain: Chain,
): Promise<readonly [`0x${string}`, `0x${string}`]> {
  const { addresses } = await serverClient(service).createWallet({
    walletName: 'Markets',
    accounts: [0, 1].map((i) => ({ ...accountParameters.ethereum, path: `m/44'/60'/0'/0/${i}` })),
  });
  const [depositor, swapper] = addresses as `0x${string}`[];
  assert(depositor !== undefined && swapper !== undefined);
  for (const address of [depositor, swapper]) await chain.give(address);
  return [depositor, swapper];
}

type Asked = {
  readonly from: string;
  readonly round: number;
  readonly again: Record<string, number>;
};

async function depositOf(
  running: Running,
  { vault }: Chain,
  { from, round, again }: Asked,
): Promise<string> {
  const { organizationId } = running.service.credentials;
  const make = () =>
    httpClient(running.service).stampEarnDeposit({
      type: 'ACTIVITY_TYPE_EARN_DEPOSIT',
      timestampMs: timestampMs(),
      organizationId,
      parameters: {
        wrapperAddress: vault,
        signWith: from,
        assets: String(amountOf(round)),
        chainCaip2: caip2,
      },
    });
  const result = await sendUntilTaken(`deposit ${round}`, running, make, again);
  return result.earnDepositResult.depositRequestId;
}

async function swapOf(
  running: Running,
  { token }: Chain,
  { from, round, again }: Asked,
): Promise<string> {
  const { organizationId } = running.service.credentials;
  const pair = {
    inputToken: `${caip2}/erc20:${token}`,
    outputToken: `${caip2}/slip44:60`,
    inputAmount: String(paid),
  };
  const ask = () =>
    httpClient(running.service).stampCreateSwapQuote({
      type: 'ACTIVITY_TYPE_CREATE_SWAP_QUOTE',
      // Bodies of quotes differ only in their time.
      timestampMs: String(Number(timestampMs()) - round),
      organizationId,
      parameters: { signWith: from, ...pair },
    });
  const accepted = await sendUntilTaken(`quote ${round}`, running, ask, again);
  const [{ quoteId, outputAmount, minOutputAmount }] = accepted.createSwapQuoteResult.quotes;
  const make = () =>
    httpClient(running.service).stampExecuteSwap({
      type: 'ACTIVITY_TYPE_EXECUTE_SWAP_V2',
      timestampMs: timestampMs(),
      organizationId,
      parameters: {
        quoteId,
        ...pair,
        quotedOutputAmount: outputAmount,
        minOutputAmount,
        sponsor: false,
      },
    });
  const result = await sendUntilTaken(`swap ${round}`, running, make, again);
  return result.executeSwapResult.swapRequestId;
}

/** Mines blocks until no request is pending. */
async function settle(running: Running, { anvil }: Chain, ids: Ids): Promise<void> {
  const last = { deposits: ids.deposits.slice(-wave), swaps: ids.swaps.slice(-wave) };
  await until(
    'the requests are in blocks',
    async () => {
      await anvil.mine(1);
      const found = await statusesOf(running, last).catch(() => undefined);
      return found !== undefined && [...found.deposits, ...found.swaps].every(isSettled);
    },
    { timeoutMs: patienceMs },
  );
}

const isSettled = ({ status }: Status) => status !== 'PENDING';

type Status = { readonly status: string; readonly hash: string | undefined };

async function statusesOf({ service }: Running, ids: Ids) {
  const client = serverClient(service);
  const deposits = ids.deposits.map(async (depositRequestId): Promise<Status> => {
    const { status, depositTxHash } = await client.getEarnDepositStatus({ depositRequestId });
    return { status, hash: depositTxHash };
  });
  const swaps = ids.swaps.map(async (swapRequestId): Promise<Status> => {
    const { status, originTxHash } = await client.getSwapStatus({ swapRequestId });
    return { status, hash: originTxHash };
  });
  return { deposits: await Promise.all(deposits), swaps: await Promise.all(swaps) };
}

/** Counts the completed requests whose own transaction succeeded on the chain. */
async function succeeded(running: Running, { anvil }: Chain, ids: Ids) {
  const count = async (statuses: readonly Status[]) => {
    const hashes = new Set<string>();
    for (const { status, hash = '' } of statuses) {
      const receipt = await anvil.call('eth_getTransactionReceipt', hash);
      if (status === 'COMPLETED' && receipt?.status === '0x1') hashes.add(hash);
    }
    return hashes.size;
  };
  const { deposits, swaps } = await statusesOf(running, ids);
  return { deposits: await count(deposits), swaps: await count(swaps) };
}
