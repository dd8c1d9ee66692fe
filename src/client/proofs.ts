// App proofs: statements about completed activities that the enclave signed.

import { bytesOfHex, hexOf, sha256, utf8 } from './bytes.ts';
import type { Client } from './connect.ts';
import { Untrusted } from './errors.ts';
import type { Activity, Queries } from './generated/operations.ts';
import { verifiesP256 } from './p256.ts';

/** A proof in `appProofs` of an activity. */
export type AppProof = NonNullable<Activity['appProofs']>[number];

/** The content of a proof: `type`, `timestampMs`, `activity`, and a member that depends on the type. */
export type ProofPayload = {
  readonly type: string;
  readonly timestampMs: string;
  readonly activity: {
    readonly id: string;
    readonly type: string;
    readonly organizationId: string;
    readonly fingerprint: string;
    readonly resultDigest: string;
  };
} & Readonly<Record<string, unknown>>;

/**
 * Verifies an app proof and returns its content. The pinned attestation key must attest the key of the proof.
 * If an activity is given, the proof must contain its id, fingerprint and result. Throws `Untrusted`.
 * docs/proofs.md explains what a proof shows.
 */
export async function verifyAppProof(
  client: Pick<Client, 'serviceKeys' | 'query'>,
  proof: AppProof,
  activity?: Pick<Activity, 'id' | 'fingerprint' | 'result'>,
): Promise<ProofPayload> {
  const { publicKey, proofPayload, signature } = proof;
  const { attestation } = await client.serviceKeys();
  const { bootProof } = await client.query('get_boot_proof', { ephemeralKey: publicKey });
  if ((await statedEphemeralKey(bootProof, attestation)) !== publicKey) {
    refuse('its key is not in the statement');
  }
  // The first half of the key is the encryption key.
  if (!(await isSigned(publicKey.slice(130), signature, proofPayload))) {
    refuse('its signature is not that of its key');
  }
  const payload: ProofPayload = JSON.parse(proofPayload);
  if (activity !== undefined) {
    const { id, fingerprint, resultDigest } = payload.activity;
    const digest = hexOf(await sha256(utf8(JSON.stringify(activity.result))));
    const isSame = id === activity.id && fingerprint === activity.fingerprint;
    if (!isSame || resultDigest !== digest) refuse('it is of another activity or result');
  }
  return payload;
}

/**
 * Returns the ephemeral key (hex) in the statement of a boot proof. Throws `Untrusted` if the attestation key
 * did not sign the statement.
 */
export async function statedEphemeralKey(
  { softwareStatement }: Queries['get_boot_proof']['result']['bootProof'],
  attestation: string | undefined,
): Promise<string> {
  const { statement, signature } = softwareStatement ?? {};
  const isStated =
    attestation !== undefined &&
    statement !== undefined &&
    (await isSigned(attestation, signature, statement));
  if (!isStated) refuse('its statement is not signed by the pinned attestation key');
  return String(JSON.parse(statement)['ephemeralPublicKeyHex']);
}

/**
 * Returns true if the key of a point signed the text (r ‖ s, hex). Returns false for unreadable signatures.
 */
async function isSigned(point: string, signature: unknown, text: string): Promise<boolean> {
  try {
    return await verifiesP256(point, bytesOfHex(String(signature)), utf8(text));
  } catch {
    return false;
  }
}

function refuse(why: string): never {
  throw new Untrusted('PROOF_INVALID', `the proof is refused: ${why}`);
}
