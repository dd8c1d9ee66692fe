// Upper bounds of the network (agave; SIMD-0385, SIMD-0406).

/** Maximum bytes of a transaction. */
export const maximumBytes = { LEGACY: 1232, V0: 1232, V1: 4096 } as const;
export const signatureBytes = 64;
export const keyBytes = 32;
/** Maximum number of accounts of a transaction, including its tables. */
export const maximumAccounts = 256;
/** Maximum number of accounts of one instruction. */
export const maximumInstructionAccounts = 255;
export const versionOneLimits = { signers: 12, keys: 64, instructions: 64 } as const;
/** Sizes in bytes of the heap that version 1 may request. */
export const heapSizes = { smallest: 32 * 1024, largest: 256 * 1024, step: 1024 } as const;
