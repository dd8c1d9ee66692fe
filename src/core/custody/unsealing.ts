// Transport of shares to a sealed enclave. A signed statement names the program and key of the enclave; each
// share is sealed to that key.

import { bytesOfHex, concatBytes, hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import { type HpkeBinding, type HpkeMessage, sealTo } from '../crypto/hpke.ts';
import { p256 } from '../crypto/p256.ts';
import { verifyP256 } from '../crypto/verify.ts';
import { assert } from '../errors/errors.ts';
import type { EphemeralKey } from '../proofs/app_proofs.ts';
import { type Program, programMembers } from '../proofs/boot_proofs.ts';
import { isJsonObject, parsedJson } from '../schema/json.ts';
import type { Sharing } from './key_shares.ts';

const statementType = 'UNSEAL_STATEMENT_SOFTWARE';
const notice =
  'This statement is signed by the key that it names. It is no hardware attestation: an attacker who ' +
  'controls the machine could have run something else.';

/** The content of a statement. */
export type UnsealStatement = {
  readonly version: string;
  readonly runtime: string;
  readonly sourcesDigest: string;
  readonly lockfileDigest: string;
  readonly sharingId: string;
  /** The points for encryption and for signatures, 130 bytes in hex. */
  readonly ephemeralPublicKeyHex: string;
};

/** Returns the statement of a sealed enclave and its signature (r ‖ s). */
export function unsealStatement(
  program: Program,
  { sharingId }: Sharing,
  key: EphemeralKey,
  now: number,
): { readonly statement: string; readonly signature: Uint8Array } {
  const statement = JSON.stringify({
    type: statementType,
    hardwareAttestation: 'none',
    notice,
    ...programMembers(program),
    sharingId,
    startedAtMs: String(now),
    ephemeralPublicKeyHex: hex(key.publicKey),
  });
  return { statement, signature: key.sign(sha256(utf8(statement))) };
}

const pointHexDigits = 130;
const members = [
  'version',
  'runtime',
  'sourcesDigest',
  'lockfileDigest',
  'sharingId',
  'ephemeralPublicKeyHex',
] as const;

/** Parses a statement and verifies its signature by the named key. Returns undefined if either fails. */
export function readUnsealStatement(
  text: string,
  signature: Uint8Array,
): UnsealStatement | undefined {
  const json = parsedJson(text);
  if (!isJsonObject(json) || json['type'] !== statementType) return undefined;
  if (members.some((name) => typeof json[name] !== 'string')) return undefined;
  const statement = json as unknown as UnsealStatement;
  const key = statement.ephemeralPublicKeyHex;
  const [receiver, signer] = [key.slice(0, pointHexDigits), key.slice(pointHexDigits)].map(pointOf);
  if (receiver === undefined || signer === undefined) return undefined;
  return verifyP256(signer, signature, utf8(text)) ? statement : undefined;
}

/** Returns the compressed point of 130 hex digits. */
function pointOf(digits: string): Uint8Array | undefined {
  const bytes = digits.length === pointHexDigits ? bytesOfHex(digits) : undefined;
  return bytes && p256.parsePublicKey(bytes);
}

/** Binds a share to the statement that its operator checked. */
function bindingTo(statement: string): HpkeBinding {
  return {
    info: concatBytes(utf8('keywright unseal 1\n'), sha256(utf8(statement))),
    associatedData: (encapsulatedKey, receiver) => concatBytes(encapsulatedKey, receiver),
  };
}

/** Seals a share to the key of a statement that `readUnsealStatement` accepted. */
export function sealShare(
  share: Uint8Array,
  statement: { readonly text: string; readonly read: UnsealStatement },
  ephemeralPrivateKey: Uint8Array,
): HpkeMessage {
  const receiver = bytesOfHex(statement.read.ephemeralPublicKeyHex.slice(0, pointHexDigits));
  assert(receiver !== undefined, 'the statement was read');
  return sealTo({
    ...bindingTo(statement.text),
    receiverPublicKey: receiver,
    plaintext: share,
    ephemeralPrivateKey,
  });
}

/** Returns the share; the caller wipes it. Returns undefined if it was not sealed to this statement. */
export function openShare(
  sealed: HpkeMessage,
  statement: string,
  receiver: Pick<EphemeralKey, 'open'>,
): Uint8Array | undefined {
  return receiver.open({ ...bindingTo(statement), ...sealed });
}
