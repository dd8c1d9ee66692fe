// The maps of a PSBT: entries with unique keys and a final zero byte (BIP-174).

import { concatBytes, hex } from '../../base/bytes.ts';
import { refuseTransaction } from '../unreadable.ts';
import {
  type BitcoinCursor,
  cursorOver,
  remaining,
  takeBytes,
  takeCompactSize,
  takeVariableBytes,
} from './cursor.ts';
import { checkKeyData, checkValue, type Field } from './fields.ts';
import { bitcoinLimits, type PsbtEntry } from './transaction.ts';
import { sizedBytes } from './write_numbers.ts';

/** Reads a map, and checks every field that has a row in the table. `place` names the map. */
export function readMap(
  cursor: BitcoinCursor,
  fields: ReadonlyMap<number, Field>,
  place: string,
): readonly PsbtEntry[] {
  const entries: PsbtEntry[] = [];
  const seen = new Set<string>();
  if (remaining(cursor) === 0) refuseTransaction(place, 'expected a map, got the end');
  for (;;) {
    const length = takeCompactSize(cursor, place);
    if (length === 0) return entries;
    const key = takeBytes(cursor, length, place);
    const value = takeVariableBytes(cursor, place);
    const keyCursor = cursorOver(key);
    const type = takeCompactSize(keyCursor, place);
    const keyData = takeBytes(keyCursor, remaining(keyCursor), place);
    const field = fields.get(type);
    const at = `${place}.${field?.name ?? `field_${type.toString(16)}`}`;
    if (entries.length === bitcoinLimits.entries) {
      refuseTransaction(place, `expected at most ${bitcoinLimits.entries} entries`);
    }
    const name = hex(key);
    if (seen.has(name)) refuseTransaction(at, 'expected each key once');
    seen.add(name);
    if (field !== undefined) checkField(field, { keyData, value }, at);
    entries.push({ type, key, value });
  }
}

/** Returns the value of the only entry of a type; undefined without such an entry. */
export function valueOfType(entries: readonly PsbtEntry[], type: number): Uint8Array | undefined {
  return entries.find((entry) => entry.type === type)?.value;
}

/** Writes a map with its final zero byte. */
export function writeMap(entries: readonly PsbtEntry[]): Uint8Array {
  const parts = entries.flatMap(({ key, value }) => [sizedBytes(key), sizedBytes(value)]);
  return concatBytes(...parts, Uint8Array.of(0));
}

function checkField(
  field: Field,
  entry: { readonly keyData: Uint8Array; readonly value: Uint8Array },
  place: string,
): void {
  if (field.isOfVersion2) {
    refuseTransaction(place, 'expected version 0 of the format, got a field of version 2');
  }
  const key = checkKeyData(field, entry.keyData, place);
  if (key !== undefined) {
    refuseTransaction(place, `expected ${key} in the key, got ${entry.keyData.length} bytes`);
  }
  const value = checkValue(field, entry, place);
  if (value !== undefined) {
    refuseTransaction(place, `expected ${value}, got ${entry.value.length} bytes`);
  }
}
