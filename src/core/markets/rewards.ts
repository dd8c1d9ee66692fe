// Rewards outside a vault, which Merkl's Distributor pays for a Merkle proof. Amounts in proofs are
// cumulative; the contract pays the unclaimed part.

import type { ContractRead } from '../balances/evm_questions.ts';
import { concatBytes } from '../base/bytes.ts';
import { isJsonObject, type Json, parsedJson, valueCountOf } from '../schema/json.ts';
import { dynamicItems, listOf, word } from '../sends/abi_encoding.ts';
import type { StationCall } from '../sends/gas_station.ts';
import { addressBytes, callDataOf, contractRead } from './contract_call.ts';

/** A published reward, unverified until the contract checks the proof. */
export type Reward = {
  /** The contract of the token: lower-case hex with `0x`. */
  readonly token: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Cumulative amount in the current Merkle tree. */
  readonly amount: bigint;
  /** Rewards that are in no tree yet. */
  readonly pending: bigint;
  /** Nodes of the proof: lower-case hex without `0x`. */
  readonly proof: readonly string[];
};

/** Maximum number of rewards in a query and in a claim, which bounds the size of the call. */
export const maximumRewards = 16;
/** Maximum number of rewards whose claimed amounts are read from the chain. Other rewards are left out. */
const maximumRead = 128;
const maximumProof = 64;
const maximumValues = 50_000;

/**
 * Parses the answer of the source. Returns undefined for a malformed answer. Tokens that the operator named
 * (`isNamed`) come first, so that rewards in other tokens cannot crowd them out.
 */
export function readRewards(
  text: string,
  chainId: string,
  isNamed: (token: string) => boolean,
): readonly Reward[] | undefined {
  if (valueCountOf(text, maximumValues) > maximumValues) return undefined;
  const chains = parsedJson(text);
  if (!Array.isArray(chains)) return undefined;
  const rows = chains.filter(isJsonObject).flatMap(({ chain, rewards }) => {
    const isAsked = isJsonObject(chain) && String(chain['id']) === chainId;
    return isAsked && Array.isArray(rewards) ? (rewards as readonly Json[]) : [];
  });
  const read = rows.map(rewardOf);
  if (read.some((row) => row === undefined)) return undefined;
  const byToken = new Map(read.flatMap((row) => (row === undefined ? [] : [[row.token, row]])));
  const rank = ({ token }: Reward) => `${isNamed(token) ? 0 : 1}${token}`;
  return [...byToken.values()]
    .sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
    .slice(0, maximumRead);
}

function rewardOf(row: Json): Reward | undefined {
  const token = isJsonObject(row) ? row['token'] : undefined;
  if (!isJsonObject(row) || !isJsonObject(token)) return undefined;
  const { address, symbol, decimals } = token;
  const [amount, pending] = [amountOf(row['amount']), amountOf(row['pending'] ?? '0')];
  const proof = row['proofs'];
  const isToken =
    typeof address === 'string' &&
    /^0x[0-9a-fA-F]{40}$/.test(address) &&
    typeof symbol === 'string' &&
    typeof decimals === 'number' &&
    Number.isInteger(decimals) &&
    decimals >= 0 &&
    decimals <= 255;
  const isProof =
    Array.isArray(proof) &&
    proof.length <= maximumProof &&
    (proof as readonly Json[]).every(isNode);
  if (!isToken || !isProof || amount === undefined || pending === undefined) return undefined;
  return {
    token: address.toLowerCase(),
    symbol: symbol.replace(/[^ -~]/g, '?').slice(0, 64),
    decimals,
    amount,
    pending,
    proof: (proof as readonly string[]).map((node) => node.slice(2).toLowerCase()),
  };
}

const isNode = (value: Json): value is string =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value);

const amountOf = (value: Json | undefined): bigint | undefined =>
  typeof value === 'string' && /^[0-9]{1,62}$/.test(value) ? BigInt(value) : undefined;

/** Reads how much of a token a user has claimed so far. */
export const claimedOf = (distributor: string, user: string, token: string): ContractRead =>
  contractRead(distributor, 'claimed(address,address)', [BigInt(user), BigInt(token)]);

/** Claims a user's rewards; the contract pays the user. */
export function claimCall(
  distributor: string,
  user: string,
  rewards: readonly Pick<Reward, 'token' | 'amount' | 'proof'>[],
): StationCall {
  const lists = [
    words(rewards.map(() => BigInt(user))),
    words(rewards.map(({ token }) => BigInt(token))),
    words(rewards.map(({ amount }) => amount)),
    listOf(rewards.map(({ proof }) => words(proof.map((node) => BigInt(`0x${node}`))))),
  ];
  const selector = callDataOf('claim(address[],address[],uint256[],bytes32[][])', []);
  const data = concatBytes(selector, dynamicItems(lists));
  return { to: addressBytes(distributor), value: 0n, data };
}

const words = (values: readonly bigint[]): Uint8Array =>
  concatBytes(word(BigInt(values.length)), ...values.map(word));
