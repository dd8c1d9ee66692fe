// The shared Solana transactions, with the signing account of each.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningAccount } from '../../../../src/core/chains/chain.ts';
import { solanaFormat } from '../../../../src/core/chains/solana/sign.ts';
import { UnreadableTransaction } from '../../../../src/core/chains/unreadable.ts';
import { ed25519 } from '../../../../src/core/crypto/ed25519.ts';
import type { JsonObject } from '../../../../src/core/schema/json.ts';

const folder = join(import.meta.dirname, '../../../vectors/transactions');

export type SolanaVector = {
  readonly name: string;
  readonly chain: string;
  readonly privateKey: string;
  readonly signWith: string;
  readonly unsignedTransaction: string;
  readonly signedTransaction: string;
  readonly message: string;
  readonly signature: string;
  readonly facts: { readonly solana: { readonly tx: JsonObject } };
  readonly interface?: {
    readonly smartContractAddress: string;
    readonly smartContractInterface: string;
  };
};

export type MalformedVector = Pick<
  SolanaVector,
  'name' | 'chain' | 'privateKey' | 'signWith' | 'unsignedTransaction'
> & { readonly code: string; readonly reason: string };

export const solanaVectors: readonly SolanaVector[] = [
  ...(rowsOf('solana.json') as readonly SolanaVector[]),
  ...(rowsOf('solana-v1.json') as readonly SolanaVector[]),
];

export const malformedVectors = (rowsOf('malformed.json') as readonly MalformedVector[]).filter(
  ({ chain }) => chain === 'solana',
);

export function rowsOf(file: string): readonly unknown[] {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

/** Returns the account of a vector from its private key. */
export function accountOf({
  signWith,
  privateKey,
}: Pick<SolanaVector, 'signWith' | 'privateKey'>): SigningAccount {
  return {
    address: signWith,
    format: 'ADDRESS_FORMAT_SOLANA',
    publicKey: ed25519.publicKeyOf(Uint8Array.fromHex(privateKey)),
  };
}

/** Returns the path and the reason of a refusal, or undefined if the reader accepts the bytes. */
export function refusalOf(bytes: Uint8Array, account: SigningAccount): string | undefined {
  try {
    solanaFormat.read(bytes, account);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    return error.message;
  }
}
