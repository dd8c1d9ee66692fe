// Bundles: secrets on their way out of the service and into it, sealed to one key (HPKE, RFC 9180).

import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { bytesOfHex, hexOf, joined, utf8 } from './bytes.ts';
import type { Client } from './connect.ts';
import { Untrusted } from './errors.ts';
import { verifiesP256 } from './p256.ts';
import { signatureOfDer } from './read_der.ts';

/** A key pair that exports are sealed to. Its private half cannot be read. */
export type Target = {
  /** For `targetPublicKey`: 65 bytes, hex. */
  readonly publicKey: string;
  readonly keyPair: CryptoKeyPair;
};

/** What bundles need of a client: its pinned keys and its organization. */
type Receiver = Pick<Client, 'serviceKeys' | 'organizationId'>;

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
/** As all clients of the API family seal. */
const info = utf8('turnkey_hpke');

/** A new target of one export. */
export async function newTarget(): Promise<Target> {
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
  const keyPair = await crypto.subtle.generateKey(algorithm, false, ['deriveBits']);
  const point = await crypto.subtle.exportKey('raw', keyPair.publicKey);
  return { publicKey: hexOf(new Uint8Array(point)), keyPair };
}

/**
 * Opens an export bundle: a mnemonic or a text in UTF-8, or the 32 bytes of a private key. They are the
 * caller's to overwrite. Raises `Untrusted` for a bundle by another key than the pinned one, of another
 * organization, or sealed to another target.
 */
export async function openExport(
  client: Receiver,
  bundle: string,
  { keyPair, publicKey }: Target,
): Promise<Uint8Array<ArrayBuffer>> {
  const { encappedPublic, ciphertext } = await contentOf(client, bundle);
  try {
    const enc = bytesOfHex(String(encappedPublic));
    const binding = joined(enc, bytesOfHex(publicKey));
    const sealed = bytesOfHex(String(ciphertext));
    const recipient = { recipientKey: keyPair, enc: enc.buffer, info: info.buffer };
    return new Uint8Array(await suite.open(recipient, sealed.buffer, binding.buffer));
  } catch (cause) {
    throw Object.assign(invalid('it is not sealed to this target'), { cause });
  }
}

/**
 * Seals a mnemonic or a text (UTF-8), or the bytes of a private key, for an import: the value of
 * `encryptedBundle`. Raises `Untrusted` for a target by another key than the pinned one, of another
 * organization, or for another user than `userId`.
 */
export async function sealImport(
  client: Receiver,
  importBundle: string,
  secret: string | Uint8Array<ArrayBuffer>,
  { userId }: { readonly userId?: string } = {},
): Promise<string> {
  const content = await contentOf(client, importBundle);
  if (userId !== undefined && content['userId'] !== userId) invalidate('it is for another user');
  const target = bytesOfHex(String(content['targetPublic']));
  const recipientPublicKey = await suite.kem.deserializePublicKey(target.buffer);
  const sender = await suite.createSenderContext({ recipientPublicKey, info: info.buffer });
  const plaintext = typeof secret === 'string' ? utf8(secret) : secret.slice();
  const binding = joined(new Uint8Array(sender.enc), target);
  const ciphertext = await sender.seal(plaintext.buffer, binding.buffer);
  plaintext.fill(0);
  return JSON.stringify({
    encappedPublic: hexOf(new Uint8Array(sender.enc)),
    ciphertext: hexOf(new Uint8Array(ciphertext)),
  });
}

/** What the service signed, after its key, its signature and its organization were checked. */
async function contentOf(
  client: Receiver,
  bundle: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { signer } = await client.serviceKeys();
  const { version, data, dataSignature, enclaveQuorumPublic } = membersOf(bundle);
  if (version !== 'v1.0.0') invalidate('it is of another version');
  if (signer === undefined || enclaveQuorumPublic !== signer) {
    const message = `the bundle is signed by ${String(enclaveQuorumPublic)}, pinned is ${signer}`;
    throw new Untrusted('SERVICE_KEY_CHANGED', message);
  }
  if (typeof data !== 'string' || typeof dataSignature !== 'string') invalidate('it is no bundle');
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
    return invalidate('it is no JSON');
  }
}

const invalid = (why: string) => new Untrusted('BUNDLE_INVALID', `the bundle is refused: ${why}`);

function invalidate(why: string): never {
  throw invalid(why);
}
