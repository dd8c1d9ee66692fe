// Parameters of the usual account of each chain, so that applications need not know its path.

/**
 * Curve, path (with the coin type of SLIP-44) and address format of each chain's usual account. `#` stands
 * for the account number.
 */
export const chains = {
  ethereum: ['CURVE_SECP256K1', "m/44'/60'/0'/0/#", 'ADDRESS_FORMAT_ETHEREUM'],
  solana: ['CURVE_ED25519', "m/44'/501'/#'/0'", 'ADDRESS_FORMAT_SOLANA'],
  bitcoin: ['CURVE_SECP256K1', "m/84'/0'/0'/0/#", 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH'],
  tron: ['CURVE_SECP256K1', "m/44'/195'/0'/0/#", 'ADDRESS_FORMAT_TRON'],
  cosmos: ['CURVE_SECP256K1', "m/44'/118'/0'/0/#", 'ADDRESS_FORMAT_COSMOS'],
} as const;

/** A chain with a usual account. */
export type Chain = keyof typeof chains;

/** Returns the parameters of a chain's usual account. Account numbers start at 0. */
export function account(chain: Chain, number = 0) {
  const [curve, path, addressFormat] = chains[chain];
  return {
    curve,
    pathFormat: 'PATH_FORMAT_BIP32' as const,
    path: path.replace('#', String(number)),
    addressFormat,
  };
}
