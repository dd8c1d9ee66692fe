// Hashes typed data with the parser that policies and signatures use.

import { hashTypedData, readTypedData } from '../../core/payload/eip712.ts';

/** Returns the 32 bytes to sign for the JSON of typed data (EIP-712). Throws for other text. */
export function typedDataDigest(text: string): Uint8Array {
  return hashTypedData(readTypedData(text, 'message'));
}
