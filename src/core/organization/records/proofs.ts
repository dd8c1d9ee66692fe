// The records of enclaves that prove their work.

import type { Row } from './row.ts';

/** The boot statement that an enclave signed itself; stored in the first organization. */
export type BootStatement = Row & {
  /** 260 hex digits: the key that signs the app proofs of that enclave. */
  readonly ephemeralPublicKeyHex: string;
  readonly version: string;
  readonly publicUrl: string;
  /** JSON: the text that is signed. */
  readonly statement: string;
  /** Public part of the deployment's attestation key; uncompressed, hex. */
  readonly publicKey: string;
  /** Hex of r ‖ s over SHA-256 of the statement. */
  readonly signature: string;
  /** Empty where no hardware vouches for it. */
  readonly hardwareDocumentB64: string;
};
