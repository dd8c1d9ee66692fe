// Reads a transaction in its canonical encoding: writing the result reproduces the bytes.

import { equalBytes } from '../../base/bytes.ts';
import type { SigningAccount } from '../chain.ts';
import { refuseTransaction } from '../unreadable.ts';
import { base58Key } from './base58_key.ts';
import { readCall } from './calls.ts';
import type { SolanaCursor } from './cursor.ts';
import { bytesLeft, takeByte, takeItems, takeShortLength } from './cursor.ts';
import { maximumBytes, signatureBytes } from './limits.ts';
import { readLegacyMessage, type SolanaMessage } from './read_message.ts';
import { readVersionOneMessage, versionOneByte } from './read_version_one.ts';
import { checkMessage } from './sanitize.ts';
import type { SolanaInstruction, SolanaTransaction } from './transaction.ts';
import { writeTransaction } from './write.ts';

/**
 * Reads a complete transaction, with a slot for each signature, that an account is to sign. Raises
 * `UnreadableTransaction` for a transaction that the network would reject, a non-canonical encoding, an
 * account that is not a signer, and a malformed instruction of the system program or a token program.
 */
export function readTransaction(bytes: Uint8Array, account: SigningAccount): SolanaTransaction {
  const isVersionOne = bytes[0] === versionOneByte;
  const { start, end, message, signatures } = isVersionOne
    ? readMessageFirst(bytes)
    : readSignaturesFirst(bytes);
  checkSize(bytes, message.version);
  checkMessage(message);
  const addresses = message.keys.map(base58Key);
  const instructions = message.instructions.map((instruction, i) =>
    understood(instruction, addresses, `instructions[${i}]`),
  );
  const transaction = {
    ...message,
    instructions,
    bytes,
    message: bytes.subarray(start, end),
    signatures,
    addresses,
    slot: slotOf(account, message),
  };
  if (!equalBytes(writeTransaction(transaction), bytes)) {
    refuseTransaction('transaction', 'expected the bytes that its content is written as');
  }
  return transaction;
}

type Envelope = {
  readonly message: SolanaMessage;
  /** Range of the message in the bytes. */
  readonly start: number;
  readonly end: number;
  readonly signatures: readonly Uint8Array[];
};

/** Reads legacy and version 0: the number of signatures, the signatures, then the message. */
function readSignaturesFirst(bytes: Uint8Array): Envelope {
  if ((bytes[0] ?? 0) >= 0x80) {
    refuseTransaction('version', `expected a number of signatures or version 1, got ${bytes[0]}`);
  }
  const cursor: SolanaCursor = { bytes, offset: 0 };
  const count = takeShortLength(cursor, 'signatures');
  const signatures = takeItems(cursor, count, signatureBytes, 'signatures');
  const start = cursor.offset;
  const message = readLegacyMessage(cursor);
  checkEnd(cursor, 'message');
  const { requiredSignatures } = message.header;
  if (count !== requiredSignatures) {
    refuseTransaction('signatures', `expected ${requiredSignatures}, one per signer, got ${count}`);
  }
  return { message, start, end: bytes.length, signatures };
}

/** Reads version 1: the message, then the signatures, whose number is in its header. */
function readMessageFirst(bytes: Uint8Array): Envelope {
  const cursor: SolanaCursor = { bytes, offset: 0 };
  takeByte(cursor, 'version');
  const message = readVersionOneMessage(cursor);
  const end = cursor.offset;
  const count = message.header.requiredSignatures;
  const signatures = takeItems(cursor, count, signatureBytes, 'signatures');
  checkEnd(cursor, 'signatures');
  return { message, start: 0, end, signatures };
}

function checkEnd(cursor: SolanaCursor, place: string): void {
  const left = bytesLeft(cursor);
  if (left > 0) refuseTransaction(place, `expected the end behind it, got ${left} more bytes`);
}

function checkSize({ length }: Uint8Array, version: SolanaTransaction['version']): void {
  const most = maximumBytes[version];
  if (length > most) {
    refuseTransaction('transaction', `expected at most ${most} bytes, got ${length}`);
  }
}

function slotOf({ publicKey }: SigningAccount, { keys, header }: SolanaMessage): number {
  const index = keys.findIndex((key) => equalBytes(key, publicKey));
  if (index === -1) {
    refuseTransaction('account_keys', `expected the account ${base58Key(publicKey)} among them`);
  }
  if (index >= header.requiredSignatures) {
    refuseTransaction(
      `account_keys[${index}]`,
      'expected the account among the signers; it is there and does not sign',
    );
  }
  return index;
}

function understood(
  instruction: SolanaInstruction,
  addresses: readonly string[],
  place: string,
): SolanaInstruction {
  const call = readCall(addresses[instruction.programIndex], instruction, place);
  return call === undefined ? instruction : { ...instruction, call };
}
