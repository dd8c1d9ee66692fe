// Quorum keys of applications. A key is generated and split, and then exists only as shares encrypted to
// operators. The formats follow the key set of QuorumOS.

import { split } from 'shamir-secret-sharing';
import { bytesOfHex, concatBytes, hex, utf8, wipe } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { seal } from '../crypto/aead.ts';
import { hmacSha512 } from '../crypto/hashes.ts';
import { keyAgreement, newPrivateKey } from '../crypto/key_agreement.ts';
import { p256 } from '../crypto/p256.ts';
import { assert, failField } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { TvcOperator, TvcQuorumKey } from '../organization/records/deployments.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { pointsOf } from './operator_keys.ts';

/** With a threshold of one, each share would reveal the key. */
export const minimumThreshold = 2;

const seedBytes = 32;
const encryptPath = utf8('qos_p256_encrypt');
const signPath = utf8('qos_p256_sign');
const envelopeMessage = utf8('qos_encryption_hmac_message');
const pointLength = Uint8Array.of(65);

type Random = (length: number) => Uint8Array;

/** A new key: its public part, and a share for each operator. */
type NewQuorumKey = {
  readonly publicKey: string;
  readonly encryptedShares: readonly string[];
};

/** Returns the operators with these encryption keys. Raises `field_invalid`. */
export function operatorsWithKeys(
  keys: readonly string[],
  threshold: number,
  organization: OrganizationView,
): readonly TvcOperator[] {
  const field = 'parameters.operatorEncryptKeys';
  const known = new Map(
    organization.list('tvc_operator').map((each) => [pointsOf(each.publicKey).encrypt, each]),
  );
  const operators = keys.map((key, i) => {
    const operator = known.get(key.toLowerCase());
    return operator ?? failField(`${field}.${i}`, 'expected the encryption key of an operator');
  });
  if (new Set(operators).size < operators.length) failField(field, 'expected each key once');
  if (threshold <= operators.length) return operators;
  const expected = `expected at most ${operators.length}, as many as there are operators`;
  return failField('parameters.threshold', expected);
}

/** Generates a key, splits it, and wipes it. Pauses after the share of each operator. */
export async function newQuorumKey(
  operators: readonly TvcOperator[],
  threshold: number,
  random: Random,
  pause: () => Promise<void>,
): Promise<NewQuorumKey> {
  const { seed, publicKey } = newSeed(random);
  const shares = await split(seed, operators.length, threshold);
  try {
    const encryptedShares: string[] = [];
    for (const [i, operator] of operators.entries()) {
      const share = shares[i];
      assert(share !== undefined, 'each operator has a share');
      const receiver = bytesOfHex(pointsOf(operator.publicKey).encrypt);
      assert(receiver !== undefined, 'a stored key is hex');
      // QuorumOS writes the coordinate of a share first.
      const written = concatBytes(share.subarray(-1), share.subarray(0, -1));
      const envelope = envelopeFor(receiver, written, random);
      wipe(written);
      encryptedShares.push(hex(envelope));
      await pause();
    }
    return { publicKey, encryptedShares };
  } finally {
    wipe(seed, ...shares);
  }
}

/** Stores a key. Raises `limit_exceeded`. */
export function storeQuorumKey(
  { publicKey, encryptedShares }: NewQuorumKey,
  threshold: number,
  operators: readonly TvcOperator[],
  organization: OrganizationDraft,
  { newId, now }: Context,
): TvcQuorumKey {
  checkLimit('tvcQuorumKeys', organization.rows('tvc_quorum_key').size + 1, organization);
  const shares = encryptedShares.map((encryptedShare, i) => {
    const operator = operators[i];
    assert(operator !== undefined, 'each share has an operator');
    return { id: newId(), operatorId: operator.id, encryptedShare };
  });
  const times = { createdAtMs: now, updatedAtMs: now };
  const key: TvcQuorumKey = { id: newId(), publicKey, threshold, shares, ...times };
  organization.put('tvc_quorum_key', key);
  return key;
}

/** Returns a master seed whose two private keys are in range, and their public keys. */
function newSeed(random: Random): { readonly seed: Uint8Array; readonly publicKey: string } {
  for (;;) {
    const seed = random(seedBytes);
    const [encrypt, sign] = [secretOf(seed, encryptPath), secretOf(seed, signPath)];
    try {
      // About one seed in 2^31 gives a key out of range.
      if (p256.isPrivateKey(encrypt) && p256.isPrivateKey(sign)) {
        const points = [encrypt, sign].map((secret) => keyAgreement(secret).publicKey);
        return { seed, publicKey: hex(concatBytes(...points)) };
      }
    } finally {
      wipe(encrypt, sign);
    }
    wipe(seed);
  }
}

/** Derives 32 bytes by HKDF-SHA-512, with the path as salt and without info. */
function secretOf(seed: Uint8Array, path: Uint8Array): Uint8Array {
  const extracted = hmacSha512(path, seed);
  const expanded = hmacSha512(extracted, Uint8Array.of(1));
  const secret = expanded.slice(0, 32);
  wipe(extracted, expanded);
  return secret;
}

/** Encrypts a share. The envelope has a nonce, the sender's key, a length, and the ciphertext with tag. */
function envelopeFor(receiver: Uint8Array, share: Uint8Array, random: Random): Uint8Array {
  const ephemeral = newPrivateKey(random);
  const { publicKey, sharedSecret } = keyAgreement(ephemeral);
  const shared = sharedSecret(receiver);
  assert(shared !== undefined, 'a stored key is a point');
  const mac = hmacSha512(concatBytes(publicKey, receiver, shared), envelopeMessage);
  const nonce = random(12);
  const associated = concatBytes(publicKey, pointLength, receiver, pointLength);
  const ciphertext = seal(mac.subarray(0, 32), nonce, share, associated);
  wipe(ephemeral, shared, mac);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, ciphertext.length, true);
  return concatBytes(nonce, publicKey, length, ciphertext);
}
