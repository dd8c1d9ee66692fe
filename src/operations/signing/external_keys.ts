// Keys at external holders: their registration, and requests for signatures.

import { fingerprintText } from '../../core/activity/activity.ts';
import { signatureSchemeOf } from '../../core/address/index.ts';
import { bytesOfHex, concatBytes, hex } from '../../core/base/bytes.ts';
import { curves } from '../../core/crypto/curves.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import { assert, fail, failField } from '../../core/errors/errors.ts';
import {
  maximumOrderedBytes,
  maximumOrderedSignatures,
  orderLifeMs,
} from '../../core/keys/external_bounds.ts';
import {
  keyHolders,
  possessionChallenge,
  readExternalSignature,
  requireHeldHere,
  signingOrder,
} from '../../core/keys/external_keys.ts';
import type { RawSignature } from '../../core/keys/keyring.ts';
import type { PrivateKeyParameters, ProvenKey } from '../../core/keys/private_keys.ts';
import { signInParts } from '../../core/keys/sign_in_parts.ts';
import { optional, text } from '../../core/schema/schema.ts';
import type { ObtainInput } from '../operation.ts';
import type { ExternalKey, FoundKey } from './signing_key.ts';

/** The public key of an external key, in hex. */
export const externalSignerPubkey = () => optional(text({ minimum: 1, maximum: 132 }));

/** The parts of `obtain` that an order of signatures needs. */
export type OrderInput = Pick<
  ObtainInput<unknown, unknown>,
  'organization' | 'submitter' | 'fingerprint' | 'keyring' | 'context' | 'services'
>;

/** Rejects a request with another external key than that of its signer. Raises `field_invalid`. */
export function requireNamedKey(given: string | undefined, found: FoundKey): void {
  if (given === undefined) return;
  const { external, curve } = found;
  const named = publicKeyOf(given, curve);
  if (external !== undefined && named !== undefined && hex(named) === external.publicKey) return;
  const reason =
    external === undefined
      ? 'the key of `signWith` is held by this service'
      : `the key of \`signWith\` has the public key ${external.publicKey}`;
  failField('parameters.externalSignerPubkey', reason);
}

/** Signs with a key of this service, or requests signatures from the holder of an external key. */
export function signaturesOf(
  { key, scheme, external }: Pick<FoundKey, 'key' | 'scheme' | 'external'>,
  signedBytes: readonly Uint8Array[],
  input: OrderInput,
): Promise<readonly RawSignature[]> {
  const { keyring, services } = input;
  return external === undefined
    ? signInParts({ key, scheme }, signedBytes, keyring, services.pause)
    : signExternally(external, signedBytes, input);
}

/**
 * Requests signatures from the holder of a key, and verifies each. Raises `key_held_elsewhere` for too many
 * bytes, and `external_signer_unavailable`.
 */
export async function signExternally(
  key: ExternalKey,
  signedBytes: readonly Uint8Array[],
  input: OrderInput,
): Promise<readonly RawSignature[]> {
  const length = signedBytes.reduce((sum, each) => sum + each.length, 0);
  if (signedBytes.length > maximumOrderedSignatures || length > maximumOrderedBytes) {
    const most = `${maximumOrderedSignatures} messages and ${maximumOrderedBytes} bytes`;
    requireHeldHere(key, `it signs at most ${most} at once`);
  }
  const digest = hex(sha256(concatBytes(...signedBytes.map(sha256))));
  return input.services.askOnce(`sign ${key.publicKey} ${digest}`, async () => {
    const { signatures } = await ordered(key, signedBytes, input);
    return signatures;
  });
}

/**
 * Requires proofs of possession from the holders of external keys. Returns the keys by their index in the
 * list. Raises `field_invalid` and `external_signer_unavailable`.
 */
export async function provenKeys(
  described: readonly (PrivateKeyParameters & {
    readonly externalSignerPubkey?: string | undefined;
  })[],
  field: string,
  input: OrderInput,
): Promise<ReadonlyMap<number, ProvenKey>> {
  const proven = new Map<number, ProvenKey>();
  for (const [i, { externalSignerPubkey: given, curve, addressFormats }] of described.entries()) {
    if (given === undefined) continue;
    const publicKey = publicKeyOf(given, curve);
    if (publicKey === undefined) {
      failField(`${field}.${i}.externalSignerPubkey`, `expected a public key of ${curve} in hex`);
    }
    for (const [j, format] of addressFormats.entries()) {
      if (!signatureSchemeOf(format, curve).startsWith('schnorr')) continue;
      const reason = `an external key makes no Schnorr signatures for ${format}`;
      failField(`${field}.${i}.addressFormats.${j}`, reason);
    }
    proven.set(i, await provenKey({ curve, publicKey: hex(publicKey) }, input));
  }
  return proven;
}

function provenKey(key: RequestedKey, input: OrderInput): Promise<ProvenKey> {
  const { organization, services } = input;
  return services.askOnce(`prove ${key.curve} ${key.publicKey}`, async () => {
    const random = services.random(32);
    const challenge = possessionChallenge({ ...key, organizationId: organization.id, random });
    const { heldBy } = await ordered(key, [challenge], input);
    return { publicKey: keyBytes(key), heldBy };
  });
}

type RequestedKey = Pick<ExternalKey, 'curve' | 'publicKey'>;

async function ordered(
  key: RequestedKey,
  signedBytes: readonly Uint8Array[],
  { organization, fingerprint, context, services }: OrderInput,
): Promise<{ readonly signatures: readonly RawSignature[]; readonly heldBy: string }> {
  const { curve, publicKey } = key;
  const contents = {
    organizationId: organization.id,
    curve,
    publicKey,
    signedBytes,
    fingerprint: fingerprintText(fingerprint.digest),
    expiresAtMs: context.now + orderLifeMs,
    nonce: services.random(16),
  };
  const order = signingOrder(contents, services.serviceKeys);
  const answer = await services.external.orderSignatures(order);
  const heldBy = keyHolders.find((each) => each === answer.heldBy);
  const signer = { curve, publicKey: keyBytes(key) };
  const signatures = signedBytes.flatMap((bytes, i) => {
    const given = answer.signatures[i];
    const read = given && readExternalSignature(signer, bytes, given);
    return read === undefined ? [] : [read];
  });
  const isWhole = answer.signatures.length === signedBytes.length;
  if (heldBy !== undefined && isWhole && signatures.length === signedBytes.length) {
    return { signatures, heldBy };
  }
  return fail('external_signer_unavailable', {
    reason: 'its answer is not a signature of the key',
  });
}

function publicKeyOf(text: string, curve: RequestedKey['curve']): Uint8Array | undefined {
  const bytes = bytesOfHex(text.replace(/^0x/i, ''));
  return bytes && curves[curve].parsePublicKey(bytes);
}

function keyBytes({ publicKey }: RequestedKey): Uint8Array {
  const bytes = bytesOfHex(publicKey);
  assert(bytes !== undefined, 'a stored public key is hex');
  return bytes;
}
