// Reads the authenticator's part of a ceremony: authenticator data (Web Authentication Level 3, section
// 6.1).

import { decodeCbor, endOfCborItem } from './cbor.ts';
import type { Refuse } from './refuse.ts';
import { maximumCredentialIdBytes } from './stamp.ts';

export type AuthenticatorData = {
  /** SHA-256 of the id of the relying party, 32 bytes. */
  readonly rpIdHash: Uint8Array;
  readonly flags: Readonly<Record<keyof typeof flagBits, boolean>>;
  /** Number of signatures so far; many authenticators report zero. */
  readonly signCount: number;
  /** The credential of a registration. */
  readonly attestedCredential: AttestedCredential | undefined;
};

export type AttestedCredential = {
  /** Model of the authenticator, 16 bytes; zeros if it reports none. */
  readonly aaguid: Uint8Array;
  /** 1 to 1023 bytes. */
  readonly credentialId: Uint8Array;
  /** COSE_Key, not parsed yet. */
  readonly publicKey: Uint8Array;
};

/** The flags in their byte. */
const flagBits = {
  /** UP: the user touched the authenticator. */
  userPresent: 0x01,
  /** UV: the user was verified by a fingerprint or a PIN. */
  userVerified: 0x04,
  /** BE: the key may be copied to other devices. */
  backupEligible: 0x08,
  /** BS: the key is backed up. */
  backedUp: 0x10,
  /** AT */
  attestedCredential: 0x40,
  /** ED */
  extensions: 0x80,
} as const;

const flagsOffset = 32;
const signCountOffset = 33;
const fixedBytes = 37;
const aaguidBytes = 16;
const idLengthBytes = 2;

/** Reads authenticator data to its last byte. Extensions are a CBOR map and are not used. */
export function readAuthenticatorData(bytes: Uint8Array, refuse: Refuse): AuthenticatorData {
  const byte = bytes[flagsOffset];
  if (byte === undefined || bytes.length < fixedBytes) {
    refuse(`expected at least ${fixedBytes} bytes of authenticator data, got ${bytes.length}`);
  }
  const flags = {
    userPresent: (byte & flagBits.userPresent) !== 0,
    userVerified: (byte & flagBits.userVerified) !== 0,
    backupEligible: (byte & flagBits.backupEligible) !== 0,
    backedUp: (byte & flagBits.backedUp) !== 0,
    attestedCredential: (byte & flagBits.attestedCredential) !== 0,
    extensions: (byte & flagBits.extensions) !== 0,
  };
  const attested = flags.attestedCredential
    ? attestedCredentialAt(bytes, fixedBytes, refuse)
    : undefined;
  const rest = bytes.subarray(attested?.end ?? fixedBytes);
  if (!flags.extensions && rest.length > 0) {
    refuse(`expected nothing behind the authenticator data, got ${rest.length} bytes`);
  }
  if (flags.extensions && !(decodeCbor(rest)?.value instanceof Map)) {
    refuse('expected the extensions of the authenticator data as a CBOR map');
  }
  return {
    rpIdHash: bytes.slice(0, flagsOffset),
    flags,
    signCount: viewOf(bytes).getUint32(signCountOffset),
    attestedCredential: attested?.credential,
  };
}

/** Rejects a backed-up key that is not eligible for backup (Web Authentication Level 3, 7.1 and 7.2). */
export function requireBackupFlags(
  { flags: { backedUp, backupEligible } }: Pick<AuthenticatorData, 'flags'>,
  refuse: Refuse,
): void {
  if (backedUp && !backupEligible) {
    refuse('the flags say that the passkey is backed up and not eligible for it');
  }
}

function attestedCredentialAt(
  bytes: Uint8Array,
  start: number,
  refuse: Refuse,
): { credential: AttestedCredential; end: number } {
  const idStart = start + aaguidBytes + idLengthBytes;
  if (bytes.length < idStart) refuse('expected a credential in the authenticator data');
  const idLength = viewOf(bytes).getUint16(start + aaguidBytes);
  if (idLength === 0 || idLength > maximumCredentialIdBytes) {
    refuse(`expected a credential id of 1 to ${maximumCredentialIdBytes} bytes, got ${idLength}`);
  }
  const keyStart = idStart + idLength;
  const end = endOfCborItem(bytes, keyStart);
  if (end === undefined) refuse('expected a public key in the authenticator data');
  return {
    credential: {
      aaguid: bytes.slice(start, start + aaguidBytes),
      credentialId: bytes.slice(idStart, keyStart),
      publicKey: bytes.slice(keyStart, end),
    },
    end,
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
