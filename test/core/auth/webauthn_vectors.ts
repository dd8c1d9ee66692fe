// The vectors of Web Authentication Level 3 and a captured registration, in the form of the code.

import { readFileSync } from 'node:fs';
import type { Registration } from '../../../src/core/auth/webauthn/registration.ts';
import { base64url, bytesOfHex } from '../../../src/core/base/bytes.ts';

type Vector = {
  readonly name: string;
  readonly algorithm: 'ES256' | 'RS256';
  readonly credentialId: string;
  readonly registration: Readonly<
    Record<'challenge' | 'clientDataJSON' | 'attestationObject', string>
  >;
  readonly authentication: Readonly<
    Record<'challenge' | 'authenticatorData' | 'clientDataJSON' | 'signature', string>
  >;
};

export const w3c: {
  readonly rpId: string;
  readonly origin: string;
  readonly accepted: readonly Vector[];
  readonly refused: readonly { name: string; algorithm: number; authData: string }[];
} = JSON.parse(readFileSync(new URL('../../vectors/webauthn.json', import.meta.url), 'utf8'));

/** Returns the registration of a vector in the form of requests. */
export function registrationOf({ credentialId, registration }: Vector): Registration {
  return {
    challenge: base64urlOfHex(registration.challenge),
    attestation: {
      credentialId: base64urlOfHex(credentialId),
      clientDataJson: base64urlOfHex(registration.clientDataJSON),
      attestationObject: base64urlOfHex(registration.attestationObject),
      transports: [],
    },
  };
}

/** Returns the assertion of a vector: the members of a stamp, and its challenge. */
export function assertionOf({ authentication }: Vector) {
  return {
    challenge: base64urlOfHex(authentication.challenge),
    stamp: {
      authenticatorData: hexBytes(authentication.authenticatorData),
      clientDataJson: hexBytes(authentication.clientDataJSON),
      signature: hexBytes(authentication.signature),
    },
  };
}

export function hexBytes(text: string): Uint8Array {
  const bytes = bytesOfHex(text);
  if (bytes === undefined) throw new Error(`no hex: ${text}`);
  return bytes;
}

const base64urlOfHex = (text: string): string => base64url(hexBytes(text));

/** Captured from a browser: RP id `localhost`, origin `http://localhost:4433`. */
export const captured: Registration = {
  challenge: 'hNkkOHa_G9bRkjD4-4Af7uDRLSE2-Z4-X9vVMTtBrbU',
  attestation: {
    credentialId: 'RYNS2Uragga8xm1Mk6o8nd7Qvt_LbfukOyaaBfqVmCY',
    clientDataJson:
      'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiaE5ra09IYV9HOWJSa2pENC00QWY3dURSTFNFMi1aNC1YOXZWTVR0QnJiVSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NDQzMyIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
    attestationObject:
      'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAK3OAAI1vMYKZIsLJfHwVQMAIEWDUtlK2oIGvMZtTJOqPJ3e0L7fy237pDsmmgX6lZgmpQECAyYgASFYIH_KBmEEIjmE8GQ8Q2jZMN_Bz4YNHc2eLtdBF_i4dFzDIlggY00UuJq97lcCWVrNjqssBvX_8QCqecIYGaS8m1UdSH0',
    transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
  },
};
