// Boot proofs: an enclave's own statement of its program and settings. The service's attestation key signs
// it; no hardware vouches for it, and each statement says so.

import { hex, utf8 } from '../base/bytes.ts';
import { timestampObject } from '../base/compatibility.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { ServiceSigner } from '../crypto/service_keys.ts';
import type { BootStatement } from '../organization/records/proofs.ts';

/** Maximum number of stored statements of earlier enclaves; a new one replaces the oldest. */
export const maximumBootStatements = 100;

/** Name of the program in requests for boot proofs. */
export const enclaveApp = 'keywright';

/** The program of an enclave, read from its own files. */
export type Program = {
  readonly version: string;
  /** Version, platform and architecture of Node. */
  readonly runtime: string;
  /** Hex SHA-256 of `package-lock.json`, which has the digests of all packages; empty without one. */
  readonly lockfileDigest: string;
  /** A line for each file in the form of `sha256sum`: digest, two spaces, path. */
  readonly sources: string;
};

/** The program inside another process, as in tests, whose files are unknown. */
export const unknownProgram: Program = {
  version: '',
  runtime: '',
  lockfileDigest: '',
  sources: '',
};

/** Returns the members of a statement that identify the program, in their signed order. */
export const programMembers = ({ version, runtime, sources, lockfileDigest }: Program) => ({
  enclaveApp,
  version,
  runtime,
  sourcesDigest: hex(sha256(utf8(sources))),
  lockfileDigest,
});

/** Interface to hardware that attests the running program. No implementation exists yet. */
type HardwareAttestation = {
  /** Name of the hardware in statements. */
  readonly kind: string;
  /** The machine's document over the digest of a statement and the ephemeral key, base64. */
  documentB64(statementDigest: Uint8Array, ephemeralPublicKey: Uint8Array): string;
};

export const noHardwareAttestation: HardwareAttestation = { kind: 'none', documentB64: () => '' };

const notice =
  'This statement is signed by software, with the attestation key of the deployment. It is no ' +
  'hardware attestation: an attacker who controls the machine could have run something else.';

/** Returns the boot statement of an enclave, as stored. */
export function bootStatement(
  input: {
    readonly id: string;
    readonly program: Program;
    readonly ephemeralPublicKey: Uint8Array;
    readonly publicUrl: string;
    readonly now: number;
  },
  signer: ServiceSigner,
  hardware: HardwareAttestation,
): BootStatement {
  const { id, program, ephemeralPublicKey, publicUrl, now } = input;
  const statement = JSON.stringify({
    type: 'BOOT_STATEMENT_SOFTWARE',
    hardwareAttestation: hardware.kind,
    notice,
    ...programMembers(program),
    publicUrl,
    startedAtMs: String(now),
    ephemeralPublicKeyHex: hex(ephemeralPublicKey),
  });
  const digest = sha256(utf8(statement));
  return {
    id,
    ephemeralPublicKeyHex: hex(ephemeralPublicKey),
    version: program.version,
    publicUrl,
    statement,
    publicKey: hex(signer.publicKey('attestation')),
    signature: hex(signer.sign('attestation', digest)),
    hardwareDocumentB64: hardware.documentB64(digest, ephemeralPublicKey),
    createdAtMs: now,
    updatedAtMs: now,
  };
}

/** Returns the API form of a boot proof; `sources` is present for the answering enclave. */
export function bootProofView(kept: BootStatement, sources: string | undefined) {
  return {
    ephemeralPublicKeyHex: kept.ephemeralPublicKeyHex,
    awsAttestationDocB64: kept.hardwareDocumentB64,
    qosManifestB64: '',
    qosManifestEnvelopeB64: '',
    deploymentLabel: kept.version,
    enclaveApp,
    owner: kept.publicUrl,
    createdAt: timestampObject(kept.createdAtMs),
    qosManifestVersion: '',
    softwareStatement: {
      statement: kept.statement,
      scheme: 'SIGNATURE_SCHEME_P256_SHA256',
      publicKey: kept.publicKey,
      signature: kept.signature,
      ...(sources === undefined ? {} : { sources }),
    },
  };
}

export type BootProof = ReturnType<typeof bootProofView>;
