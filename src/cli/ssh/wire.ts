// Data types of the SSH protocols (RFC 4251, section 5).

/** Reads the fields of a message in order. Each function returns undefined past the end. */
type WireReader = {
  byte(): number | undefined;
  uint32(): number | undefined;
  /** Reads a `string`: four bytes of length, then the bytes. */
  string(): Uint8Array | undefined;
};

export function wireReader(bytes: Uint8Array): WireReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const uint32 = (): number | undefined => {
    if (at + 4 > bytes.length) return undefined;
    at += 4;
    return view.getUint32(at - 4);
  };
  return {
    byte: () => (at < bytes.length ? view.getUint8(at++) : undefined),
    uint32,
    string: () => {
      const length = uint32();
      if (length === undefined || at + length > bytes.length) return undefined;
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}

export function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Writes a `string`: the length, then the bytes or the UTF-8 of a text. */
export function wireString(value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/**
 * Writes big-endian bytes as a positive `mpint`: without leading zeros, but with one zero byte before a set
 * high bit.
 */
export function positiveMpint(value: Uint8Array): Uint8Array {
  const first = value.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? new Uint8Array(0) : value.subarray(first);
  const isHigh = (digits[0] ?? 0) >= 0x80;
  return wireString(isHigh ? Buffer.concat([Buffer.of(0), digits]) : digits);
}
