// The keys of the service, which verify its bundles and tokens. They are derived from the root key, so they
// are the same on every node and after every start.

import { hex } from '../base/bytes.ts';
import { table } from '../base/table.ts';
import type { JsonObject } from '../schema/json.ts';
import type { KeyAgreement } from './key_agreement.ts';

type RoleRow = {
  /** The only use of the key. */
  use: 'sign' | 'agree';
  purpose: string;
};

/** One key on P-256 for each role. Never change a name, because the key derives from it. */
export const serviceKeyRoles = table<RoleRow>()({
  signer: { use: 'sign', purpose: 'signs bundles for export and import' },
  notarizer: { use: 'sign', purpose: 'signs session tokens' },
  verifier: { use: 'sign', purpose: 'signs targets for one-time codes, and verification tokens' },
  secret_receiver: { use: 'agree', purpose: 'receives client secrets of OAuth 2.0 providers' },
  legacy_verifier: { use: 'sign', purpose: 'signs verification tokens of the first version' },
  oidc_issuer: { use: 'sign', purpose: 'signs OIDC tokens issued by the service' },
  archivist: { use: 'sign', purpose: 'signs segments of the archive' },
  attestation: { use: 'sign', purpose: 'signs statements about what runs, and boot proofs' },
  key_orders: { use: 'sign', purpose: 'orders signatures from holders of external keys' },
});

export type ServiceKeyRole = keyof typeof serviceKeyRoles;
type AgreementRole = 'secret_receiver';
export type SigningRole = Exclude<ServiceKeyRole, AgreementRole>;

export type ServiceKeys = {
  /** 65 bytes: 04 ‖ x ‖ y. */
  publicKey(role: ServiceKeyRole): Uint8Array;
  /** Returns an ECDSA signature over a digest of 32 bytes: r ‖ s, 64 bytes, low s, deterministic. */
  sign(role: SigningRole, digest: Uint8Array): Uint8Array;
  keyAgreement(role: AgreementRole): KeyAgreement;
  /** Returns an opaque text (base64url) that only the service can decrypt, not its bearer. */
  sealToken(payload: JsonObject): string;
  /** Returns the payload of a text of `sealToken`; undefined for other text. */
  openToken(text: string): JsonObject | undefined;
};

/** The service keys that sign bundles and tokens, with the public key that verifies them. */
export type ServiceSigner = Pick<ServiceKeys, 'publicKey' | 'sign'>;

/** Returns the public keys that clients pin, in the published form: uncompressed hex. */
export function publishedServiceKeys(keys: Pick<ServiceKeys, 'publicKey'>) {
  return Object.values(serviceKeyRoles).map(({ name, use, purpose }) => ({
    role: name,
    use,
    purpose,
    publicKey: hex(keys.publicKey(name)),
  }));
}
