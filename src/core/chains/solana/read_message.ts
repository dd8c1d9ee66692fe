// Reads the message of a legacy transaction or of version 0.

import { refuseTransaction } from '../unreadable.ts';
import {
  type SolanaCursor,
  takeByte,
  takeBytes,
  takeItems,
  takeShortBytes,
  takeShortLength,
} from './cursor.ts';
import { keyBytes } from './limits.ts';
import type {
  MessageHeader,
  SolanaInstruction,
  SolanaTransaction,
  TableLookup,
} from './transaction.ts';

/** The content of a message before validation. */
export type SolanaMessage = Pick<
  SolanaTransaction,
  'version' | 'header' | 'keys' | 'lifetime' | 'instructions' | 'tables' | 'config'
>;

const versionZeroByte = 0x80;

/** Reads a legacy message or one of version 0. */
export function readLegacyMessage(cursor: SolanaCursor): SolanaMessage {
  const version = takeVersion(cursor);
  const header = takeHeader(cursor);
  const keys = takeItems(cursor, takeShortLength(cursor, 'account_keys'), keyBytes, 'account_keys');
  const lifetime = takeBytes(cursor, keyBytes, 'recent_blockhash');
  const instructions = takeEach(cursor, 'instructions', takeInstruction);
  const tables = version === 'V0' ? takeEach(cursor, 'address_table_lookups', takeTableLookup) : [];
  return { version, header, keys, lifetime, instructions, tables };
}

function takeVersion(cursor: SolanaCursor): 'LEGACY' | 'V0' {
  const byte = cursor.bytes[cursor.offset] ?? 0;
  // A smaller byte belongs to the header of a legacy message.
  if (byte < versionZeroByte) return 'LEGACY';
  if (byte !== versionZeroByte) {
    const found = byte - versionZeroByte;
    refuseTransaction(
      'message',
      `expected a legacy message or version 0 behind the signatures, got version ${found}`,
    );
  }
  cursor.offset += 1;
  return 'V0';
}

/** Takes the three counts at the start of each message. */
export function takeHeader(cursor: SolanaCursor): MessageHeader {
  return {
    requiredSignatures: takeByte(cursor, 'header'),
    readonlySigned: takeByte(cursor, 'header'),
    readonlyUnsigned: takeByte(cursor, 'header'),
  };
}

/** Takes items after their number. Each has at least a byte, so the remaining bytes bound the number. */
function takeEach<Item>(
  cursor: SolanaCursor,
  place: string,
  take: (cursor: SolanaCursor, place: string) => Item,
): readonly Item[] {
  const count = takeShortLength(cursor, place);
  const items: Item[] = [];
  for (let i = 0; i < count; i += 1) items.push(take(cursor, `${place}[${i}]`));
  return items;
}

function takeInstruction(cursor: SolanaCursor, place: string): SolanaInstruction {
  return {
    programIndex: takeByte(cursor, place),
    accounts: takeShortBytes(cursor, place),
    data: takeShortBytes(cursor, place),
  };
}

function takeTableLookup(cursor: SolanaCursor, place: string): TableLookup {
  return {
    key: takeBytes(cursor, keyBytes, place),
    writable: takeShortBytes(cursor, place),
    readonly: takeShortBytes(cursor, place),
  };
}
