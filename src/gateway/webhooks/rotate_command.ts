// `keywright webhooks rotate-key`: asks the running service for another key that signs webhooks, in the
// name of the root user.

import { createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { base64url, bytesOfHex, hex, utf8, wipe } from '../../core/base/bytes.ts';
import { callPaths } from '../../core/base/call_paths.ts';

const usage = 'expected keywright webhooks rotate-key [--immediately], see docs/webhooks.md';
const operation = 'rotate_webhook_key';

/** What the command needs of `root-credentials.json`. */
type Credentials = {
  readonly baseUrl: string;
  readonly organizationId: string;
  readonly apiPublicKey: string;
  readonly apiPrivateKey: string;
};

/**
 * Runs the command and gives its exit code: 0 when the service has another key. `write` gets each line,
 * its line feed included.
 */
export async function runWebhooksCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): Promise<0 | 1> {
  const [verb, ...options] = words;
  const isImmediate = options[0] === '--immediately';
  if (verb !== 'rotate-key' || options.length > (isImmediate ? 1 : 0)) {
    write(`${usage}\n`);
    return 1;
  }
  const file = join(environment['KEYWRIGHT_DATA_DIR'] ?? './data', 'root-credentials.json');
  try {
    const credentials: Credentials = JSON.parse(await readFile(file, 'utf8'));
    return await rotate(credentials, isImmediate, write);
  } catch (error) {
    // The file, or the connection: what there is to mend stands in the message.
    write(`${file}: ${error instanceof Error ? causeOf(error).message : String(error)}\n`);
    return 1;
  }
}

async function rotate(
  { baseUrl, organizationId, ...key }: Credentials,
  immediately: boolean,
  write: (line: string) => void,
): Promise<0 | 1> {
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_ROTATE_WEBHOOK_KEY',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: { immediately },
  });
  const response = await fetch(`${baseUrl}${callPaths.submit}${operation}`, {
    method: 'POST',
    headers: { 'X-Stamp': stampOf(body, key) },
    body,
  });
  const answer = await response.json();
  if (!response.ok) {
    write(`refused: ${answer.message}\n`);
    return 1;
  }
  const { status, result, fingerprint } = answer.activity;
  const made = result.rotateWebhookKeyResult;
  if (made === undefined) {
    write(`no other key yet: ${status}, others must approve ${fingerprint}\n`);
    return 1;
  }
  write(`the next key is published and signs from ${made.signsFrom}\n`);
  return 0;
}

/** The X-Stamp header of a body: ECDSA on P-256 with SHA-256, in DER and hex. */
function stampOf(
  body: string,
  { apiPublicKey, apiPrivateKey }: Pick<Credentials, 'apiPublicKey' | 'apiPrivateKey'>,
): string {
  const secret = bytesOfHex(apiPrivateKey);
  if (secret?.length !== 32) throw new Error('apiPrivateKey: expected 32 bytes in hex');
  // An EC private key (RFC 5915) within PKCS #8.
  const head = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420';
  const pkcs8 = Buffer.concat([Buffer.from(head, 'hex'), secret]);
  try {
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    const signature = hex(sign('sha256', utf8(body), key));
    const scheme = 'SIGNATURE_SCHEME_TK_API_P256';
    return base64url(utf8(JSON.stringify({ publicKey: apiPublicKey, scheme, signature })));
  } finally {
    wipe(pkcs8);
    wipe(secret);
  }
}

function causeOf(error: Error): Error {
  return error.cause instanceof Error ? causeOf(error.cause) : error;
}
