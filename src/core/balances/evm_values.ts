// Parses values of Ethereum's JSON-RPC and normalizes them to lower case. Each function raises `ChainFault`.

import { matching } from './node_answer.ts';

export function hashOf(value: unknown): string {
  return matching(value, /^0x[0-9a-f]{64}$/i, 'a hash').toLowerCase();
}

export function addressOf(value: unknown): string {
  return matching(value, /^0x[0-9a-f]{40}$/i, 'an address').toLowerCase();
}

export function addressOfTopic(value: unknown): string {
  return `0x${matching(value, /^0x0{24}[0-9a-f]{40}$/i, 'an address')
    .slice(26)
    .toLowerCase()}`;
}

/** Returns a quantity of at most 256 bits. */
export function quantityOf(value: unknown): bigint {
  return BigInt(matching(value, /^0x[0-9a-f]{1,64}$/i, 'a quantity'));
}

export function numberOf(value: unknown): number {
  return Number(matching(value, /^0x[0-9a-f]{1,10}$/i, 'a small quantity'));
}
