// The 20 Bitcoin formats: every network with every script.

import {
  type BitcoinNetworkName,
  type BitcoinScriptName,
  bitcoinNetworks,
  bitcoinScripts,
  describeOutputScript,
} from './bitcoin_scripts.ts';
import type { AddressFormat, SignatureScheme } from './format.ts';
import type { SpellingName } from './normalization.ts';

type Script = {
  readonly spelling: SpellingName;
  readonly signatureScheme?: SignatureScheme;
};

const scripts: Readonly<Record<BitcoinScriptName, Script>> = {
  P2PKH: { spelling: 'base58' },
  P2SH: { spelling: 'base58' },
  P2WPKH: { spelling: 'bech32' },
  P2WSH: { spelling: 'bech32' },
  P2TR: { spelling: 'bech32', signatureScheme: 'schnorr_tweaked' },
};

export type BitcoinFormatName = `ADDRESS_FORMAT_BITCOIN_${BitcoinNetworkName}_${BitcoinScriptName}`;

/** A network and a script, which together name a format. */
type Parts = { readonly network: BitcoinNetworkName; readonly script: BitcoinScriptName };

const parts = (Object.keys(bitcoinNetworks) as BitcoinNetworkName[]).flatMap((network) =>
  (Object.keys(scripts) as BitcoinScriptName[]).map((script) => ({ network, script })),
);

/** The parts of each name, networks first. */
const partsOfFormats = Object.fromEntries(
  parts.map((each) => [`ADDRESS_FORMAT_BITCOIN_${each.network}_${each.script}`, each]),
) as Record<BitcoinFormatName, Parts>;

/** One row per network and script, networks first. */
export const bitcoinFormats = Object.fromEntries(
  Object.entries(partsOfFormats).map(([name, each]) => [name, formatOf(each)]),
) as Record<BitcoinFormatName, AddressFormat>;

/** The network and script of a format; undefined for formats of other chains. */
export function bitcoinPartsOf(format: string): Parts | undefined {
  return Object.hasOwn(partsOfFormats, format)
    ? partsOfFormats[format as BitcoinFormatName]
    : undefined;
}

function formatOf({ network, script }: Parts): AddressFormat {
  return {
    ...scripts[script],
    curves: ['CURVE_SECP256K1'],
    encode: (publicKey) => describeOutputScript(bitcoinScripts[script](publicKey), network).address,
    caip2Prefix: 'bip122',
  };
}
