// Writes a PSBT again: the entries as they came, the unsigned transaction from its parsed value.

import { concatBytes } from '../../base/bytes.ts';
import { fieldTypes } from './fields.ts';
import { writeMap } from './maps.ts';
import { writeUnsigned } from './plain.ts';
import type { BitcoinTransaction, PsbtEntry } from './transaction.ts';

/** `psbt` and 0xff. */
export const magic = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);

type Written = Pick<BitcoinTransaction, 'unsigned' | 'globalEntries' | 'outputs'> & {
  readonly inputs: readonly { readonly entries: readonly PsbtEntry[] }[];
};

/** Returns the bytes of a PSBT. */
export function writeBitcoin({ unsigned, globalEntries, inputs, outputs }: Written): Uint8Array {
  const global = globalEntries.map((entry) =>
    entry.type === fieldTypes.unsignedTransaction
      ? { ...entry, value: writeUnsigned(unsigned) }
      : entry,
  );
  return concatBytes(
    magic,
    writeMap(global),
    ...inputs.map(({ entries }) => writeMap(entries)),
    ...outputs.map(writeMap),
  );
}
