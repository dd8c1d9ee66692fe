// Parses answers of Solana's nodes about a pending transaction, and about the values it needs before it is
// signed.

import { base58, base64 } from '@scure/base';
import { ChainFault, listOf, matching, membersOf, wholeNumber } from '../balances/node_answer.ts';
import { signatureBytes } from '../chains/solana/limits.ts';
import { programs } from '../chains/solana/programs.ts';
import { versionOneByte } from '../chains/solana/read_version_one.ts';
import type { SolanaFailure } from '../organization/records/sends.ts';
import { solanaLevels } from './solana_progress.ts';

type Status = {
  readonly slot: number;
  readonly level: (typeof solanaLevels)[number];
  /** JSON text; undefined if the transaction succeeded. */
  readonly transactionErrorJson: string | undefined;
};

/** An answer, and the slot of its state. */
type AtSlot<Value> = { readonly slot: number; readonly value: Value };

/** Returns the status of a signature from `getSignatureStatuses`. Raises `ChainFault`. */
export function statusIn(result: unknown): AtSlot<Status | undefined> {
  const { slot, value } = atSlot(result);
  const [status, ...more] = listOf(value);
  if (more.length > 0) throw new ChainFault('the node returned the status of several signatures');
  if (status === null || status === undefined) return { slot, value: undefined };
  const members = membersOf(status);
  const level = solanaLevels.find((each) => each === members['confirmationStatus']);
  if (level === undefined) throw new ChainFault('expected a confirmation level');
  const found = numberOf(members['slot']);
  const transactionErrorJson = errorJsonIn(members['err']);
  return { slot, value: { slot: found, level, transactionErrorJson } };
}

/** Returns the newest final block from `getEpochInfo`. Raises `ChainFault`. */
export function finalBlockIn(result: unknown): { readonly slot: number; readonly height: number } {
  const { absoluteSlot, blockHeight } = membersOf(result);
  return { slot: numberOf(absoluteSlot), height: numberOf(blockHeight) };
}

/** Returns whether a blockhash is valid from `isBlockhashValid`. Raises `ChainFault`. */
export function isRecentIn(result: unknown): AtSlot<boolean> {
  const { slot, value } = atSlot(result);
  if (typeof value !== 'boolean') throw new ChainFault('expected true or false');
  return { slot, value };
}

const nonceAccountBytes = 80;
/** An initialized nonce account of version 1, which transactions can use: two numbers of four bytes. */
const nonceAccountStart = Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0);

/**
 * Returns the nonce of a nonce account from `getAccountInfo` in base64: base58; empty if the account has no
 * usable nonce. Raises `ChainFault`.
 */
export function nonceIn(result: unknown): AtSlot<string> {
  const { slot, value } = atSlot(result);
  if (value === null) return { slot, value: '' };
  const { owner, data } = membersOf(value);
  const [text] = listOf(data);
  if (owner !== programs.system) return { slot, value: '' };
  const bytes = base64Of(text);
  const isUsable =
    bytes.length === nonceAccountBytes && nonceAccountStart.every((byte, at) => bytes[at] === byte);
  return { slot, value: isUsable ? base58.encode(bytes.subarray(40, 72)) : '' };
}

/** Returns the failure of a simulated transaction; undefined if it succeeds. Raises `ChainFault`. */
export function simulationIn(result: unknown): SolanaFailure | undefined {
  const { value } = atSlot(result);
  const { err, logs, unitsConsumed, innerInstructions } = membersOf(value);
  return failureOf('simulation', { err, logs, unitsConsumed, innerInstructions });
}

/**
 * Returns the failure of a transaction in a block from the answer of `getTransaction`. Raises `ChainFault`.
 */
export function executionIn(result: unknown): SolanaFailure | undefined {
  const { meta } = membersOf(result);
  const { err, logMessages, computeUnitsConsumed, innerInstructions } = membersOf(meta);
  return failureOf('execution', {
    err,
    innerInstructions,
    logs: logMessages,
    unitsConsumed: computeUnitsConsumed,
  });
}

/** Returns the signatures of an address's transactions from `getSignaturesForAddress`, newest first. */
export function signaturesIn(
  result: unknown,
): readonly { readonly signature: string; readonly slot: number }[] {
  return listOf(result).map((each) => {
    const { signature, slot } = membersOf(each);
    const name = matching(signature, /^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'a signature');
    return { signature: name, slot: numberOf(slot) };
  });
}

/**
 * Returns the signed message of a transaction, by the answer of `getTransaction` in base64. Raises
 * `ChainFault`.
 */
export function messageIn(result: unknown): Uint8Array {
  const [text] = listOf(membersOf(result)['transaction']);
  return messageOf(base64Of(text));
}

/** Returns the message of a transaction. Signatures precede it; in version 1 they follow it. */
function messageOf(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === versionOneByte) return bytes.subarray(0, -signatureBytes * (bytes[1] ?? 0));
  return bytes.subarray(1 + signatureBytes * (bytes[0] ?? 0));
}

type TransactionMeta = {
  readonly [member in 'err' | 'logs' | 'unitsConsumed' | 'innerInstructions']: unknown;
};

function failureOf(
  source: string,
  { err, logs, unitsConsumed, innerInstructions }: TransactionMeta,
): SolanaFailure | undefined {
  const transactionErrorJson = errorJsonIn(err);
  if (transactionErrorJson === undefined) return undefined;
  const lines = Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : [];
  const hasInner = Array.isArray(innerInstructions) && innerInstructions.length > 0;
  return {
    source,
    transactionErrorJson,
    ...(lines.length === 0 ? {} : { logs: lines }),
    ...(unitsConsumed === undefined || unitsConsumed === null
      ? {}
      : { unitsConsumed: String(wholeNumber(unitsConsumed)) }),
    ...(hasInner ? { innerInstructionsJson: jsonOf(innerInstructions) } : {}),
  };
}

function errorJsonIn(err: unknown): string | undefined {
  return err === null || err === undefined ? undefined : jsonOf(err);
}

/** Returns the JSON of a value with exact 64-bit numbers. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
}

function atSlot(result: unknown): AtSlot<unknown> {
  const { context, value } = membersOf(result);
  return { slot: numberOf(membersOf(context)['slot']), value };
}

/** Returns a slot or height, which a `number` holds exactly. Raises `ChainFault`. */
export function numberOf(value: unknown): number {
  const whole = wholeNumber(value);
  if (whole > BigInt(Number.MAX_SAFE_INTEGER)) throw new ChainFault('the number is too large');
  return Number(whole);
}

function base64Of(text: unknown): Uint8Array {
  try {
    return base64.decode(matching(text, /^[0-9A-Za-z+/]*={0,2}$/, 'base64'));
  } catch (error) {
    if (error instanceof ChainFault) throw error;
    throw new ChainFault('base64 was expected');
  }
}
