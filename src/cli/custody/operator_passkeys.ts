// Passkeys of operators: each is an age identity that opens shares of the root key. The recovery tool derives
// the same identity from a passkey.

import { hkdfSync } from 'node:crypto';
import { identityToRecipient } from 'age-encryption';
import { type Bytes, bytesOfHex, hexOf, joined, utf8 } from '../../client/bytes.ts';
import { newAgreementKey, open } from '../../client/hpke.ts';
import { wipe } from '../../core/base/bytes.ts';
import { readClientMessage } from '../../core/bundles/client_message.ts';
import type { PasskeyTask } from '../../holder_page/serve.ts';
import { usePasskey } from '../keys/passkey_page.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';

/** Input of the PRF in base64. It is constant, because an age file does not name its recipients. */
const salt = btoa('keywright archive identity 1');
const derivation = 'keywright/v1/passkey_identity';
const secretBytes = 32;
/** Context of the message from the page to this process. */
const info = 'keywright operator passkey';
/** An X25519 private key in PKCS #8 (RFC 8410), up to its 32 bytes. */
const privateKeyPrefix = bytesOfHex('302e020100300506032b656e04220420');

/** Creates a passkey in a browser. Returns its id in base64url, and its age recipient. */
export async function newOperatorPasskey(terminal: Terminal) {
  const purpose = 'Create a passkey that opens a share of the root key';
  const passkey = { name: 'Operator of Keywright', isDiscoverable: true };
  const { credentialId, identity } = await identityFromPage(passkey, purpose, terminal);
  return { credentialId, recipient: await identityToRecipient(identity) };
}

/** Asks for the passkeys of operators, one after the other. Returns keys that are not extractable. */
export async function passkeyIdentities(count: number, terminal: Terminal): Promise<CryptoKey[]> {
  const identities: CryptoKey[] = [];
  for (let number = 1; number <= count; number += 1) {
    const place = count === 1 ? '' : ` (passkey ${number} of ${count})`;
    const purpose = `Open a share of the root key${place}`;
    identities.push((await identityFromPage('any', purpose, terminal)).identity);
  }
  return identities;
}

async function identityFromPage(
  passkey: PasskeyTask['passkey'],
  purpose: string,
  terminal: Terminal,
): Promise<{ readonly credentialId: string; readonly identity: CryptoKey }> {
  const own = await newAgreementKey();
  const place = { receiver: hexOf(own.publicKey), info };
  const task = { about: { Purpose: purpose }, passkey, salt, ...place };
  const { credentialId, encryptedSecret } = await usePasskey(task, terminal);
  const secret = await openSecret(encryptedSecret, own);
  const key = new Uint8Array(hkdfSync('sha256', secret, '', derivation, 32));
  const encoded = joined(privateKeyPrefix, key);
  try {
    const algorithm = { name: 'X25519' };
    const usages = ['deriveBits'] as const;
    const identity = await crypto.subtle.importKey('pkcs8', encoded, algorithm, false, usages);
    return { credentialId, identity };
  } finally {
    wipe(secret, key, encoded);
  }
}

/** Opens the secret that the page sealed to this process. The caller wipes it. */
async function openSecret(
  sealed: string,
  { privateKey, publicKey }: Awaited<ReturnType<typeof newAgreementKey>>,
): Promise<Bytes> {
  const { message } = readClientMessage(sealed, secretBytes);
  const parts = message && {
    encapsulatedKey: Uint8Array.from(message.encapsulatedKey),
    ciphertext: Uint8Array.from(message.ciphertext),
  };
  const context = { info: utf8(info), receiver: publicKey };
  const secret = parts && (await open(parts, privateKey, context).catch(() => undefined));
  if (secret?.length === secretBytes) return secret;
  throw new Failure({ exit: 'unexpected', message: 'The page returned an unreadable secret.' });
}
