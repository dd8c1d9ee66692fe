// Time stamps of RFC 3161: a server signs the digest of the manifest with the time.

import { createHash, verify, X509Certificate } from 'node:crypto';
import { randomName } from '../service/new_key.ts';
import { type DerValue, der, membersOf, readDer } from './der.ts';

export const timestampName = 'manifest.json.tsr';

const sequence = 0x30;
const set = 0x31;
const octets = 0x04;
const integer = 0x02;
const time = 0x18;
const context0 = 0xa0;

const oids = {
  sha256: '608648016503040201',
  signedData: '2a864886f70d010702',
  timeInfo: '2a864886f70d0109100104',
  messageDigest: '2a864886f70d010904',
} as const;
/** Digests that time stamp servers use, by their identifiers. */
const hashes: ReadonlyMap<string, string> = new Map([
  ['608648016503040201', 'sha256'],
  ['608648016503040202', 'sha384'],
  ['608648016503040203', 'sha512'],
]);
const timeStampingPurpose = '1.3.6.1.5.5.7.3.8';
const maximumResponseBytes = 64 * 1024;

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Requests a time stamp of bytes. Throws an error for a rejection or a stamp of other bytes. */
export async function requestTimestamp(
  send: typeof fetch,
  server: string,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const algorithm = der(sequence, oid(oids.sha256), der(0x05));
  const nonce = Buffer.from(randomName().slice(0, 16), 'hex');
  // A positive number whose first byte is not zero.
  nonce[0] = 1 + ((nonce[0] ?? 0) & 0x3f);
  const query = der(
    sequence,
    der(integer, Uint8Array.of(1)),
    der(sequence, algorithm, der(octets, sha256(bytes))),
    der(integer, nonce),
    // Requests the certificate of the server.
    der(0x01, Uint8Array.of(0xff)),
  );
  const response = await send(server, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: Buffer.from(query),
  });
  if (!response.ok) throw new Error(`the time stamp server answered ${response.status}`);
  const stamp = new Uint8Array(await response.arrayBuffer());
  const { info } = readStamp(stamp, bytes);
  const isAnswer = membersOf(info).some(
    ({ tag, content }) => tag === integer && nonce.equals(content),
  );
  if (!isAnswer) throw new Error('the time stamp is an answer to another request');
  return stamp;
}

/**
 * Verifies a time stamp of bytes: its signature, by a certificate that the given one issued or that is the
 * given one. Returns the time in milliseconds since 1970. Throws an error with the failed check.
 */
export function verifyTimestamp(stamp: Uint8Array, bytes: Uint8Array, trusted: string): number {
  const { content, info, signed, certificates } = readStamp(stamp, bytes);
  const [, , digestAlgorithm, ...rest] = membersOf(membersOf(signed.at(-1))[0]);
  const attributes = rest.find(({ tag }) => tag === context0);
  const signature = rest.find(({ tag }) => tag === octets)?.content;
  const hash = hashes.get(hexOf(membersOf(digestAlgorithm)[0]));
  if (attributes === undefined || signature === undefined || hash === undefined) {
    throw new Error('the time stamp has an unknown signature');
  }
  const digest = membersOf(attributes)
    .map(membersOf)
    .find(([name]) => hexOf(name) === oids.messageDigest);
  const [stated] = membersOf(digest?.[1]);
  const actual = createHash(hash).update(content).digest();
  if (stated === undefined || !actual.equals(stated.content)) {
    throw new Error('the time stamp signs another content');
  }
  const atMs = timeOf(info);
  const issuer = new X509Certificate(trusted);
  const message = der(set, attributes.content);
  const isSigned = certificates.some(
    (certificate) =>
      isTrusted(certificate, issuer, atMs) &&
      verify(hash, message, certificate.publicKey, signature),
  );
  if (!isSigned) throw new Error('no trusted certificate signed the time stamp');
  return atMs;
}

type ReadStamp = {
  /** The signed bytes, and their parsed value. */
  readonly content: Uint8Array;
  readonly info: DerValue | undefined;
  readonly signed: readonly DerValue[];
  readonly certificates: readonly X509Certificate[];
};

/** Parses a granted stamp of these bytes. */
function readStamp(stamp: Uint8Array, bytes: Uint8Array): ReadStamp {
  if (stamp.length > maximumResponseBytes) throw new Error('the time stamp is too large');
  const [status, token] = membersOf(readDer(stamp)[0]);
  const granted = membersOf(status)[0]?.content;
  if (granted?.length !== 1 || (granted[0] ?? 2) > 1 || token === undefined) {
    throw new Error('the time stamp server refused');
  }
  const [type, body] = membersOf(token);
  const signed = membersOf(membersOf(body)[0]);
  const [kind, inner] = membersOf(signed[2]);
  if (hexOf(type) !== oids.signedData || hexOf(kind) !== oids.timeInfo) {
    throw new Error('the answer is not a time stamp');
  }
  const content = membersOf(inner)[0]?.content ?? new Uint8Array(0);
  const [info] = readDer(content);
  const [algorithm, imprint] = membersOf(membersOf(info)[2]);
  const isOfBytes =
    hexOf(membersOf(algorithm)[0]) === oids.sha256 &&
    imprint !== undefined &&
    sha256(bytes).equals(imprint.content);
  if (!isOfBytes) throw new Error('the time stamp is for other bytes');
  const listed = signed.find(({ tag }) => tag === context0);
  const certificates = listed === undefined ? [] : membersOf(listed);
  return {
    content,
    info,
    signed,
    certificates: certificates.map(({ whole }) => new X509Certificate(whole)),
  };
}

/** Returns true if a time stamp certificate was valid at this time, and the issuer signed it or is it. */
function isTrusted(certificate: X509Certificate, issuer: X509Certificate, atMs: number): boolean {
  const isOfIssuer =
    certificate.fingerprint256 === issuer.fingerprint256 ||
    (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  const isValid =
    Date.parse(certificate.validFrom) <= atMs && atMs <= Date.parse(certificate.validTo);
  return isOfIssuer && isValid && (certificate.keyUsage ?? []).includes(timeStampingPurpose);
}

/** Parses a time such as `20261129013057Z`, with or without a fraction. */
function timeOf(info: DerValue | undefined): number {
  const found = membersOf(info).find(({ tag }) => tag === time);
  const text = Buffer.from(found?.content ?? []).toString('latin1');
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d{1,9})?Z$/.exec(text) ?? [];
  if (parts.length !== 6) throw new Error('the time stamp is malformed');
  const [year, month, day, hours, minutes, seconds] = parts;
  return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}

const hexOf = (value: DerValue | undefined): string =>
  Buffer.from(value?.content ?? []).toString('hex');
