// The operations of a curve.

/** A signature: two big-endian numbers (Ed25519: the halves of its 64 bytes), 32 bytes each. */
export type Signature = {
  r: Uint8Array;
  s: Uint8Array;
  /** ECDSA: 1 if the y of R is odd after s was made low. Ed25519 and Schnorr: 0. */
  v: 0 | 1;
};

/**
 * A private key has 32 bytes; a public key is a compressed point of 33 bytes (SEC 1) or the 32 bytes of RFC
 * 8032. Callers validate external keys with `isPrivateKey` and `isPublicKey`; an invalid key throws as an
 * internal fault.
 */
export type Curve = {
  publicKeyBytes: 32 | 33;
  isPrivateKey: (bytes: Uint8Array) => boolean;
  publicKeyOf: (privateKey: Uint8Array) => Uint8Array;
  /** Returns true if the bytes are a public key in the form described above, and a point of the curve. */
  isPublicKey: (bytes: Uint8Array) => boolean;
  /** Returns the public key in this form, also for an uncompressed point; undefined for other bytes. */
  parsePublicKey: (bytes: Uint8Array) => Uint8Array | undefined;
  /** Returns the 65 bytes 04 ‖ x ‖ y; for Ed25519, which has no such form, the same 32 bytes. */
  uncompressed: (publicKey: Uint8Array) => Uint8Array;
  /**
   * secp256k1 and P-256: ECDSA over a 32-byte digest with the nonce of RFC 6979 (HMAC-SHA-256) and low s.
   * Ed25519: RFC 8032 over the message itself. Deterministic.
   */
  sign: (privateKey: Uint8Array, digestOrMessage: Uint8Array) => Signature;
};
