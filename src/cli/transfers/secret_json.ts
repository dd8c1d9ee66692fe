// Builds JSON with a secret as bytes, because a string cannot be wiped.

const quote = 0x22;
const backslash = 0x5c;

/** Returns the UTF-8 of `{…members, [name]: secret}`. `secret` is UTF-8. The caller wipes the result. */
export function jsonWithSecret(
  members: Readonly<Record<string, unknown>>,
  name: string,
  secret: Uint8Array,
): Uint8Array {
  const [head = '', tail = ''] = [
    `${JSON.stringify(members, undefined, 2).slice(0, -2)},\n  ${JSON.stringify(name)}: "`,
    '"\n}\n',
  ];
  const escaped = Uint8Array.from(
    [...secret].flatMap((byte) => {
      if (byte === quote || byte === backslash) return [backslash, byte];
      // RFC 8259 requires an escape for control characters.
      return byte < 0x20 ? [...Buffer.from(`\\u00${byte.toString(16).padStart(2, '0')}`)] : [byte];
    }),
  );
  const bytes = Buffer.concat([Buffer.from(head), escaped, Buffer.from(tail)]);
  escaped.fill(0);
  return bytes;
}
