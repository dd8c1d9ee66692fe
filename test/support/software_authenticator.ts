// A passkey in software. It creates the registrations and assertions of a browser with an authenticator, with
// real signatures. It has no state and no randomness: the same seed gives the same bytes in every run. It
// shares no code with the parsers of its answers.
//
//   const passkey = createSoftwareAuthenticator({ seed: 'alice' })
//   authenticators: [{ authenticatorName: 'Phone', ...passkey.register() }]   // parameters of requests
//   headers: { 'X-Stamp-WebAuthn': passkey.stamp(body) }                      // of the raw body
//
// Each ceremony accepts overrides: `passkey.stamp(body, { origin: 'https://…' })`.

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor';
import { p256PublicKey, signP256 } from './p256.ts';

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>;

export type AuthenticatorOptions = {
  /** Determines the key and the credential id. */
  readonly seed: string;
  /** Determines only the key. Default: `seed`. For a user who registers another user's credential id. */
  readonly keySeed?: string;
  /** Relying party id: a domain. */
  readonly rpId?: string;
  /** Origin of the requesting page. */
  readonly origin?: string;
  readonly algorithm?: 'ES256' | 'RS256';
  /** Private key for RS256. Default: one key of 3,482 bits for all seeds. */
  readonly rsaKey?: KeyObject;
  /** 16 bytes. Default: zeros. */
  readonly aaguid?: Uint8Array;
  readonly credentialIdBytes?: number;
};

/** Overrides of a ceremony. */
export type Ceremony = {
  /** The `challenge` of the client data, verbatim. */
  readonly challenge?: string;
  readonly origin?: string;
  readonly type?: string;
  /** Additional members of the client data. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  readonly rpId?: string;
  /** Bits of `authenticatorFlags`. */
  readonly flags?: number;
  readonly signCount?: number;
  /** Appended to the authenticator data; sets the flag for extensions. */
  readonly extensions?: ReadonlyMap<string, CBORType>;
};

export const authenticatorFlags = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attestedCredential: 0x40,
  extensions: 0x80,
};

export type Attestation = {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly attestationObject: string;
  readonly transports: readonly 'AUTHENTICATOR_TRANSPORT_INTERNAL'[];
};

/** The raw bytes of an assertion. */
export type SoftwareAssertion = {
  readonly authenticatorData: Uint8Array;
  readonly clientDataJson: Uint8Array;
  readonly signature: Uint8Array;
};

/** Creates an authenticator with one credential for one relying party. */
export function createSoftwareAuthenticator(options: AuthenticatorOptions) {
  const { seed, rpId = 'localhost', origin = 'http://localhost:3000', algorithm } = options;
  const key =
    algorithm === 'RS256' ? rsaKeyOf(options.rsaKey) : es256KeyOf(options.keySeed ?? seed);
  const credentialId = bytesOfSeed(`id ${seed}`, options.credentialIdBytes ?? 32);
  const usual = { rpId, origin };

  /** Returns `challenge` and `attestation` for an authenticator in requests. */
  function register(
    ceremony: Ceremony & { format?: string; statement?: Map<string, CBORType> } = {},
  ): {
    challenge: string;
    attestation: Attestation;
  } {
    const challenge = ceremony.challenge ?? base64url(bytesOfSeed(`challenge ${seed}`, 32));
    const clientDataJson = clientDataOf({
      ...usual,
      type: 'webauthn.create',
      ...ceremony,
      challenge,
    });
    const authenticatorData = authenticatorDataOf({
      ...usual,
      ...ceremony,
      flags:
        ceremony.flags ??
        authenticatorFlags.userPresent |
          authenticatorFlags.userVerified |
          authenticatorFlags.attestedCredential,
      credential: concat(
        options.aaguid ?? new Uint8Array(16),
        Uint8Array.of(credentialId.length >> 8, credentialId.length & 0xff),
        credentialId,
        key.cose,
      ),
    });
    return {
      challenge,
      attestation: {
        credentialId: base64url(credentialId),
        clientDataJson: base64url(clientDataJson),
        attestationObject: base64url(
          attestationObjectOf(authenticatorData, ceremony.format, ceremony.statement),
        ),
        transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
      },
    };
  }

  /** Returns an assertion over a challenge, which is the base64url text in the client data. */
  function assertion(challenge: string, ceremony: Ceremony = {}): SoftwareAssertion {
    const clientDataJson = clientDataOf({
      ...usual,
      type: 'webauthn.get',
      challenge,
      ...ceremony,
    });
    const authenticatorData = authenticatorDataOf({
      ...usual,
      ...ceremony,
      flags: ceremony.flags ?? authenticatorFlags.userPresent | authenticatorFlags.userVerified,
    });
    const signature = key.sign(concat(authenticatorData, sha256(clientDataJson)));
    return { authenticatorData, clientDataJson, signature };
  }

  /** Returns the X-Stamp-WebAuthn header for a body, as JSON. */
  function stamp(body: Uint8Array, ceremony: Ceremony = {}): string {
    const made = assertion(challengeOfBody(body), ceremony);
    return JSON.stringify({
      authenticatorData: base64url(made.authenticatorData),
      clientDataJson: base64url(made.clientDataJson),
      credentialId: base64url(credentialId),
      signature: base64url(made.signature),
    });
  }

  return {
    /** The raw credential id. */
    credentialId,
    /** The COSE_Key. */
    publicKey: key.cose,
    rpIdHash: sha256(utf8(rpId)),
    register,
    assertion,
    stamp,
  };
}

/** Returns the `challenge` of the client data that stamps a body. */
export function challengeOfBody(body: Uint8Array): string {
  return base64url(utf8(Buffer.from(sha256(body)).toString('hex')));
}

/** Returns an attestation object with the authenticator data. Default: format `none`, without a statement. */
export function attestationObjectOf(
  authenticatorData: Uint8Array,
  format = 'none',
  statement: Map<string, CBORType> = new Map(),
): Uint8Array {
  return encodeCBOR(
    new Map<string, CBORType>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authenticatorData],
    ]),
  );
}

type Key = { cose: Uint8Array; sign: (message: Uint8Array) => Uint8Array };

function es256KeyOf(seed: string): Key {
  const privateKey = bytesOfSeed(`key ${seed}`, 32);
  const point = p256PublicKey(privateKey, false);
  const cose = new Map<number, CBORType>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point.slice(1, 33)],
    [-3, point.slice(33)],
  ]);
  return {
    cose: encodeCBOR(cose),
    sign: (message) => signP256(message, privateKey),
  };
}

function rsaKeyOf(privateKey = mersenneKey()): Key {
  const { n, e } = createPublicKey(privateKey).export({ format: 'jwk' });
  const cose = new Map<number, CBORType>([
    [1, 3],
    [3, -257],
    [-1, Uint8Array.from(Buffer.from(String(n), 'base64url'))],
    [-2, Uint8Array.from(Buffer.from(String(e), 'base64url'))],
  ]);
  return {
    cose: encodeCBOR(cose),
    sign: (message) => Uint8Array.from(sign('sha256', message, privateKey)),
  };
}

/** Returns a key from the Mersenne primes 2^2203 − 1 and 2^1279 − 1, so that no key has to be stored here. */
function mersenneKey(): KeyObject {
  const p = 2n ** 2203n - 1n;
  const q = 2n ** 1279n - 1n;
  const e = 65537n;
  const d = inverse(e, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const members = Object.entries(numbers).map(([name, value]) => [
    name,
    base64url(bigEndian(value)),
  ]);
  return createPrivateKey({ key: { kty: 'RSA', ...Object.fromEntries(members) }, format: 'jwk' });
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

function clientDataOf(of: Required<Pick<Ceremony, 'type' | 'challenge' | 'origin'>> & Ceremony) {
  const { type, challenge, origin, clientData } = of;
  return utf8(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientData }));
}

function authenticatorDataOf(
  of: Required<Pick<Ceremony, 'rpId' | 'flags'>> & Ceremony & { credential?: Uint8Array },
): Uint8Array {
  const { rpId, flags, signCount = 0, credential, extensions } = of;
  const rest = Buffer.alloc(5);
  rest.writeUInt8(extensions === undefined ? flags : flags | authenticatorFlags.extensions);
  rest.writeUInt32BE(signCount, 1);
  return concat(
    sha256(utf8(rpId)),
    rest,
    (flags & authenticatorFlags.attestedCredential) === 0 ? undefined : credential,
    extensions && encodeCBOR(new Map(extensions)),
  );
}

function bytesOfSeed(seed: string, length: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
    sha256(utf8(`software authenticator ${i} ${seed}`)),
  );
  return concat(...blocks).slice(0, length);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(createHash('sha256').update(bytes).digest());
}

function bigEndian(number: bigint): Uint8Array {
  const digits = number.toString(16);
  return Uint8Array.from(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'));
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

function utf8(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'utf8'));
}

function concat(...parts: readonly (Uint8Array | undefined)[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts.filter((part) => part !== undefined)));
}
