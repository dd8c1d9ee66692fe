// Verifies ECDSA on secp256k1, which WebCrypto lacks, for votes of wallets. Loaded on demand.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesOfHex, joined, utf8 } from '../../../src/client/bytes.ts';
import type { VerifySecp256k1 } from '../../../src/client/vote_signatures.ts';

export const verifySecp256k1: VerifySecp256k1 = ({ publicKey, signature, message, scheme }) => {
  const isOfWallet = scheme.endsWith('_EIP191');
  const title = utf8(`\u0019Ethereum Signed Message:\n${message.length}`);
  const digest = isOfWallet ? keccak_256(joined(title, message)) : sha256(message);
  const options = { format: 'der', prehash: false, lowS: false } as const;
  return secp256k1.verify(signature, digest, bytesOfHex(publicKey), options);
};
