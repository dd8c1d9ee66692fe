// The request in a pairing link. Links can be forged, so the page trusts nothing in them but the key.

export type Asked = {
  /** Compressed point of P-256, hex. */
  readonly publicKey: string;
  readonly name: string;
  /** A decimal number. */
  readonly expirationSeconds: string;
};

const longestName = 255;

/** The page pairs only keys that expire within a year. */
const longestSeconds = 31_536_000;

/**
 * Returns the key in an address that ends with `#publicKey=…&name=…&expirationSeconds=…`. Returns undefined
 * if the address names no key, or a key without an expiration in bounds.
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
