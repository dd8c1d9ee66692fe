// A Solana transaction that a request sends: its signers and its lifetime.

import { base58, base64 } from '@scure/base';
import { bytesOfHex, hex } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { base58Key } from '../chains/solana/base58_key.ts';
import { keyBytes } from '../chains/solana/limits.ts';
import { versionOneByte } from '../chains/solana/read_version_one.ts';
import { isWritable, type SolanaTransaction } from '../chains/solana/transaction.ts';
import { verifyEd25519 } from '../crypto/verify.ts';
import { assert, fail, failField } from '../errors/errors.ts';
import type { Send, SendOrigin, SolanaSend } from '../organization/records/sends.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { keepSend } from './sends.ts';

/** Lifetime of a transaction: by a blockhash, or by the value of a nonce account. */
export type StatedLifetime = { readonly hash: string; readonly nonceAccount: string | undefined };

/** The lifetime and the transaction (base64), for the node's check before signing. */
type SendParameters = StatedLifetime & { readonly transaction: string };

/** A node's answer about the lifetime. */
export type SolanaFilled = {
  /** Slot of the state in the answer. */
  readonly slot: number;
  readonly height: number;
  /** True if blocks still accept the hash as a recent blockhash. */
  readonly isRecent: boolean;
  /** The current nonce of the nonce account (base58), if the transaction uses one. */
  readonly nonce: string | undefined;
};

/**
 * A blockhash is valid for 150 blocks. A lagging node reports a height that is too low, and a late failure is
 * better than a wrong one.
 */
const blocksOfLife = 2 * 150;

/**
 * Returns the transaction of an older request type, in hex. Such requests contain base64 or hex and have one
 * signer. Raises `transaction_invalid`. Returns text in another form unchanged.
 */
export function olderSolanaTransaction(text: string): string {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  const bytes = bytesOfHex(digits) ?? base64Bytes(text);
  if (bytes === undefined) return text;
  const signers = bytes[0] === versionOneByte ? bytes[1] : bytes[0];
  if (signers !== 1) {
    refuse(
      'signatures',
      `expected 1, got ${signers}: the newer type has \`signWiths\` for several`,
    );
  }
  return hex(bytes);
}

/**
 * Rejects a transaction with a signer that does not sign now (`own`, in base58) and has no valid signature.
 * Raises `transaction_invalid`.
 */
export function requireSigners(transaction: SolanaTransaction, own: ReadonlySet<string>): void {
  const { header, addresses } = transaction;
  for (const [i, address] of addresses.slice(0, header.requiredSignatures).entries()) {
    if (own.has(address) || isSigned(transaction, i)) continue;
    const expected = `expected a valid signature of ${address}`;
    refuse(`signatures[${i}]`, `${expected}, which is not among those that sign now`);
  }
}

/** Returns the transaction, and its lifetime as the network interprets it. */
export function requestedSend(transaction: SolanaTransaction): SendParameters {
  const { instructions, addresses, lifetime, bytes } = transaction;
  const asked = { hash: base58Key(lifetime), transaction: base64.encode(bytes) };
  const { call, accounts } = instructions[0] ?? {};
  const isNonce = call?.program === 'system' && call.name === 'AdvanceNonceAccount';
  const index = isNonce ? accounts?.[0] : undefined;
  if (index === undefined || !isWritable(transaction, index)) {
    return { ...asked, nonceAccount: undefined };
  }
  return { ...asked, nonceAccount: addresses[index] };
}

/** Returns the lifetime of the transaction. Raises `field_invalid` if it has expired. */
export function lifespanAfter(
  { hash, nonceAccount }: StatedLifetime,
  { slot, height, isRecent, nonce }: SolanaFilled,
): Pick<SolanaSend, 'lifetime' | 'sinceSlot'> {
  if (nonceAccount !== undefined && nonce === hash) {
    return { lifetime: { hash, nonceAccount }, sinceSlot: slot };
  }
  if (isRecent)
    return { lifetime: { hash, lastBlockHeight: height + blocksOfLife }, sinceSlot: slot };
  const or = nonceAccount === undefined ? '' : `, or the nonce of ${nonceAccount}`;
  return failField(
    'parameters.unsignedTransaction',
    `expected a recent blockhash of the chain${or}, got \`${hash}\``,
  );
}

/** Raises `field_invalid` if a request names another blockhash than that of the transaction. */
export function requireBlockhash(named: string | undefined, { hash }: StatedLifetime): void {
  if (named === undefined || named === hash) return;
  failField('parameters.recentBlockhash', `expected that of the transaction, which is \`${hash}\``);
}

/** Returns the blockhash of a sponsored request. Raises `field_invalid`. */
export function namedBlockhash(text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const bytes = base58Bytes(text);
  if (bytes?.length === keyBytes) return bytes;
  return failField('parameters.recentBlockhash', `expected ${keyBytes} bytes in base58`);
}

/**
 * Stores a transaction with all its signatures. It is sent once the commit is durable. Raises
 * `sends_exceeded` and `organization_sends_exceeded`.
 */
export function startSolanaSend(
  draft: OrganizationDraft,
  {
    transaction,
    own,
    userId,
    ...rest
  }: Pick<
    SolanaSend,
    'activityId' | 'caip2' | 'address' | 'lifetime' | 'sinceSlot' | 'isSponsored'
  > & {
    readonly transaction: SolanaTransaction;
    /** Addresses that sign now, in base58. */
    readonly own: ReadonlySet<string>;
    /** The user who requested the signature. */
    readonly userId: string;
    readonly origin: SendOrigin;
  },
  context: Context,
): Send {
  const { bytes, signatures, addresses } = transaction;
  assert(
    signatures.every((_, i) => isSigned(transaction, i)),
    'what is sent has valid signatures',
  );
  const begun = {
    ...rest,
    family: 'solana' as const,
    ...(own.has(addresses[0] ?? '') ? {} : { isPaidByOthers: true as const }),
    signedTransaction: base64.encode(bytes),
    transactionHash: base58.encode(signatures[0] ?? new Uint8Array()),
  };
  return keepSend(draft, begun, context, { userId });
}

/** Returns the length of the stored form of a transaction. */
export const storedLength = (bytes: Uint8Array): number => base64.encode(bytes).length;

function isSigned({ keys, signatures, message }: SolanaTransaction, index: number): boolean {
  const [key, signature] = [keys[index], signatures[index]];
  return key !== undefined && signature !== undefined && verifyEd25519(key, signature, message);
}

function base58Bytes(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}

function base64Bytes(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
}

function refuse(place: string, problem: string): never {
  const description = `${place}: ${problem}`;
  return fail('transaction_invalid', { place, problem }, [
    { field: 'parameters.unsignedTransaction', description },
  ]);
}
