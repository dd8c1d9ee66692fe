// Drill: sponsored transfers during kills of the gateway and the enclave. Each transfer must be on the chain
// once, the sponsor must have paid the fees of the chain, and no limit may be exceeded.

import assert from 'node:assert/strict';
import { newApiKey, serverClient, stamper, timestampMs } from '../e2e/clients.ts';
import { startService, temporaryDirectory, until } from '../e2e/service.ts';
import { post } from '../e2e/two_nodes.ts';
import { type Kills, killInTurns, patienceMs, type Running, sendUntilTaken } from './kills.ts';
import {
  type Sending,
  type SponsoredChain,
  type SponsoredFamily,
  sponsoredChains,
} from './sponsored_chains.ts';

export type SponsoredResult = {
  readonly transfers: number;
  readonly seconds: number;
  readonly kills: Kills;
  /** Number of repeated requests, by the answer before. */
  readonly again: Readonly<Record<string, number>>;
  readonly landedOnce: number;
  readonly landedTwice: number;
  readonly lost: number;
  readonly wrongStatuses: number;
  /** True if the balance of the sponsor fell by the fees on the chain. */
  readonly isSpendOfChain: boolean;
  /** True if the service counted the highest fees of exactly the transactions on the chain. */
  readonly isCountOfChain: boolean;
  /** Number of refused and of signed requests above the limit. */
  readonly aboveLimit: { readonly refused: number; readonly signed: number };
};

type Sender = Pick<Sending, 'key' | 'organizationId' | 'from'>;
const senders = 4;
/** Number of transfers between two blocks. */
const wave = 20;
/** Interval of requests for a status. After a kill, a service sends again after 30 s. */
const pollMs = 100;
const limits = { orgWindowLimitUsd: '1000000', subOrgWindowLimitUsd: '1000000' };

/** Sends transfers, and causes a fault after each `every` of them. */
export async function soakSponsored(of: {
  readonly family: SponsoredFamily;
  readonly transfers: number;
  readonly every: number;
}): Promise<SponsoredResult> {
  const { transfers, every } = of;
  const startedAt = performance.now();
  const chain = await sponsoredChains[of.family]();
  const start = {
    dataDirectory: temporaryDirectory(),
    environment: {
      KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
      KEYWRIGHT_CHAINS: JSON.stringify({ [chain.caip2]: chain.setting }),
    },
  };
  const running: Running = { service: await startService(start) };
  try {
    const sponsor = await makeSponsor(running, chain);
    const all = await makeSenders(running, chain);
    const before = await chain.balance(sponsor);
    const again: Record<string, number> = {};
    const ids: string[] = [];
    let next = 0;
    let isDone = false;
    const chaos = killInTurns({
      running,
      start,
      every,
      begun: () => next,
      isDone: () => isDone,
    });
    for (let first = 0; first < transfers; first += wave) {
      const end = Math.min(first + wave, transfers);
      await Promise.all(
        all.map(async (sender, i) => {
          for (let transfer = first + i; transfer < end; transfer += all.length) {
            next += 1;
            ids[transfer] = await sendOne(running, chain, { ...sender, transfer }, again);
          }
        }),
      );
      // The simulated Solana accepts only the newest blockhash, so a block ends each wave.
      for (let i = first; i < end; i += 1) {
        await until(
          'a transfer is at the node',
          async () => (await statusOf(running, all, ids, i)).txStatus !== 'INITIALIZED',
          { timeoutMs: patienceMs, everyMs: pollMs },
        );
      }
      await chain.produce();
    }
    isDone = true;
    const kills = await chaos;
    const wrongStatuses = await settled(running, chain, all, ids);
    const received: bigint[] = [];
    for (let i = 0; i < transfers; i += 1) received.push(await chain.received(i));
    const { charged, counted } = await chain.fees(sponsor);
    const spent = before - (await chain.balance(sponsor));
    const usage = await usageOf(running);
    const aboveLimit = await exceed(running, chain, { sponsor, all, usage, transfers });
    return {
      transfers,
      kills,
      again,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      landedOnce: received.filter((amount) => amount === 1n).length,
      landedTwice: received.filter((amount) => amount > 1n).length,
      lost: received.filter((amount) => amount === 0n).length,
      wrongStatuses,
      isSpendOfChain: spent === charged,
      isCountOfChain: isPrice(usage, counted, chain),
      aboveLimit,
    };
  } finally {
    await running.service.kill();
    await chain.stop();
  }
}

/** Returns true if a usage is the price of fees, each rounded up to a billionth of a dollar. */
function isPrice(usage: string, fees: bigint, { unitsPerCoin, sponsor }: SponsoredChain): boolean {
  const [whole = '0', part = ''] = usage.split('.');
  const counted = BigInt(whole + part.padEnd(9, '0'));
  const exact = (fees * BigInt(sponsor.usdPerCoin) * 10n ** 9n) / unitsPerCoin;
  return counted >= exact && counted - exact < 1_000_000n;
}

async function makeSponsor(running: Running, chain: SponsoredChain): Promise<string> {
  const client = serverClient(running.service);
  const { addresses } = await client.createWallet({
    walletName: 'Sponsor',
    accounts: [chain.account],
  });
  const [sponsor] = addresses;
  assert(sponsor !== undefined);
  await configure(running, chain, sponsor, limits);
  await client.createPolicy({
    policyName: 'Sponsor',
    effect: 'EFFECT_ALLOW',
    condition: `activity.resource == 'SPONSORSHIP' && wallet_account.address == '${sponsor}'`,
    notes: '',
  });
  await chain.give(sponsor);
  return sponsor;
}

async function configure(
  { service }: Running,
  chain: SponsoredChain,
  address: string,
  limitsUsd: typeof limits,
): Promise<void> {
  const { organizationId } = service.credentials;
  const sponsors = [{ caip2: chain.caip2, address, ...chain.sponsor }];
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_UPSERT_GAS_USAGE_CONFIG',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { ...limitsUsd, windowDurationMinutes: '1440', sponsors },
  });
  const stamp = await stamper(service.credentials).stamp(body);
  const url = `${service.baseUrl}/public/v1/submit/upsert_gas_usage_config`;
  const answer = await post({ url, body, stamp }, service);
  assert.equal(answer.status, 200, answer.text);
}

/** Creates sub-organizations with an account each. */
async function makeSenders(
  { service }: Running,
  chain: SponsoredChain,
): Promise<readonly Sender[]> {
  const made: Sender[] = [];
  for (let i = 0; i < senders; i += 1) {
    const key = newApiKey();
    const apiKey = {
      apiKeyName: 'Key',
      publicKey: key.apiPublicKey,
      curveType: 'API_KEY_CURVE_P256' as const,
    };
    const { subOrganizationId, wallet } = await serverClient(service).createSubOrganization({
      subOrganizationName: `Sender ${i}`,
      rootQuorumThreshold: 1,
      rootUsers: [
        { userName: 'Sender', apiKeys: [apiKey], authenticators: [], oauthProviders: [] },
      ],
      wallet: { walletName: 'Wallet', accounts: [chain.account] },
    });
    const [from] = wallet?.addresses ?? [];
    assert(from !== undefined);
    await chain.give(from);
    made.push({ key, organizationId: subOrganizationId, from });
  }
  await chain.produce();
  return made;
}

/** Sends a transfer until the service signs it, and returns its ID. */
async function sendOne(
  running: Running,
  chain: SponsoredChain,
  of: Omit<Sending, 'service'>,
  again: Record<string, number>,
): Promise<string> {
  const make = () => chain.request({ service: running.service, ...of });
  const result = await sendUntilTaken(`transfer ${of.transfer}`, running, make, again);
  return result[chain.result].sendTransactionStatusId;
}

/** Returns the status of a transfer, requested by its sub-organization. */
function statusOf(
  { service }: Running,
  all: readonly Sender[],
  ids: readonly string[],
  transfer: number,
) {
  const sender = all[transfer % all.length];
  assert(sender !== undefined);
  const sendTransactionStatusId = ids[transfer] ?? '';
  return serverClient(service, sender).getSendTransactionStatus({ sendTransactionStatusId });
}

/** Mines blocks until they include all transfers. Returns the number of failed transfers. */
async function settled(
  running: Running,
  chain: SponsoredChain,
  all: readonly Sender[],
  ids: readonly string[],
): Promise<number> {
  let wrong = 0;
  for (const i of ids.keys()) {
    await until(
      'a transfer has ended',
      async () => {
        const { txStatus, txError } = await statusOf(running, all, ids, i);
        const hasEnded = txStatus === 'INCLUDED' || txStatus === 'FAILED';
        if (!hasEnded) await chain.produce();
        else if (txStatus === 'FAILED' || txError !== undefined) wrong += 1;
        return hasEnded;
      },
      { timeoutMs: patienceMs, everyMs: pollMs },
    );
  }
  return wrong;
}

/** Sends a transfer from each sub-organization after the limit is used up. */
async function exceed(
  running: Running,
  chain: SponsoredChain,
  of: {
    readonly sponsor: string;
    readonly all: readonly Sender[];
    readonly usage: string;
    readonly transfers: number;
  },
): Promise<SponsoredResult['aboveLimit']> {
  const { sponsor, all, usage, transfers } = of;
  await configure(running, chain, sponsor, { ...limits, orgWindowLimitUsd: usage });
  const answers = await Promise.all(
    all.map(async (sender, i) => {
      const sending = { service: running.service, ...sender, transfer: transfers + i };
      return post(await chain.request(sending), running.service);
    }),
  );
  const refused = answers.filter(
    ({ status, text }) => status === 429 && text.includes('of all organizations would exceed'),
  );
  const signed = answers.filter(({ status }) => status === 200);
  assert.equal(await usageOf(running), usage, 'a refused request counts nothing');
  return { refused: refused.length, signed: signed.length };
}

async function usageOf({ service }: Running): Promise<string> {
  return (await serverClient(service).getGasUsage({})).usageUsd;
}
