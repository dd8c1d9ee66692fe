import type { SignatureScheme } from '../../core/address/index.ts';
import { hex } from '../../core/base/bytes.ts';
import type { CurveName, HashFunction, PayloadEncoding } from '../../core/base/enums.ts';
import { finish, finishInParts } from '../../core/base/steps.ts';
import type { RawSignature } from '../../core/keys/keyring.ts';
import type { PayloadBudget } from '../../core/payload/budget.ts';
import type { SigningScheme } from '../../core/payload/combinations.ts';
import { type DigestedPayload, digestInSteps } from '../../core/payload/index.ts';
import type { Part } from '../../core/policy/decision/access.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { movesOfPayload } from '../../core/transactions/ethereum/typed_data_transfers.ts';
import type { FoundKey } from './signing_key.ts';

/** Maximum characters of all payloads in one request, the same as for the body. */
export const maximumPayloadCharacters = 4 * 1024 * 1024;

/** Signature components: r and s as 64 hex digits, v as two. */
export const signatureShape = () => object({ r: answerText(), s: answerText(), v: answerText() });

/** Longer payloads are parsed and hashed in steps, because they may have thousands of values. */
const longPayloadCharacters = 4 * 1024;

/**
 * Returns the bytes that a key of this scheme signs for a payload. Payloads of one request share a `budget`.
 * Raises `field_invalid`.
 */
export async function digestFor(
  found: { readonly scheme: SignatureScheme; readonly curve: CurveName },
  payload: string,
  options: { readonly encoding: PayloadEncoding; readonly hashFunction: HashFunction },
  payloadField: string,
  { pause, budget }: { readonly pause: () => Promise<void>; readonly budget?: PayloadBudget },
): Promise<DigestedPayload> {
  const { encoding, hashFunction } = options;
  const scheme = signingSchemeOf(found.scheme, found.curve);
  const raw = { scheme, payload, encoding, hashFunction, payloadField };
  const steps = digestInSteps(raw, budget);
  return payload.length <= longPayloadCharacters ? finish(steps) : finishInParts(steps, pause);
}

/** Returns the part of a payload that policies read, with the transfers that limits over time count. */
export function partOf(digest: DigestedPayload, { addresses }: Pick<FoundKey, 'addresses'>): Part {
  const signer = addresses.find(({ format }) => format === 'ADDRESS_FORMAT_ETHEREUM');
  return { ...digest, moves: movesOfPayload(digest, signer?.address ?? 'the signer') };
}

/** Returns the signature in the form of the specification. */
export function signatureView({ r, s, v }: RawSignature): { r: string; s: string; v: string } {
  return { r: hex(r), s: hex(s), v: v === 0 ? '00' : '01' };
}

function signingSchemeOf(scheme: SignatureScheme, curve: CurveName): SigningScheme {
  if (scheme === 'ecdsa') return curve === 'CURVE_P256' ? 'ecdsa_p256' : 'ecdsa_secp256k1';
  return scheme === 'eddsa' ? 'eddsa' : 'schnorr';
}
