// The two chains of the drill of sponsored sends: a development chain of Ethereum with a gas station, and
// Solana's virtual machine.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { encodeAbiParameters, keccak256 } from 'viem';
import { type Anvil, startAnvil } from '../e2e/anvil.ts';
import { type ApiKeyPair, accountParameters, httpClient, timestampMs } from '../e2e/clients.ts';
import type { RunningService } from '../e2e/service.ts';
import { createSolanaChain } from '../e2e/solana_chain.ts';
import { startSolanaNode } from '../e2e/solana_node.ts';
import type { StampedRequest } from '../e2e/two_nodes.ts';

export type SponsoredFamily = 'ethereum' | 'solana';

export type Sending = {
  readonly service: RunningService;
  readonly key: ApiKeyPair;
  readonly organizationId: string;
  readonly from: string;
  readonly transfer: number;
};

/** A chain of the drill. Amounts are in the smallest unit. */
export type SponsoredChain = {
  readonly caip2: string;
  /** The entry of `KEYWRIGHT_CHAINS`. */
  readonly setting: object;
  readonly account: (typeof accountParameters)[SponsoredFamily];
  /** Members of the sponsor besides its address. */
  readonly sponsor: { readonly delegate?: string; readonly usdPerCoin: string };
  readonly unitsPerCoin: bigint;
  readonly result: 'ethSendTransactionResultV2' | 'solSendTransactionResultV2';
  give(address: string): Promise<void>;
  /** A stamped request for a transfer of one unit to an address of its own. */
  request(of: Sending): Promise<StampedRequest>;
  produce(): Promise<void>;
  balance(address: string): Promise<bigint>;
  /** The units that the address of a transfer received. */
  received(transfer: number): Promise<bigint>;
  /** The fees that the chain charged the sponsor, and the fees that the service counts for the same. */
  fees(sponsor: string): Promise<{ readonly charged: bigint; readonly counted: bigint }>;
  stop(): Promise<void>;
};

export const sponsoredChains: Readonly<Record<SponsoredFamily, () => Promise<SponsoredChain>>> = {
  ethereum: ethereumChain,
  solana: solanaChain,
};

/** A code of the contracts in `test/contracts/gas_station.sol`. */
export type StationCode = { readonly delegate: `0x${string}`; readonly station: `0x${string}` };

/** The contracts of the tests; `KEYWRIGHT_TEST_STATION` names a file with others. */
export function stationCode(): StationCode {
  const own = join(import.meta.dirname, '..', 'contracts', 'gas_station.json');
  const path = process.env['KEYWRIGHT_TEST_STATION'] ?? own;
  return JSON.parse(readFileSync(path, 'utf8')) as StationCode;
}

/** Deploys a delegate and its station. Returns the setting of the operator. */
export async function deployStation(anvil: Anvil) {
  const [from] = await anvil.call('eth_accounts');
  const deploy = async (data: string): Promise<`0x${string}`> => {
    const hash = await anvil.call('eth_sendTransaction', { from, data, gas: '0xf42400' });
    await anvil.mine(1);
    const receipt = await anvil.call('eth_getTransactionReceipt', hash);
    assert.equal(receipt.status, '0x1');
    return receipt.contractAddress;
  };
  const hashAt = async (address: string) =>
    keccak256(await anvil.call('eth_getCode', address, 'latest'));
  const code = stationCode();
  const delegate = await deploy(code.delegate);
  const argument = encodeAbiParameters([{ type: 'address' }], [delegate]).slice(2);
  const address = await deploy(`${code.station}${argument}`);
  const [codeHash, delegateCodeHash] = [await hashAt(address), await hashAt(delegate)];
  return { address, codeHash, delegate, delegateCodeHash };
}

async function ethereumChain(): Promise<SponsoredChain> {
  const anvil = await startAnvil();
  const gasStation = await deployStation(anvil);
  const caip2 = 'eip155:31337' as 'eip155:1';
  const confirmations = 3;
  const recipientOf = (transfer: number) =>
    `0x${(0xabcd0000 + transfer).toString(16).padStart(40, '4')}`;
  const balance = async (address: string) =>
    BigInt(await anvil.call('eth_getBalance', address, 'latest'));
  return {
    caip2,
    setting: {
      rpcUrl: anvil.url,
      confirmations,
      pollMs: 20,
      coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
      gasStation,
    },
    account: accountParameters.ethereum,
    sponsor: { delegate: gasStation.delegate, usdPerCoin: '2000' },
    unitsPerCoin: 10n ** 18n,
    result: 'ethSendTransactionResultV2',
    give: async (address) => {
      await anvil.call('anvil_setBalance', address, `0x${(10n ** 21n).toString(16)}`);
    },
    request: ({ service, key, organizationId, from, transfer }) =>
      httpClient(service, key).stampEthSendTransaction({
        type: 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2',
        timestampMs: timestampMs(),
        organizationId,
        parameters: {
          from,
          caip2,
          sponsor: true,
          calls: [{ to: recipientOf(transfer), value: '1' }],
        },
      }),
    // A sub-organization may have only a share of the pending transactions of a sponsor.
    produce: () => anvil.mine(confirmations),
    balance,
    received: (transfer) => balance(recipientOf(transfer)),
    fees: async (sponsor) => {
      const newest = Number(await anvil.call('eth_blockNumber'));
      let [charged, counted] = [0n, 0n];
      for (let number = 0; number <= newest; number += 1) {
        const block = await anvil.call('eth_getBlockByNumber', `0x${number.toString(16)}`, true);
        for (const { from, hash, gas, maxFeePerGas } of block.transactions) {
          if (from !== sponsor.toLowerCase()) continue;
          const receipt = await anvil.call('eth_getTransactionReceipt', hash);
          charged += BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
          counted += BigInt(gas) * BigInt(maxFeePerGas);
        }
      }
      return { charged, counted };
    },
    stop: async () => anvil.stop(),
  };
}

async function solanaChain(): Promise<SponsoredChain> {
  const chain = createSolanaChain();
  chain.finalize();
  const node = await startSolanaNode(chain);
  const payees = new Map<number, PublicKey>();
  const payeeOf = (transfer: number) =>
    payees.getOrInsertComputed(transfer, () => Keypair.generate().publicKey);
  /** An account needs as much to exist. */
  const amount = 1_000_000n;
  const balance = async (address: string) =>
    chain.accountAt(new PublicKey(address))?.lamports() ?? 0n;
  return {
    caip2: chain.caip2,
    setting: { rpcUrl: node.url, confirmations: 2, pollMs: 20 },
    account: accountParameters.solana,
    sponsor: { usdPerCoin: '200' },
    unitsPerCoin: 10n ** 9n,
    result: 'solSendTransactionResultV2',
    give: async (address) => {
      const toPubkey = new PublicKey(address);
      const fromPubkey = chain.payer.publicKey;
      chain.send([SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 10_000_000_000 })]);
      chain.produce();
    },
    request: ({ service, key, organizationId, from, transfer }) => {
      const payerKey = new PublicKey(from);
      const toPubkey = payeeOf(transfer);
      const message = new TransactionMessage({
        payerKey,
        recentBlockhash: chain.recentBlockhash(),
        instructions: [
          SystemProgram.transfer({ fromPubkey: payerKey, toPubkey, lamports: amount }),
        ],
      });
      const transaction = new VersionedTransaction(message.compileToV0Message());
      return httpClient(service, key).stampSolSendTransaction({
        type: 'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2',
        timestampMs: timestampMs(),
        organizationId,
        parameters: {
          unsignedTransaction: Buffer.from(transaction.serialize()).toString('hex'),
          signWiths: [from],
          caip2: chain.caip2 as 'solana:mainnet',
          sponsor: true,
        },
      });
    },
    produce: async () => {
      chain.produce();
      chain.finalize();
    },
    balance,
    received: async (transfer) => (await balance(payeeOf(transfer).toBase58())) / amount,
    fees: async (sponsor) => {
      let charged = 0n;
      for (const { landed } of chain.blocks()) {
        for (const { bytes } of landed) {
          const { message } = VersionedTransaction.deserialize(bytes);
          if (message.staticAccountKeys[0]?.toBase58() !== sponsor) continue;
          charged += 5_000n * BigInt(message.header.numRequiredSignatures);
        }
      }
      return { charged, counted: charged };
    },
    stop: async () => node.stop(),
  };
}
