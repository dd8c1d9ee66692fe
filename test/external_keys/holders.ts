// The holders of external keys under test: one in memory, SoftHSM2 by PKCS #11, and an emulator of AWS KMS.
// SoftHSM2 and the emulator run behind the socket of a key holder.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOfHex, concatBytes, hex } from '../../src/core/base/bytes.ts';
import type { CurveName } from '../../src/core/base/enums.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { p256 } from '../../src/core/crypto/p256.ts';
import { fail } from '../../src/core/errors/errors.ts';
import type { ExternalServices } from '../../src/core/external/external_services.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createServiceKeys } from '../../src/enclave/keys/service_keys.ts';
import { createKeyHolderClient } from '../../src/gateway/key_holder/ask_key_holder.ts';
import { readHolderKeys } from '../../src/gateway/key_holder/keys_file.ts';
import { createOrders } from '../../src/gateway/key_holder/orders.ts';
import { serveKeyHolder } from '../../src/gateway/key_holder/serve_key_holder.ts';
import { temporaryDirectory, until } from '../e2e/service.ts';
import { freePort } from '../support/free_port.ts';
import { startMs, testKey, testRootKey } from '../support/harness.ts';

/** A test or a file, at whose end something stops. */
type Ending = { after(stop: () => unknown): void };

export type OrderSignatures = ExternalServices['orderSignatures'];

export type HolderKey = { readonly curve: CurveName; readonly publicKey: string };

export type StartedHolder = {
  readonly keys: readonly HolderKey[];
  /** Returns the access to the keys for one organization. */
  readonly serve: (organizationId: string) => Promise<OrderSignatures>;
};

export type TestHolder = {
  readonly name: 'memory' | 'pkcs11' | 'aws-kms';
  readonly curves: readonly CurveName[];
  /** The programs that the holder needs. */
  readonly programs: readonly string[];
  /** Starts the holder until `after` of a test or a file. */
  readonly start: (t: Ending) => Promise<StartedHolder>;
};

/** The public key of `key_orders`, the service key of all test services: 65 bytes. */
export function testAuthority(): Uint8Array {
  const none = () => assert.fail('nothing random is needed');
  const rootKeys = createRootKeys(testRootKey());
  return createServiceKeys(rootKeys, none).publicKey('key_orders');
}

const everyCurve: readonly CurveName[] = ['CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'];

export const holders: readonly TestHolder[] = [
  {
    name: 'memory',
    curves: everyCurve,
    programs: [],
    start: async () => ({
      keys: everyCurve.map((curve) => ({ curve, publicKey: hex(memoryKey(curve).publicKey) })),
      serve: async () => memoryHolder(),
    }),
  },
  {
    name: 'pkcs11',
    curves: everyCurve,
    programs: ['softhsm2-util', 'pkcs11-tool'],
    start: startSoftHsm,
  },
  {
    name: 'aws-kms',
    curves: ['CURVE_SECP256K1', 'CURVE_P256'],
    programs: ['aws', 'local-kms'],
    start: startKms,
  },
];

/** Returns the reason to skip the tests of a holder. */
export function missingFor({ programs }: TestHolder): string | undefined {
  const absent = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  return absent.length === 0 ? undefined : `needs ${absent.join(', ')}`;
}

/** Returns the key of this curve in the holder in memory. */
export function memoryKey(curve: CurveName, name = 'memory') {
  const { privateKey } = testKey(`${name} ${curve}`);
  return { privateKey, publicKey: curves[curve].publicKeyOf(privateKey) };
}

/**
 * Creates a holder that follows the orders of the test service, with a clock at the time at which tests
 * start.
 */
export function memoryHolder({
  name = 'memory',
  clock = () => startMs,
}: {
  readonly name?: string;
  readonly clock?: () => number;
} = {}): OrderSignatures {
  const authority = p256.parsePublicKey(testAuthority()) ?? assert.fail();
  const accept = createOrders(authority, clock);
  return async (signed) => {
    const order = accept(signed);
    if ('refusal' in order) return fail('external_signer_unavailable', { reason: order.refusal });
    const { curve, signedBytes } = order;
    const { privateKey } = memoryKey(curve, name);
    const signatures = signedBytes.map((bytes) => {
      const { r, s } = curves[curve].sign(privateKey, bytes);
      return concatBytes(r, s);
    });
    return { heldBy: 'command', signatures };
  };
}

/** Serves the keys of a file at a socket, and returns the gateway's access to it. */
export async function serveFile(
  t: Ending,
  file: object,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OrderSignatures> {
  const socket = join(temporaryDirectory(), 'holder.sock');
  const keys = readHolderKeys(JSON.stringify({ authority: hex(testAuthority()), ...file }));
  const parts = { environment, log: () => undefined, clock: () => startMs };
  const server = await serveKeyHolder(socket, keys, parts);
  t.after(() => server.stop());
  return createKeyHolderClient(socket, () => undefined);
}

const pin = '271828';
export const softHsmModule = '/usr/lib/softhsm/libsofthsm2.so';

/** Creates a token of SoftHSM2 in a new folder. Returns the environment of its commands. */
export function newToken(): { readonly SOFTHSM2_CONF: string; readonly PKCS11_PIN: string } {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'tokens'));
  const SOFTHSM2_CONF = join(folder, 'softhsm2.conf');
  writeFileSync(SOFTHSM2_CONF, `directories.tokendir = ${join(folder, 'tokens')}\n`);
  const words = ['--init-token', '--free', '--label', 'keywright', '--so-pin', '314159'];
  const env = { ...process.env, SOFTHSM2_CONF };
  execFileSync('softhsm2-util', [...words, '--pin', pin], { env, stdio: 'pipe' });
  return { SOFTHSM2_CONF, PKCS11_PIN: pin };
}

const moduleCurves: Readonly<Record<CurveName, string>> = {
  CURVE_SECP256K1: 'secp256k1',
  CURVE_P256: 'prime256v1',
  CURVE_ED25519: 'edwards25519',
};

/** Creates a key in the token. Returns its public key in hex; an ECDSA key is uncompressed. */
export function newTokenKey(
  curve: CurveName,
  id: string,
  environment: Readonly<Record<string, string>>,
): string {
  const token = ['--module', softHsmModule, '--token-label', 'keywright'];
  const login = [...token, '--login', '--pin', 'env:PKCS11_PIN'];
  const type = `EC:${moduleCurves[curve]}`;
  const made = ['--keypairgen', '--key-type', type, '--id', id, '--label', id];
  const env = { ...process.env, ...environment };
  const output = execFileSync('pkcs11-tool', [...login, ...made], { env, encoding: 'utf8' });
  // The point is in an octet string.
  const [, point] = /EC_POINT:\s+04(?:41|20)([0-9a-f]+)/.exec(output) ?? [];
  return point ?? assert.fail(output);
}

async function startSoftHsm(t: Ending): Promise<StartedHolder> {
  const environment = newToken();
  const made = everyCurve.map((curve, i) => {
    const id = `0${i + 1}`;
    return { curve, id, publicKey: newTokenKey(curve, id, environment) };
  });
  const member = { holder: 'pkcs11', module: softHsmModule, token: 'keywright' };
  return {
    keys: made,
    serve: (organizationId) => {
      const keys = made.map((key) => ({ organizationId, ...key, ...member }));
      const names = Object.keys(environment);
      return serveFile(t, { environment: names, keys }, { ...process.env, ...environment });
    },
  };
}

async function startKms(t: Ending): Promise<StartedHolder> {
  const port = String(await freePort());
  const settings = { PORT: port, KMS_REGION: 'eu-central-1', KMS_DATA_PATH: temporaryDirectory() };
  const emulator = spawn('local-kms', { env: { ...process.env, ...settings }, stdio: 'ignore' });
  t.after(() => emulator.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await until('the emulator answers', async () => (await fetch(url)).status > 0);
  const environment = {
    AWS_ENDPOINT_URL: url,
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const env = { ...process.env, ...environment };
  /** Requests an action, as the program `aws` does. The program itself takes half a second to start. */
  const request = async (action: string, parameters: object) => {
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `TrentService.${action}`,
    };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(parameters) });
    assert.equal(answer.status, 200);
    return JSON.parse(await answer.text());
  };
  const specs = { CURVE_SECP256K1: 'ECC_SECG_P256K1', CURVE_P256: 'ECC_NIST_P256' } as const;
  const made: (HolderKey & { readonly keyId: string })[] = [];
  for (const curve of ['CURVE_SECP256K1', 'CURVE_P256'] as const) {
    const spec = { KeyUsage: 'SIGN_VERIFY', KeySpec: specs[curve] };
    const { KeyId: keyId } = (await request('CreateKey', spec)).KeyMetadata;
    const text: string = (await request('GetPublicKey', { KeyId: keyId })).PublicKey;
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    const der = key.export({ format: 'der', type: 'spki' });
    made.push({ curve, keyId, publicKey: hex(der.subarray(-65)) });
  }
  const program = execFileSync('which', ['aws'], { encoding: 'utf8' }).trim();
  return {
    keys: made,
    serve: (organizationId) => {
      const keys = made.map((key) => ({ organizationId, ...key, holder: 'aws-kms', program }));
      return serveFile(t, { environment: Object.keys(environment), keys }, env);
    },
  };
}

/** The public key as the service stores it. */
export function storedKey({ curve, publicKey }: HolderKey): string {
  const bytes = bytesOfHex(publicKey);
  return hex((bytes && curves[curve].parsePublicKey(bytes)) ?? assert.fail(publicKey));
}
