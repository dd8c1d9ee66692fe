// Values in DER (X.690), as time stamps use them.

export type DerValue = {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content. */
  readonly whole: Uint8Array;
};

/** Parses consecutive DER values. Throws an error for malformed values. */
export function readDer(bytes: Uint8Array): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const digits = first < 0x80 ? 0 : first - 0x80;
    if ((tag & 0x1f) === 0x1f || digits > 4 || first === 0x80) throw malformed();
    let length = first < 0x80 ? first : 0;
    for (const byte of bytes.subarray(at + 2, at + 2 + digits)) length = length * 256 + byte;
    const begin = at + 2 + digits;
    const end = begin + length;
    if (end > bytes.length) throw malformed();
    values.push({ tag, content: bytes.subarray(begin, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}

/** Returns the values in a value. */
export const membersOf = (value: DerValue | undefined): readonly DerValue[] => {
  if (value === undefined) throw malformed();
  return readDer(value.content);
};

/** Encodes a value with a tag and at most 65,535 bytes of content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(contents);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  const size = length < 128 ? [length] : long;
  return Buffer.concat([Uint8Array.from([tag, ...size]), content]);
}

const malformed = () => new Error('the time stamp is malformed');
