// Parses pairing links. Anyone can create such a link, so the user must compare the words of its key.

export type PairingLink = {
  /** Compressed P-256 point, in hex. */
  readonly publicKey: string;
  readonly name: string;
  /** Decimal. */
  readonly expirationSeconds: string;
};

const maximumNameLength = 255;

/** Maximum lifetime of a paired key: one year. */
const maximumSeconds = 31_536_000;

/**
 * Parses an address that ends with `#publicKey=…&name=…&expirationSeconds=…`. Returns undefined without a
 * valid key, a name, or an expiration in bounds.
 */
export function parsePairingLink(hash: string): PairingLink | undefined {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const publicKey = parameters.get('publicKey')?.toLowerCase() ?? '';
  const name = parameters.get('name') ?? '';
  const expirationSeconds = parameters.get('expirationSeconds') ?? '';
  const isKey = /^0[23][0-9a-f]{64}$/.test(publicKey);
  const isNamed = name !== '' && name.length <= maximumNameLength;
  const ends =
    /^[1-9]\d{0,7}$/.test(expirationSeconds) && Number(expirationSeconds) <= maximumSeconds;
  return isKey && isNamed && ends ? { publicKey, name, expirationSeconds } : undefined;
}
