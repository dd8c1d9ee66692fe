// All spellings of the address of an output script. A script, and so the signed bytes, are the same on every
// network: another spelling must not evade a policy that names an address.

import { bech32, bech32m } from '@scure/base';
import { bitcoinNetworks } from './bitcoin_scripts.ts';
import { base58WithVersion, bytesOfBase58 } from './hash160.ts';

const networks = Object.values(bitcoinNetworks);
const prefixes = [...new Set(networks.map(({ prefix }) => prefix))];
/** Address versions of the same script on different networks. */
const versions = [
  [...new Set(networks.map(({ publicKeyHashVersion }) => publicKeyHashVersion))],
  [...new Set(networks.map(({ scriptHashVersion }) => scriptHashVersion))],
];

/** Returns the other spellings of an address: on every network, and bech32 in both letter cases. */
export function otherBitcoinSpellings(address: string): readonly string[] {
  const spellings = address.includes('1')
    ? [...segwit(address), ...base58(address)]
    : base58(address);
  return spellings.filter((spelling) => spelling !== address);
}

function segwit(address: string): readonly string[] {
  for (const coder of [bech32, bech32m]) {
    // Both decoders accept lower or upper case, but reject a mix.
    const decoded = coder.decodeUnsafe(address);
    if (decoded === undefined || !prefixes.includes(decoded.prefix)) continue;
    return prefixes.flatMap((prefix) => {
      const spelled = coder.encode(prefix, decoded.words);
      return [spelled, spelled.toUpperCase()];
    });
  }
  return [];
}

function base58(address: string): readonly string[] {
  const bytes = bytesOfBase58(address);
  const [version] = bytes ?? [];
  const same = versions.find((each) => version !== undefined && each.includes(version));
  if (bytes?.length !== 21 || same === undefined) return [];
  return same.map((each) => base58WithVersion(each, bytes.subarray(1)));
}
