// Keys that a hardware module or a key management service holds. The enclave decides and orders each
// signature, and trusts no answer: it verifies every signature with the public key of the record.

import { equalBytes, hex, utf8 } from '../base/bytes.ts';
import type { CurveName } from '../base/enums.ts';
import { namesOf, table } from '../base/table.ts';
import { sha256 } from '../crypto/hashes.ts';
import { recoverP256 } from '../crypto/p256.ts';
import { isScalar, negateScalar, orders } from '../crypto/scalars.ts';
import { recoverSecp256k1 } from '../crypto/secp256k1.ts';
import type { ServiceSigner } from '../crypto/service_keys.ts';
import { ecdsaSignatureOfDer } from '../crypto/signature_der.ts';
import { verifyEd25519, verifyP256 } from '../crypto/verify.ts';
import { fail } from '../errors/errors.ts';
import type { PrivateKey } from '../organization/model.ts';
import { maximumSignatureBytes } from './external_bounds.ts';
import type { RawSignature } from './keyring.ts';

/** The kinds of holders, in the order of docs/external-keys.md. */
export const keyHolders = ['pkcs11', 'aws-kms', 'command'] as const;
export type KeyHolder = (typeof keyHolders)[number];

/** Raises `key_held_elsewhere` for a key whose secret is not in this service. `what` follows the colon. */
export function requireHeldHere(
  { id, heldBy }: Pick<PrivateKey, 'id' | 'heldBy'>,
  what = 'sign with sign_transaction, and send the result with eth_send_raw_transaction',
): void {
  if (heldBy !== undefined) fail('key_held_elsewhere', { privateKeyId: id, heldBy, what });
}

type OrderContents = {
  readonly organizationId: string;
  readonly curve: CurveName;
  /** In lower-case hex. */
  readonly publicKey: string;
  /** Digests for ECDSA, messages for Ed25519. */
  readonly signedBytes: readonly Uint8Array[];
  /** Fingerprint of the activity: `sha256:` and hex. */
  readonly fingerprint: string;
  readonly expiresAtMs: number;
  /** Makes each order unique, so that the holder can reject repeated orders. */
  readonly nonce: Uint8Array;
};

/** An order as the holder of a key reads it: JSON text with a signature of the service. */
export type SigningOrder = { readonly order: string; readonly signature: Uint8Array };

const orderType = 'keywright.signing_order.v1';

/** Creates an order of signatures by the holder of a key. */
export function signingOrder(
  { signedBytes, nonce, ...contents }: OrderContents,
  signer: ServiceSigner,
): SigningOrder {
  const order = JSON.stringify({
    type: orderType,
    ...contents,
    signedBytes: signedBytes.map(hex),
    nonce: hex(nonce),
  });
  return { order, signature: signer.sign('key_orders', sha256(utf8(order))) };
}

/** Returns true if the owner of a compressed public key signed the order. */
export function isOrderOf(authority: Uint8Array, { order, signature }: SigningOrder): boolean {
  return signature.length === 64 && verifyP256(authority, signature, utf8(order));
}

/** Returns true for the `type` of an order. Other signed texts have another signer or type. */
export const isOrderType = (type: unknown): boolean => type === orderType;

/**
 * Returns the bytes that the holder signs to prove possession of a key: a digest for ECDSA, a message for
 * Ed25519. Their random part prevents the reuse of a signature.
 */
export function possessionChallenge(of: {
  readonly organizationId: string;
  readonly curve: CurveName;
  readonly publicKey: string;
  readonly random: Uint8Array;
}): Uint8Array {
  const { organizationId, curve, publicKey, random } = of;
  const lines = ['Keywright: possession of a key', organizationId, publicKey, hex(random)];
  const message = utf8(lines.join('\n'));
  return curve === 'CURVE_ED25519' ? message : sha256(message);
}

type ReadSignature = (
  publicKey: Uint8Array,
  signedBytes: Uint8Array,
  answer: Uint8Array,
) => RawSignature | undefined;

const readers = table<{ read: ReadSignature }>()<CurveName>({
  CURVE_SECP256K1: { read: ecdsaReader(recoverSecp256k1, orders.secp256k1) },
  CURVE_P256: { read: ecdsaReader(recoverP256, orders.p256) },
  CURVE_ED25519: { read: readEd25519 },
});

export const externalCurves = namesOf(readers);

/**
 * Parses and verifies a holder's signature: r ‖ s in 64 bytes, or DER for ECDSA. Returns it with low s and
 * its recovery bit; undefined unless the key signed exactly these bytes.
 */
export function readExternalSignature(
  { curve, publicKey }: { readonly curve: CurveName; readonly publicKey: Uint8Array },
  signedBytes: Uint8Array,
  answer: Uint8Array,
): RawSignature | undefined {
  if (answer.length > maximumSignatureBytes) return undefined;
  return readers[curve].read(publicKey, signedBytes, answer);
}

type Recover = typeof recoverSecp256k1;

/** Verifies by recovery: the recovered public key must be that of the record. */
function ecdsaReader(recover: Recover, order: Uint8Array): ReadSignature {
  return (publicKey, digest, answer) => {
    if (digest.length !== 32) return undefined;
    const numbers =
      answer.length === 64
        ? { r: answer.slice(0, 32), s: answer.slice(32) }
        : ecdsaSignatureOfDer(answer);
    if (numbers === undefined) return undefined;
    const { r } = numbers;
    if (!isScalar(r, order) || !isScalar(numbers.s, order)) return undefined;
    const negative = negateScalar(numbers.s, order);
    const s = hex(negative) < hex(numbers.s) ? negative : numbers.s;
    const compact = new Uint8Array(64);
    compact.set(r);
    compact.set(s, 32);
    for (const v of [0, 1] as const) {
      const signer = recover(digest, compact, v);
      if (signer !== undefined && equalBytes(signer, publicKey)) return { r, s, v };
    }
    return undefined;
  };
}

function readEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  answer: Uint8Array,
): RawSignature | undefined {
  if (answer.length !== 64 || !verifyEd25519(publicKey, answer, message)) return undefined;
  return { r: answer.slice(0, 32), s: answer.slice(32), v: 0 };
}
