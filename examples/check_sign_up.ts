// Checks that a sign-up created exactly the requested users, keys, contacts and quorum. It trusts only the
// attestation key of the deployment, which was noted earlier. It runs in browsers too, with `@noble/curves`.

import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';

type Proof = {
  readonly publicKey: string;
  readonly proofPayload: string;
  readonly signature: string;
};

export type SignUpAnswer = {
  readonly organizationId: string;
  readonly userId: string;
  readonly wallet?: { readonly addresses: readonly string[] };
  readonly appProofs?: readonly Proof[];
};

/** The statement in `get_boot_proof` for an `ephemeralKey`, which is the `publicKey` of the proofs. */
export type SoftwareStatement = {
  readonly statement: string;
  readonly publicKey: string;
  readonly signature: string;
};

/** The sign-up as the client requested it: its contacts, and whether it had a token. */
export type Asked = {
  readonly parentOrganizationId: string;
  readonly apiKeys: readonly { readonly publicKey: string; readonly curveType: string }[];
  readonly authenticators: readonly { readonly attestation: { readonly credentialId: string } }[];
  /** The COSE keys of these passkeys in base64url, in the same order. If absent, they are not compared. */
  readonly passkeyPublicKeys?: readonly string[];
  readonly identities: readonly {
    readonly iss: string;
    readonly aud: string;
    readonly sub: string;
  }[];
  readonly email?: { readonly address: string; readonly verified: boolean };
  readonly phoneNumber?: { readonly number: string; readonly verified: boolean };
};

/** Returns the differences of an answer from the requested sign-up; an empty list if there are none. */
export function signUpComplaints(
  answer: SignUpAnswer,
  asked: Asked,
  boot: SoftwareStatement,
  attestationPublicKey: string,
): string[] {
  const proofs = (answer.appProofs ?? []).map((proof) => ({ ...proof, payload: parsed(proof) }));
  const found = proofs.filter(({ payload }) => payload?.type === 'APP_PROOF_TYPE_SUB_ORGANIZATION');
  const [proof] = found;
  if (proof === undefined || found.length !== 1)
    return ['expected one proof of the sub-organization'];
  const { subOrganizationProof: made } = proof.payload;
  const isOfEnclave =
    boot.publicKey === attestationPublicKey &&
    isSigned(boot.statement, boot.signature, attestationPublicKey) &&
    JSON.parse(boot.statement).ephemeralPublicKeyHex === proof.publicKey;
  // The second point of the key verifies signatures.
  const isProved = isSigned(proof.proofPayload, proof.signature, proof.publicKey.slice(-130));
  if (!isOfEnclave) return ['the key of the proof is not vouched for by the attestation key'];
  if (!isProved) return ['the proof is not signed by its key'];

  const [user] = made.users;
  const expected = {
    organizationId: answer.organizationId,
    parentOrganizationId: asked.parentOrganizationId,
    rootQuorum: { threshold: 1, userIds: [answer.userId] },
    users: 1,
    userId: answer.userId,
    apiKeys: sorted(
      asked.apiKeys.map(({ publicKey, curveType }) => {
        const type = curveType.replace('API_KEY_CURVE_', 'CREDENTIAL_TYPE_API_KEY_');
        return `${type} ${publicKey.toLowerCase()}`;
      }),
    ),
    credentialIds: sorted(asked.authenticators.map(({ attestation }) => attestation.credentialId)),
    identities: sorted(
      asked.identities.map(({ iss, aud, sub }) => digest(JSON.stringify([iss, aud, sub]))),
    ),
    contacts: sorted([
      ...(asked.email === undefined
        ? []
        : [`OTP_TYPE_EMAIL ${digest(asked.email.address.toLowerCase())} ${asked.email.verified}`]),
      ...(asked.phoneNumber === undefined
        ? []
        : [`OTP_TYPE_SMS ${digest(asked.phoneNumber.number)} ${asked.phoneNumber.verified}`]),
    ]),
    addresses: sorted(answer.wallet?.addresses ?? []),
    passkeys: sorted(asked.passkeyPublicKeys ?? []),
  };
  const proved: typeof expected = {
    organizationId: made.organizationId,
    parentOrganizationId: made.parentOrganizationId,
    rootQuorum: made.rootQuorum,
    users: made.users.length,
    userId: user?.userId,
    apiKeys: sorted(user?.apiKeys.map((key: Made) => `${key.type} ${key.publicKey}`) ?? []),
    credentialIds: sorted(user?.authenticators.map((each: Made) => each.credentialId) ?? []),
    identities: sorted(user?.oauthProviders ?? []),
    contacts: sorted(
      user?.contacts.map((each: Made) => `${each.type} ${each.digest} ${each.verified}`) ?? [],
    ),
    addresses: sorted(made.addresses),
    passkeys:
      asked.passkeyPublicKeys === undefined
        ? []
        : sorted(user?.authenticators.map((each: Made) => each.publicKey) ?? []),
  };
  return Object.keys(expected).flatMap((name) => {
    const [is, wanted] = [proved, expected].map((of) => JSON.stringify(Reflect.get(of, name)));
    return is === wanted ? [] : [`${name}: expected ${wanted}, proved is ${is}`];
  });
}

// biome-ignore lint/suspicious/noExplicitAny: what a proof says is looked into by path
type Made = any;

function parsed({ proofPayload }: Proof): Made {
  return JSON.parse(proofPayload);
}

function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const message = new TextEncoder().encode(text);
    return p256.verify(bytesOfHex(signature), message, bytesOfHex(publicKey), { lowS: false });
  } catch {
    // Unreadable bytes are not a valid signature or key.
    return false;
  }
}

const sorted = (values: readonly string[]): string[] => [...values].sort();
const digest = (text: string): string =>
  [...sha256(new TextEncoder().encode(text))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
const bytesOfHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
