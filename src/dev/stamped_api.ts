// Calls the running service with the stamps of a P-256 API key, like any client. Uses only node:http and
// node:crypto, so that a few requests load no further module.

import { createPrivateKey, sign } from 'node:crypto';
import { request } from 'node:http';
import { base64url, bytesOfHex, utf8 } from '../core/base/bytes.ts';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../core/schema/json.ts';
import type { P256KeyPair } from '../gateway/base/p256_key_pair.ts';

/** An error of the service: its answer, and the invalid members of the request. */
export class RefusedCallError extends Error {
  readonly status: number;
  readonly body: JsonObject;
  readonly fields: readonly Json[];

  constructor(operation: string, status: number, body: JsonObject) {
    super(`${operation}: ${String(body['message'] ?? `status ${status}`)}`);
    this.name = 'RefusedCallError';
    this.status = status;
    this.body = body;
    this.fields = objectsIn(body['details'])
      .flatMap(({ fieldViolations }) => objectsIn(fieldViolations))
      .flatMap(({ field }) => (field === undefined ? [] : [field]));
  }
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Sends a body stamped with `key`, and returns the JSON of the answer. Raises RefusedCallError. */
export async function callStamped(
  baseUrl: string,
  path: string,
  body: string,
  key: P256KeyPair,
): Promise<JsonObject> {
  const { status, text } = await post(`${baseUrl}${path}`, body, { 'x-stamp': stampOf(body, key) });
  const parsed = parsedJson(text);
  const answer = isJsonObject(parsed) ? parsed : {};
  if (status !== 200) throw new RefusedCallError(path.split('/').at(-1) ?? path, status, answer);
  return answer;
}

/** Returns the header X-Stamp: an ECDSA signature of the body with SHA-256, in DER and hex. */
function stampOf(body: string, { apiPublicKey, apiPrivateKey }: P256KeyPair): string {
  const signature = sign('sha256', utf8(body), privateKeyOf(apiPrivateKey)).toString('hex');
  const scheme = 'SIGNATURE_SCHEME_TK_API_P256';
  return base64url(utf8(JSON.stringify({ publicKey: apiPublicKey, scheme, signature })));
}

/** Returns an EC private key (RFC 5915) in PKCS #8. */
function privateKeyOf(apiPrivateKey: string) {
  const head = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420';
  const key = Buffer.from(bytesOfHex(`${head}${apiPrivateKey}`) ?? []);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, timeout: 30_000 });
    sent.once('error', reject);
    sent.once('timeout', () => sent.destroy(new Error(`${url} did not answer`)));
    sent.once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.end(body);
  });
}
