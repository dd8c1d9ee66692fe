/** Returns taproot accounts that are slow to derive: each a few levels below the last hardened level. */
export const accountsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/86'/0'/0'/0/0/0/0/${i}`,
    addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR',
  }));
