// The reference C library of secp256k1, compiled to WebAssembly. Its low-level interface is used
// because only there can each copy of a private key be wiped.

import { libsecp256k1Base64 } from './libsecp256k1_module.ts';

/** Takes places in the memory of the library. Returns 1 if it succeeded. */
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

/** Exports of a compiled library besides its functions. */
type Memory = {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __heap_base: { readonly value: number };
  readonly _initialize: () => void;
};

/** A copy of the library with a memory and tables of its own. */
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
 * Creates a copy of the library. With another seed it reaches the same results through other intermediate
 * numbers. Every copy has the same places.
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

/** Returns a place in the memory of every copy. */
export function newPlace(lengthBytes: number): number {
  const place = Math.ceil(nextPlace / alignment) * alignment;
  nextPlace = place + lengthBytes;
  return place;
}
