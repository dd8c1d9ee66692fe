// The header of a sealed body, which is not secret: the version of its form, the key epoch and the period.
// See enclave/keys/sealing.ts.

/**
 * The ID under which the record of key epochs is stored among the organizations. Its head is sealed
 * differently. No request can name it, since it is not a UUID.
 */
export const keyEpochId = 'root_key';

export const sealedForms = { first: 1, ofEpoch: 2, carried: 3 } as const;
const periodBytes = 4;
export const epochBytes = 4;
/** Length of the version and the period. */
export const headerBytes = 1 + periodBytes;
export const nonceBytes = 12;
export const tagBytes = 16;
export const markBytes = nonceBytes + tagBytes;
/** Length of the mark and digest that a body carries. */
export const originBytes = markBytes + 32;
/** Length of the header of a body that carries them. */
export const carriedBytes = headerBytes + epochBytes + originBytes;
/** Bodies of the previous form begin with random bytes, so an implausible header belongs to them. */
export const maximumEpoch = 0xffff;

export type SealedHeader = {
  readonly epoch: number;
  readonly period: number;
  /** Position of the nonce. */
  readonly length: number;
  /** The mark and digest that the body carries. */
  readonly origin: Uint8Array | undefined;
};

/** Returns the header of a body. Returns undefined for a body of the previous form. */
export function headerIn(sealed: Uint8Array): SealedHeader | undefined {
  const [form] = sealed;
  const { length } = sealed;
  if (form === sealedForms.first) {
    if (length < headerBytes) return undefined;
    return { epoch: 0, period: uint32At(sealed, 1), length: headerBytes, origin: undefined };
  }
  const start = headerBytes + epochBytes;
  const isCarried = form === sealedForms.carried;
  const whole = isCarried ? carriedBytes : start;
  if ((!isCarried && form !== sealedForms.ofEpoch) || length < whole) return undefined;
  const epoch = uint32At(sealed, 1);
  if (epoch === 0 || epoch > maximumEpoch) return undefined;
  const period = uint32At(sealed, 1 + epochBytes);
  const origin = isCarried ? sealed.subarray(start, whole) : undefined;
  return { epoch, period, length: whole, origin };
}

/** Returns four bytes as a big-endian number. A rotation reads many headers, each without a DataView. */
function uint32At(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = at; i < at + 4; i += 1) value = value * 256 + (bytes[i] ?? 0);
  return value;
}

/** Returns the key epoch in the header of a body. */
export function epochOf(sealed: Uint8Array): number {
  return headerIn(sealed)?.epoch ?? 0;
}
