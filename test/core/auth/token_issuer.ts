// Issues ID tokens for tests with node:crypto, without the code under test.

import {
  constants,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  sign as nodeSign,
} from 'node:crypto';
import type { Json, JsonObject } from '../../../src/core/schema/json.ts';

export type TokenKey = { readonly privateKey: KeyObject; readonly jwk: JsonObject };

const ec = (namedCurve: string): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve });
const rsa = (modulusLength: number): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('rsa', { modulusLength });

const rsaPair = rsa(2048);

/** A key for each algorithm; the RSA algorithms share one key, as for real issuers. */
export const tokenKeys = {
  RS256: keyOf('RS256', rsaPair),
  RS384: keyOf('RS384', rsaPair),
  RS512: keyOf('RS512', rsaPair),
  PS256: keyOf('PS256', rsaPair),
  ES256: keyOf('ES256', ec('P-256')),
  ES384: keyOf('ES384', ec('P-384')),
  EdDSA: keyOf('EdDSA', generateKeyPairSync('ed25519')),
  Ed25519: keyOf('Ed25519', generateKeyPairSync('ed25519')),
};
export type TokenAlgorithm = keyof typeof tokenKeys;

export const algorithms = Object.keys(tokenKeys) as TokenAlgorithm[];

export function keyOf(
  kid: string,
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
): TokenKey {
  return { privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid } };
}

/** A key with a small modulus, and a key on another curve; both must be refused. */
export const weakKey = keyOf('weak', rsa(1024));
export const otherCurveKey = keyOf('other', ec('secp256k1'));

const ecdsa = { dsaEncoding: 'ieee-p1363' } as const;
const signers: { readonly [name: string]: (key: KeyObject, message: Buffer) => Buffer } = {
  RS256: (key, message) => nodeSign('sha256', message, key),
  RS384: (key, message) => nodeSign('sha384', message, key),
  RS512: (key, message) => nodeSign('sha512', message, key),
  PS256: (key, message) =>
    nodeSign('sha256', message, {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 32,
    }),
  ES256: (key, message) => nodeSign('sha256', message, { key, ...ecdsa }),
  ES384: (key, message) => nodeSign('sha384', message, { key, ...ecdsa }),
  EdDSA: (key, message) => nodeSign(null, message, key),
  Ed25519: (key, message) => nodeSign(null, message, key),
};

/** Returns a compact token of two given texts; `scheme` is the algorithm that really signs. */
export function signTexts(
  header: string,
  payload: string,
  key: KeyObject,
  scheme: TokenAlgorithm,
): string {
  const signed = [header, payload].map((text) => Buffer.from(text).toString('base64url')).join('.');
  const signature = signers[scheme]?.(key, Buffer.from(signed));
  return `${signed}.${signature?.toString('base64url')}`;
}

export function issue(
  claims: Json,
  {
    algorithm = 'ES256',
    header = {},
    key = tokenKeys[algorithm],
  }: {
    readonly algorithm?: TokenAlgorithm;
    readonly header?: JsonObject;
    readonly key?: TokenKey;
  } = {},
): string {
  const full = { alg: algorithm, typ: 'JWT', kid: String(key.jwk['kid']), ...header };
  return signTexts(JSON.stringify(full), JSON.stringify(claims), key.privateKey, algorithm);
}

/** Returns a token under a shared secret, as an attacker makes it from a published key. */
export function issueHmac(claims: Json, header: JsonObject, secret: string | Buffer): string {
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
