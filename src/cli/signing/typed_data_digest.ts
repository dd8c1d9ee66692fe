// The hash of typed data, by the reader that policies and signatures share.

import { hashTypedData, readTypedData } from '../../core/payload/eip712.ts';

/** The 32 bytes that are signed for a JSON text of typed data (EIP-712). Raises for other texts. */
export function typedDataDigest(text: string): Uint8Array {
  return hashTypedData(readTypedData(text, 'message'));
}
