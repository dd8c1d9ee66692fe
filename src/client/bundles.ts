// Bundles: exported and imported secrets, sealed to one key (HPKE, RFC 9180).

import { bytesOfHex, hexOf, utf8 } from './bytes.ts';
import type { Client } from './connect.ts';
import { Untrusted } from './errors.ts';
import { newAgreementKey, open, seal } from './hpke.ts';
import { verifiesP256 } from './p256.ts';
import { signatureOfDer } from './read_der.ts';

/** A key pair that exports are sealed to. The private key is not extractable. */
export type Target = {
  /** The value of `targetPublicKey`: 65 bytes in hex. */
  readonly publicKey: string;
  readonly privateKey: CryptoKey;
};

/** The members of a client that bundles need: its pinned keys and its organization. */
type Receiver = Pick<Client, 'serviceKeys' | 'organizationId'>;

/** The HPKE info text of all clients of the API family. */
const info = utf8('turnkey_hpke');

/** Creates a target for one export. */
export async function newTarget(): Promise<Target> {
  const { publicKey, privateKey } = await newAgreementKey();
  return { publicKey: hexOf(publicKey), privateKey };
}

/**
 * Opens an export bundle. Returns a mnemonic or text in UTF-8, or the 32 bytes of a private key; the caller
 * wipes them. Throws `Untrusted` if another key than the pinned key signed the bundle, or if the bundle is
 * for another organization or target.
 */
export async function openExport(
  client: Receiver,
  bundle: string,
  { privateKey, publicKey }: Target,
): Promise<Uint8Array<ArrayBuffer>> {
  const { encappedPublic, ciphertext } = await contentOf(client, bundle);
  try {
    const sealed = {
      encapsulatedKey: bytesOfHex(String(encappedPublic)),
      ciphertext: bytesOfHex(String(ciphertext)),
    };
    return await open(sealed, privateKey, { info, receiver: bytesOfHex(publicKey) });
  } catch (cause) {
    throw Object.assign(invalid('it is not sealed to this target'), { cause });
  }
}

/**
 * Seals a secret for an import: a mnemonic or text (UTF-8), or the bytes of a private key. Returns the value
 * of `encryptedBundle`. Throws `Untrusted` if another key than the pinned key signed the target, or if the
 * target is for another organization, or for another user than `userId`.
 */
export async function sealImport(
  client: Receiver,
  importBundle: string,
  secret: string | Uint8Array<ArrayBuffer>,
  { userId }: { readonly userId?: string } = {},
): Promise<string> {
  const content = await contentOf(client, importBundle);
  if (userId !== undefined && content['userId'] !== userId) invalidate('it is for another user');
  return sealedTo(content, typeof secret === 'string' ? utf8(secret) : secret.slice());
}

/**
 * Returns the public key of an import target, in hex. An export that is sealed to this key reaches the
 * service that signed the target, and no client on the way can open it. Throws as `sealImport` does.
 */
export async function importTargetKey(
  client: Receiver,
  importBundle: string,
  { userId }: { readonly userId: string },
): Promise<string> {
  const content = await contentOf(client, importBundle);
  if (content['userId'] !== userId) invalidate('it is for another user');
  return String(content['targetPublic']).toLowerCase();
}

/**
 * Returns the value of `encryptedBundle` for an export bundle that is sealed to an import target. The
 * signature of the exporting service is not verified: the caller compares the addresses after the import.
 * Throws `Untrusted` for another text than a bundle.
 */
export function forwardedBundle(exportBundle: string): string {
  const data = membersOf(exportBundle)['data'];
  if (typeof data !== 'string') invalidate('it is not a bundle');
  const { encappedPublic, ciphertext } = membersOf(new TextDecoder().decode(bytesOfHex(data)));
  return JSON.stringify({ encappedPublic, ciphertext });
}

/**
 * Seals a one-time code together with the public key (compressed, hex) that the code authorizes. Returns the
 * value of `encryptedOtpBundle`. Throws `Untrusted` if another key than the pinned key signed the target, or
 * if it is for another organization.
 */
export async function sealCode(
  client: Receiver,
  targetBundle: string,
  code: string,
  publicKey: string,
): Promise<string> {
  const content = await contentOf(client, targetBundle, 'verifier');
  return sealedTo(content, utf8(JSON.stringify({ otp_code: code, public_key: publicKey })));
}

/** Seals to the target that the service signed, and wipes the plaintext. */
async function sealedTo(
  content: Readonly<Record<string, unknown>>,
  plaintext: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const receiver = bytesOfHex(String(content['targetPublic']));
  const { encapsulatedKey, ciphertext } = await seal(plaintext, { info, receiver });
  plaintext.fill(0);
  return JSON.stringify({
    encappedPublic: hexOf(encapsulatedKey),
    ciphertext: hexOf(ciphertext),
  });
}

/** Returns the signed content of a bundle, after checks of the key, the signature and the organization. */
async function contentOf(
  client: Receiver,
  bundle: string,
  role: 'signer' | 'verifier' = 'signer',
): Promise<Readonly<Record<string, unknown>>> {
  const { [role]: signer } = await client.serviceKeys();
  const { version, data, dataSignature, enclaveQuorumPublic } = membersOf(bundle);
  if (version !== 'v1.0.0') invalidate('it is of another version');
  if (signer === undefined || enclaveQuorumPublic !== signer) {
    const message = `the bundle is signed by ${String(enclaveQuorumPublic)}, pinned is ${signer}`;
    throw new Untrusted('SERVICE_KEY_CHANGED', message);
  }
  if (typeof data !== 'string' || typeof dataSignature !== 'string')
    invalidate('it is not a bundle');
  const bytes = bytesOfHex(data);
  const signature = signatureOfDer(bytesOfHex(dataSignature));
  if (signature === undefined || !(await verifiesP256(signer, signature, bytes))) {
    throw new Untrusted('SIGNATURE_INVALID', 'the bundle is not signed by its key');
  }
  const content = membersOf(new TextDecoder().decode(bytes));
  if (content['organizationId'] !== client.organizationId.toLowerCase()) {
    invalidate('it is of another organization');
  }
  return content;
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return invalidate('it is not JSON');
  }
}

const invalid = (why: string) => new Untrusted('BUNDLE_INVALID', `the bundle is refused: ${why}`);

function invalidate(why: string): never {
  throw invalid(why);
}
