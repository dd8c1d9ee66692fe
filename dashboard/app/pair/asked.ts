// The request in a pairing link. Anybody can make a link: nothing in it is believed but the key.

export type Asked = {
  /** Compressed point of P-256, hex. */
  readonly publicKey: string;
  readonly name: string;
  /** A decimal number. */
  readonly expirationSeconds: string;
};

const longestName = 255;

/** A key that is let in by a page ends within a year. */
const longestSeconds = 31_536_000;

/**
 * The key of an address that ends with `#publicKey=…&name=…&expirationSeconds=…`; undefined where it names
 * none, or a key without such an end.
 */
export function askedIn(hash: string): Asked | undefined {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const publicKey = asked.get('publicKey')?.toLowerCase() ?? '';
  const name = asked.get('name') ?? '';
  const expirationSeconds = asked.get('expirationSeconds') ?? '';
  const isKey = /^0[23][0-9a-f]{64}$/.test(publicKey);
  const isNamed = name !== '' && name.length <= longestName;
  const ends =
    /^[1-9]\d{0,7}$/.test(expirationSeconds) && Number(expirationSeconds) <= longestSeconds;
  return isKey && isNamed && ends ? { publicKey, name, expirationSeconds } : undefined;
}
