// The request in a pairing link. Anybody can make a link: nothing in it is believed but the key.

export type Asked = {
  /** Compressed point of P-256, hex. */
  readonly publicKey: string;
  readonly name: string;
  /** A decimal number; absent: without end. */
  readonly expirationSeconds?: string;
};

const longestName = 255;

/** The key of an address that ends with `#publicKey=…&name=…`; undefined where it names none. */
export function askedIn(hash: string): Asked | undefined {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const publicKey = asked.get('publicKey')?.toLowerCase() ?? '';
  const name = asked.get('name') ?? '';
  const expirationSeconds = asked.get('expirationSeconds') ?? '';
  const isKey = /^0[23][0-9a-f]{64}$/.test(publicKey);
  const isNamed = name !== '' && name.length <= longestName;
  if (!isKey || !isNamed || !/^([1-9]\d{0,11})?$/.test(expirationSeconds)) return undefined;
  return { publicKey, name, ...(expirationSeconds === '' ? {} : { expirationSeconds }) };
}
