// Rules by which the network rejects a message before execution: sanitization of agave, SIMD-0385, SIMD-0406.

import { hex } from '../../base/bytes.ts';
import { refuseTransaction } from '../unreadable.ts';
import { heapSizes, maximumAccounts, maximumInstructionAccounts } from './limits.ts';
import type { SolanaMessage } from './read_message.ts';

/** Rejects a message that the network would never execute. */
export function checkMessage(message: SolanaMessage): void {
  checkHeader(message);
  checkKeys(message);
  const accountCount = checkTables(message);
  checkInstructions(message, accountCount);
  checkHeap(message);
}

function checkHeader({ header, keys }: SolanaMessage): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  if (requiredSignatures === 0) refuseTransaction('header', 'expected at least one signer');
  if (readonlySigned >= requiredSignatures) {
    refuseTransaction('header', 'expected that the first account, which pays, is writable');
  }
  if (requiredSignatures + readonlyUnsigned > keys.length) {
    const counts = `${requiredSignatures} signers and ${readonlyUnsigned} readonly accounts`;
    refuseTransaction('header', `expected at most ${keys.length} accounts, got ${counts}`);
  }
}

function checkKeys({ keys }: SolanaMessage): void {
  const seen = new Set<string>();
  for (const [i, key] of keys.entries()) {
    const name = hex(key);
    if (seen.has(name)) refuseTransaction(`account_keys[${i}]`, 'the same key stands there twice');
    seen.add(name);
  }
}

/** Returns the number of the transaction's accounts including its tables. */
function checkTables({ keys, tables }: SolanaMessage): number {
  let count = keys.length;
  for (const [i, { writable, readonly }] of tables.entries()) {
    const taken = writable.length + readonly.length;
    if (taken === 0) {
      refuseTransaction(`address_table_lookups[${i}]`, 'expected at least one index');
    }
    count += taken;
  }
  if (count > maximumAccounts) {
    const place = tables.length === 0 ? 'account_keys' : 'address_table_lookups';
    refuseTransaction(place, `expected at most ${maximumAccounts} accounts, got ${count}`);
  }
  return count;
}

function checkInstructions({ keys, instructions }: SolanaMessage, accountCount: number): void {
  for (const [i, { programIndex, accounts }] of instructions.entries()) {
    const place = `instructions[${i}]`;
    if (programIndex === 0) {
      refuseTransaction(place, 'expected a program that is not the account that pays');
    }
    if (programIndex >= keys.length) {
      const found = `expected a program among the ${keys.length} keys of the message`;
      refuseTransaction(place, `${found}, got index ${programIndex}`);
    }
    if (accounts.length > maximumInstructionAccounts) {
      const most = `expected at most ${maximumInstructionAccounts} accounts`;
      refuseTransaction(place, `${most}, got ${accounts.length}`);
    }
    const beyond = accounts.find((index) => index >= accountCount);
    if (beyond !== undefined) {
      refuseTransaction(place, `expected one of ${accountCount} accounts, got index ${beyond}`);
    }
  }
}

function checkHeap({ config }: SolanaMessage): void {
  const { heapSize } = config ?? {};
  if (heapSize === undefined) return;
  const { smallest, largest, step } = heapSizes;
  if (heapSize < smallest || heapSize > largest || heapSize % step !== 0) {
    const expected = `expected a multiple of ${step} from ${smallest} to ${largest}`;
    refuseTransaction('config.heap_size', `${expected}, got ${heapSize}`);
  }
}
