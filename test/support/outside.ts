// Test doubles of external services: sent messages are recorded, and fetched documents come from maps.

import type { GasStation } from '../../src/core/balances/chains.ts';
import { hex } from '../../src/core/base/bytes.ts';
import { keccak256 } from '../../src/core/crypto/hashes.ts';
import { fail } from '../../src/core/errors/errors.ts';
import type {
  Deployment,
  ExternalRequest,
  ExternalResponse,
  ExternalServices,
} from '../../src/core/external/external_services.ts';
import type { OutgoingMessage } from '../../src/core/external/outgoing_message.ts';
import type { Json } from '../../src/core/schema/json.ts';
import type { StationState } from '../../src/core/sends/ethereum_fill.ts';

const stationCode = `0x${'5b'.repeat(100)}`;
const delegateCode = `0x${'5d'.repeat(100)}`;
const hashOf = (code: string) => `0x${hex(keccak256(Buffer.from(code.slice(2), 'hex')))}`;

/** The contracts for sponsored transactions on the test chain. */
export const testStation: GasStation = {
  address: `0x${'5a'.repeat(20)}`,
  codeHash: hashOf(stationCode),
  delegate: `0x${'5c'.repeat(20)}`,
  delegateCodeHash: hashOf(delegateCode),
};

/** The token of the test chain. */
export const testToken = `0x${'c'.repeat(40)}`;

/** The call data of `asset()`. */
const assetCall = '0x38d52e0f';

/** The vault of the test chain. Its asset is the test token. */
export const testVault = {
  address: `0x${'7a'.repeat(20)}`,
  caip19: `eip155:1/erc20:${testToken}`,
  name: 'Test vault',
  curator: 'Example',
  provider: 'EARN_PROVIDER_MORPHO',
  depositGas: 400_000,
} as const;

/** The contracts for swaps of the test chain. */
export const testSwaps = {
  router: `0x${'7c'.repeat(20)}`,
  quoter: `0x${'7d'.repeat(20)}`,
  wrappedCoin: `0x${'7e'.repeat(20)}`,
  feeTiers: [500, 3_000],
  swapGas: 300_000,
};

/** The distributor of rewards of the test chain. */
export const testRewards = { distributor: `0x${'7f'.repeat(20)}` };

/** The default deployment of tests, with all features on. */
export const testDeployment: Deployment = {
  publicUrl: 'https://keywright.test',
  isDevelopment: true,
  sendsEmail: true,
  sendsSms: true,
  smsPrefixes: undefined,
  compatibleWebhooks: true,
  oidcIssuers: undefined,
  acceptsUnboundTokens: false,
  // Most tests register accounts by tokens without a nonce; the tests of this setting turn it off.
  acceptsUnboundIdentities: true,
  // Tests of operations show that each schema names every member.
  refusesUnknownMembers: true,
  captchaSiteKey: undefined,
  chains: [
    {
      caip2: 'eip155:1',
      fromBlock: undefined,
      gasStation: testStation,
      vaults: [testVault],
      swaps: testSwaps,
      rewards: testRewards,
      assets: [
        { symbol: 'ETH', name: 'Ether', decimals: 18, caip19: 'eip155:1/slip44:60' },
        { symbol: 'TST', name: 'Test', decimals: 6, caip19: testVault.caip19 },
      ],
    },
    {
      caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      fromBlock: undefined,
      gasStation: undefined,
      vaults: [],
      swaps: undefined,
      rewards: undefined,
      assets: [
        {
          symbol: 'SOL',
          name: 'Solana',
          decimals: 9,
          caip19: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:501',
        },
      ],
    },
  ],
};

export type TestOutside = ExternalServices & {
  /** The messages to send, oldest first. */
  readonly messages: OutgoingMessage[];
  /** Key sets by issuer. An issuer without an entry is down. */
  readonly issuers: Map<string, Json>;
  /** The requested key sets, oldest first. */
  readonly askedFor: { readonly issuer: string; readonly keyId: string | undefined }[];
  /** Answers to requests, by URL. */
  readonly answers: Map<string, (request: ExternalRequest) => ExternalResponse>;
  /** Signs with the keys that are held outside of the service. */
  holder: ExternalServices['orderSignatures'];
  /** URLs that webhooks must not use, with the reason. */
  readonly refusedTargets: Map<string, string>;
  /** Captcha answers that count as solved. */
  readonly solvedCaptchas: Set<string>;
  /** Amounts by CAIP-19, by chain and address. */
  readonly amounts: Map<string, ReadonlyMap<string, string>>;
  /** Answers of contracts, by contract and call data. Other calls of the test vault answer 1. */
  readonly contractValues: Map<string, bigint>;
  /** Published rewards, by address. Other addresses have one reward. */
  readonly rewards: Map<string, string>;
  /** Chains whose nodes are down. */
  readonly chainsDown: Set<string>;
  /** The state of senders and the gas station as nodes report it, by sender address. */
  readonly stationStates: Map<string, Partial<StationState>>;
  /** Contracts whose calls revert, and blockhashes whose transactions fail, with the reason. */
  readonly reverts: Map<string, string>;
  /** Addresses and blockhashes for which nodes were asked to fill in a transaction, oldest first. */
  readonly filledFor: string[];
  /** Nodes answer requests for transaction fields after this promise resolves, if it is set. */
  slowNode: Promise<void> | undefined;
  /** Time of the last backup, in milliseconds since 1970. */
  lastBackupAtMs: number | undefined;
  /** Expired blockhashes, and the values of nonce accounts. */
  readonly oldHashes: Set<string>;
  readonly nonces: Map<string, string>;
};

/** Rewards on the test chain as their source publishes them; by default 5 units of the test token. */
export const publishedRewards = (rewards: readonly object[]): string => {
  const token = { address: testToken, symbol: 'TST', decimals: 6 };
  const proofs = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
  const usual = { amount: '5', claimed: '0', pending: '2', proofs, token };
  return JSON.stringify([
    { chain: { id: 1 }, rewards: rewards.map((reward) => ({ ...usual, ...reward })) },
  ]);
};

/** Creates external services without any data. */
export function createTestOutside(): TestOutside {
  const messages: OutgoingMessage[] = [];
  const issuers = new Map<string, Json>();
  const askedFor: { issuer: string; keyId: string | undefined }[] = [];
  const answers = new Map<string, (request: ExternalRequest) => ExternalResponse>();
  const refusedTargets = new Map<string, string>();
  const solvedCaptchas = new Set<string>();
  const amounts = new Map<string, ReadonlyMap<string, string>>();
  const chainsDown = new Set<string>();
  const contractValues = new Map<string, bigint>();
  const rewards = new Map<string, string>();
  const reverts = new Map<string, string>();
  const filledFor: string[] = [];
  const oldHashes = new Set<string>();
  const nonces = new Map<string, string>();
  const stationStates: TestOutside['stationStates'] = new Map();
  const outside: TestOutside = {
    oldHashes,
    nonces,
    stationStates,
    reverts,
    filledFor,
    slowNode: undefined,
    lastBackupAtMs: undefined,
    messages,
    issuers,
    askedFor,
    answers,
    refusedTargets,
    solvedCaptchas,
    amounts,
    chainsDown,
    contractValues,
    rewards,
    issuerKeys: async (issuer, keyId) => {
      askedFor.push({ issuer, keyId });
      return issuers.get(issuer) ?? fail('oidc_issuer_unavailable', { issuer });
    },
    deliver: async (sent) => {
      messages.push(...sent);
    },
    fetch: async (request) => {
      const answer = answers.get(request.url);
      return answer?.(request) ?? fail('oauth2_provider_unavailable');
    },
    refusedTarget: async (url) => refusedTargets.get(url),
    verifyCaptcha: async (token) => solvedCaptchas.has(token),
    chainAmounts: async (caip2, address) => {
      if (chainsDown.has(caip2)) fail('chain_node_unavailable', { caip2 });
      return amounts.get(`${caip2}/${address}`) ?? new Map();
    },
    serviceHealth: async () => ({
      answering: new Set(
        testDeployment.chains.map(({ caip2 }) => caip2).filter((caip2) => !chainsDown.has(caip2)),
      ),
      lastBackupAtMs: outside.lastBackupAtMs,
    }),
    transactionCount: async (caip2, address) => {
      if (chainsDown.has(caip2)) fail('chain_node_unavailable', { caip2 });
      return amounts.get(`${caip2}/${address}`)?.get('nonce') ?? '0';
    },
    fetchEthereumFields: async ({ caip2, from, to, estimatesGas }) => {
      filledFor.push(from);
      await outside.slowNode;
      if (chainsDown.has(caip2)) fail('chain_node_unavailable', { caip2 });
      const reason = reverts.get(to);
      if (reason !== undefined) fail('transaction_would_revert', { reason });
      const used = BigInt(amounts.get(`${caip2}/${from}`)?.get('nonce') ?? '0');
      const gas = estimatesGas ? 21_000n : undefined;
      return { used, baseFee: 1_000_000_000n, tip: 100_000_000n, gas };
    },
    fetchSponsoredFields: async ({ caip2, sponsor, from, calls, estimatesGas }) => {
      const station = stationStates.get(from);
      const [first, ...others] = calls.map(({ to }) =>
        outside.fetchEthereumFields({
          caip2,
          from: sponsor,
          to,
          value: 0n,
          data: '0x',
          estimatesGas,
        }),
      );
      await Promise.all(others);
      const filled = (await first) ?? { used: 0n, baseFee: 0n, tip: 0n, gas: undefined };
      return {
        ...filled,
        gas: filled.gas && filled.gas * BigInt(calls.length),
        usedBySender: BigInt(amounts.get(`${caip2}/${from}`)?.get('nonce') ?? '0'),
        stationNonce: 0n,
        senderCode: '0x',
        stationCode,
        delegateCode,
        ...station,
      };
    },
    fetchContractValues: async ({ caip2, calls }) => {
      if (chainsDown.has(caip2)) fail('chain_node_unavailable', { caip2 });
      const known = [testVault.address, testToken, testSwaps.quoter, testRewards.distributor];
      const isThere = (to: string) => known.includes(to);
      const usual = (data: string) => (data === assetCall ? BigInt(testToken) : 1n);
      return calls.map(({ to, data }) => {
        return contractValues.get(`${to}/${data}`) ?? (isThere(to) ? usual(data) : undefined);
      });
    },
    fetchRewards: async ({ caip2, address }) => {
      if (chainsDown.has(caip2)) fail('rewards_unavailable', { caip2 });
      return rewards.get(address) ?? publishedRewards([{}]);
    },
    fetchSolanaFields: async ({ caip2, hash, nonceAccount }) => {
      filledFor.push(hash);
      await outside.slowNode;
      if (chainsDown.has(caip2)) fail('chain_node_unavailable', { caip2 });
      const reason = reverts.get(hash);
      if (reason !== undefined) fail('transaction_would_revert', { reason });
      const nonce = nonceAccount === undefined ? undefined : (nonces.get(nonceAccount) ?? '');
      return { slot: 1_000, height: 900, isRecent: !oldHashes.has(hash), nonce };
    },
    orderSignatures: (order) => outside.holder(order),
    holder: async () => fail('external_signer_unavailable', { reason: 'there is none' }),
  };
  return outside;
}
