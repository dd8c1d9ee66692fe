// Records of enclaves that prove their boot.

import type { Row } from './row.ts';

/** A boot statement that the enclave signed; stored in the first organization. */
export type BootStatement = Row & {
  /** The key that signs the enclave's app proofs: 260 hex digits. */
  readonly ephemeralPublicKeyHex: string;
  readonly version: string;
  readonly publicUrl: string;
  /** The signed text, in JSON. */
  readonly statement: string;
  /** The public attestation key of the deployment; uncompressed, hex. */
  readonly publicKey: string;
  /** Hex of r ‖ s over SHA-256 of the statement. */
  readonly signature: string;
  /** Empty without a hardware attestation. */
  readonly hardwareDocumentB64: string;
};
