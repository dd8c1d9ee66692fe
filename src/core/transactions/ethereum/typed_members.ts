// Reads members of typed data (EIP-712) by name.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import type { TypedStruct } from '../../payload/eip712_values.ts';

/** The members of a struct by name and kind. */
export type Members = {
  readonly address: (name: string) => string | undefined;
  /** The 20 bytes of an address. */
  readonly bytesOfAddress: (name: string) => Uint8Array | undefined;
  readonly number: (name: string) => bigint | undefined;
  readonly bool: (name: string) => boolean | undefined;
  readonly bytes: (name: string) => Uint8Array | undefined;
  readonly struct: (name: string) => Members | undefined;
  readonly structs: (name: string) => readonly Members[];
};

/** Reads a struct. Each function returns undefined for a member that is missing or has another type. */
export function membersOf({ members }: TypedStruct): Members {
  const bytesOfAddress = (name: string) => {
    const value = members.get(name);
    return value?.kind === 'address' ? value.value : undefined;
  };
  return {
    address: (name) => {
      const bytes = bytesOfAddress(name);
      return bytes === undefined ? undefined : eip55(hex(bytes));
    },
    bytesOfAddress,
    number: (name) => {
      const value = members.get(name);
      return value?.kind === 'integer' ? value.value : undefined;
    },
    bool: (name) => {
      const value = members.get(name);
      return value?.kind === 'bool' ? value.value : undefined;
    },
    bytes: (name) => {
      const value = members.get(name);
      return value?.kind === 'bytes' ? value.value : undefined;
    },
    struct: (name) => {
      const value = members.get(name);
      return value?.kind === 'struct' ? membersOf(value) : undefined;
    },
    structs: (name) => {
      const value = members.get(name);
      if (value?.kind !== 'list') return [];
      return value.items.flatMap((item) => (item.kind === 'struct' ? membersOf(item) : []));
    },
  };
}
