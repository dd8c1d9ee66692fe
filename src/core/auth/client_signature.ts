// Proves possession of the key that a verification token names: a signature over a message with the token's
// use.

import { bytesOfHex, utf8 } from '../base/bytes.ts';
import { p256 } from '../crypto/p256.ts';
import { type EcdsaNumbers, ecdsaSignatureOfDer } from '../crypto/signature_der.ts';
import { verifyP256 } from '../crypto/verify.ts';
import { fail } from '../errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../schema/json.ts';
import { strictJsonObject } from '../schema/strict_json.ts';
import type { VerificationClaims } from './tokens/verification_token.ts';

/** The parameters of a request: `publicKey` and `signature` in hex, `message` as JSON text. */
export type ClientSignature = {
  readonly publicKey: string;
  readonly scheme: string;
  readonly message: string;
  readonly signature: string;
};

export const clientSignatureSchemes = ['CLIENT_SIGNATURE_SCHEME_API_P256'] as const;

/** Maximum length of a message. A sign-up contains attestations of passkeys. */
export const maximumMessageCharacters = 65_536;

/**
 * The credentials that a sign-up registers for its user, each list in the form and order of the
 * request.
 */
export type SignUpContents = {
  readonly apiKeys?: readonly JsonObject[];
  readonly authenticators?: readonly JsonObject[];
  readonly oauthProviders?: readonly JsonObject[];
  readonly email?: string;
  readonly phoneNumber?: string;
};

type TokenBinding = Pick<VerificationClaims, 'id' | 'publicKey'>;

/**
 * Checks that the owner of a verification token's key signed a login with this session key (hex), and in this
 * organization if the message names one; messages of public clients do not. Raises
 * `client_signature_invalid`.
 */
export function checkLoginSignature(
  signature: ClientSignature,
  {
    token,
    publicKey,
    organizationId,
  }: {
    readonly token: TokenBinding;
    readonly publicKey: string;
    readonly organizationId: string;
  },
): void {
  const usage = signedUsage(signature, token, 'USAGE_TYPE_LOGIN', ['login']);
  const { publicKey: signedKey, organizationId: signedId, ...others } = usage;
  const isThisKey =
    typeof signedKey === 'string' && signedKey.toLowerCase() === publicKey.toLowerCase();
  if (!isThisKey) refuse('the message is about another `login.publicKey` than the request');
  const isHere =
    signedId === undefined ||
    (typeof signedId === 'string' && signedId.toLowerCase() === organizationId);
  if (!isHere) refuse('the message is about another `login.organizationId` than the request');
  if (Object.keys(others).length > 0) {
    refuse('expected `login` to hold `publicKey` and at most `organizationId`');
  }
}

/**
 * Checks that the owner of a verification token's key signed exactly this sign-up. An empty list equals an
 * absent one. The order of members and the letter case of the e-mail address do not matter. Raises
 * `client_signature_invalid`.
 */
export function checkSignUpSignature(
  signature: ClientSignature,
  { token, contents }: { readonly token: TokenBinding; readonly contents: SignUpContents },
): void {
  const usage = signedUsage(signature, token, 'USAGE_TYPE_SIGNUP', ['signupV2', 'signup']);
  const expected: JsonObject = { ...contents, email: contents.email?.toLowerCase() };
  const { email } = usage;
  const signed: JsonObject = {
    ...usage,
    email: typeof email === 'string' ? email.toLowerCase() : email,
  };
  for (const member of membersOf(signed, expected)) {
    if (isSame(signed[member], expected[member])) continue;
    refuse(`the message and the request differ in \`${shortened(member)}\` of the user`);
  }
}

/** Checks the signature and the token's ID of a message, and returns the use in it. */
function signedUsage(
  { publicKey, scheme, message, signature }: ClientSignature,
  token: TokenBinding,
  type: string,
  names: readonly string[],
): JsonObject {
  if (scheme !== clientSignatureSchemes[0]) {
    refuse(`expected \`scheme\` to be ${clientSignatureSchemes[0]}`);
  }
  if (publicKey.toLowerCase() !== token.publicKey.toLowerCase()) {
    refuse('expected `publicKey` to be the key of the verification token');
  }
  if (message.length > maximumMessageCharacters) {
    refuse(`expected \`message\` with at most ${maximumMessageCharacters} characters`);
  }
  const key = p256.parsePublicKey(bytesOfHex(token.publicKey) ?? new Uint8Array(0));
  if (key === undefined) refuse('the verification token is not bound to a P-256 public key');
  const numbers = numbersOf(signature);
  if (numbers === undefined) {
    refuse('expected `signature` in hex: r and s of 32 bytes each, or DER');
  }
  if (!verifyP256(key, numbers, utf8(message))) {
    refuse('`signature` is not a signature of `message` by `publicKey`');
  }
  const signed = strictJsonObject(utf8(message));
  if (signed === undefined) refuse('expected `message` to be a JSON object');
  const { tokenId, type: signedType, ...usages } = signed;
  if (signedType !== type) refuse(`expected \`type\` of the message to be ${type}`);
  if (tokenId !== token.id) refuse('the message is about another verification token');
  const [name = '', ...more] = Object.keys(usages);
  const usage = usages[name];
  if (!names.includes(name) || more.length > 0 || !isJsonObject(usage)) {
    refuse(`expected the message to hold \`tokenId\`, \`type\` and \`${names[0]}\` alone`);
  }
  return usage;
}

function numbersOf(signature: string): Uint8Array | EcdsaNumbers | undefined {
  const bytes = bytesOfHex(signature);
  // A DER signature of 64 bytes needs numbers so small that they cannot be found in practice.
  return bytes?.length === 64 ? bytes : bytes && ecdsaSignatureOfDer(bytes);
}

/** Returns true if two values are equal, or an empty list and absent. The shallower one bounds the depth. */
function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    return membersOf(a, b).every((member) => isSame(a[member], b[member]));
  }
  return a === b;
}

/** Clients omit an empty list or send it. */
function isEmpty(value: Json | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function membersOf(a: JsonObject, b: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

function shortened(member: string): string {
  return member.slice(0, 40);
}

function refuse(reason: string): never {
  return fail('client_signature_invalid', { reason });
}
