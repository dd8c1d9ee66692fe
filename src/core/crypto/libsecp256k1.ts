// The reference C library of secp256k1, compiled to WebAssembly. Only its low-level interface allows wiping
// every copy of a private key.

import { libsecp256k1Base64 } from './libsecp256k1_module.ts';

/** Calls the library with addresses in its memory. Returns 1 on success. */
type Call = (...places: readonly number[]) => number;

type Calls = {
  readonly [Name in
    | 'secp256k1_context_preallocated_create'
    | 'secp256k1_context_preallocated_size'
    | 'secp256k1_context_randomize'
    | 'secp256k1_ec_pubkey_create'
    | 'secp256k1_ec_pubkey_parse'
    | 'secp256k1_ec_pubkey_serialize'
    | 'secp256k1_ec_pubkey_tweak_add'
    | 'secp256k1_ec_pubkey_tweak_mul'
    | 'secp256k1_ec_seckey_tweak_add'
    | 'secp256k1_ec_seckey_tweak_mul'
    | 'secp256k1_ecdsa_recover'
    | 'secp256k1_ecdsa_recoverable_signature_parse_compact'
    | 'secp256k1_ecdsa_recoverable_signature_serialize_compact'
    | 'secp256k1_ecdsa_sign_recoverable'
    | 'secp256k1_ecdsa_signature_normalize'
    | 'secp256k1_ecdsa_signature_parse_compact'
    | 'secp256k1_ecdsa_verify']: Call;
};

/** Exports of a compiled library other than its functions. */
type Memory = {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __heap_base: { readonly value: number };
  readonly _initialize: () => void;
};

/** An instance of the library with its own memory and tables. */
export type Libsecp256k1 = {
  readonly calls: Calls;
  /** The first input of most functions. */
  readonly context: number;
  readonly heap: Uint8Array<ArrayBuffer>;
};

/** The values of `flags` in secp256k1_ec_pubkey_serialize. */
export const pointForms = { compressed: 258, uncompressed: 2 } as const;

const contextFlags = 1;
const alignment = 16;

const compiled = new WebAssembly.Module(Uint8Array.fromBase64(libsecp256k1Base64));
let nextPlace = 0;

/**
 * Creates an instance of the library. Instances with different seeds compute the same results through
 * different intermediate values. All instances use the same addresses.
 */
export function createLibrary(seed: Uint8Array): Libsecp256k1 {
  // The type of a compiled module does not name its exports; `libsecp256k1.test.ts` compares the names.
  const exports = new WebAssembly.Instance(compiled).exports as unknown as Calls & Memory;
  exports._initialize();
  const heap = new Uint8Array(exports.memory.buffer);
  const context = Math.ceil(exports.__heap_base.value / alignment) * alignment;
  exports.secp256k1_context_preallocated_create(context, contextFlags);
  const seedPlace = context + exports.secp256k1_context_preallocated_size(contextFlags);
  heap.set(seed, seedPlace);
  exports.secp256k1_context_randomize(context, seedPlace);
  nextPlace = seedPlace + seed.length;
  return { calls: exports, context, heap };
}

/** Reserves memory at the same address in all instances. */
export function newPlace(lengthBytes: number): number {
  const place = Math.ceil(nextPlace / alignment) * alignment;
  nextPlace = place + lengthBytes;
  return place;
}
