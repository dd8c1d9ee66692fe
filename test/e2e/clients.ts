// The unmodified clients of the API family for a service under test, and common requests of several test
// files. In a run they are bundled; `every_method.test.ts` and `http.test.ts` use the installed packages.

import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ApiKeyStamper } from '@turnkey/api-key-stamper';
import type { TurnkeyClient } from '@turnkey/http';
import type { TurnkeyServerClient } from '@turnkey/sdk-server';
import { clientPackage } from '../support/compiled_clients.ts';
import type { RunningService } from './service.ts';

const require = createRequire(import.meta.url);

/** A P-256 API key: compressed point and private key, hex. */
export type ApiKeyPair = { readonly apiPublicKey: string; readonly apiPrivateKey: string };

/** Returns a new key, unknown to every service. */
export function newApiKey(): ApiKeyPair {
  const pair = createECDH('prime256v1');
  const apiPublicKey = pair.generateKeys('hex', 'compressed');
  return { apiPublicKey, apiPrivateKey: pair.getPrivateKey('hex').padStart(64, '0') };
}

/** Returns the plain client, which stamps with the root user's key or another key. */
export function httpClient(service: RunningService, key?: ApiKeyPair): TurnkeyClient {
  const { TurnkeyClient } = clientPackage('http');
  return new TurnkeyClient({ baseUrl: service.baseUrl }, stamper(key ?? service.credentials));
}

/** Returns the server client for the first organization or another one. */
export function serverClient(
  service: RunningService,
  {
    key = service.credentials,
    organizationId = service.credentials.organizationId,
  }: ServerUser = {},
): TurnkeyServerClient {
  const { Turnkey } = clientPackage('server');
  return new Turnkey({
    apiBaseUrl: service.baseUrl,
    apiPublicKey: key.apiPublicKey,
    apiPrivateKey: key.apiPrivateKey,
    defaultOrganizationId: organizationId,
  }).apiClient();
}

type ServerUser = { readonly key?: ApiKeyPair; readonly organizationId?: string };

/**
 * Returns a client with the types of another package. Each package has its own copy of an older release,
 * whose types lack operations.
 */
export function asDeclared<Client>(client: TurnkeyClient | TurnkeyServerClient): Client {
  return client as unknown as Client;
}

/** Returns the part of `@turnkey/core` with all operations. Its high-level part requires a browser. */
// biome-ignore lint/suspicious/noExplicitAny: the package declares no types for this part
export async function coreClient({ baseUrl, credentials }: RunningService): Promise<any> {
  const entry = dirname(require.resolve('@turnkey/core'));
  const { TurnkeySDKClientBase } = await import(join(entry, '__generated__/sdk-client-base.mjs'));
  return new TurnkeySDKClientBase({
    apiBaseUrl: baseUrl,
    organizationId: credentials.organizationId,
    authProxyUrl: credentials.authProxyUrl,
    authProxyConfigId: credentials.authProxyConfigId,
    apiKeyStamper: stamper(credentials),
  });
}

/** Returns the client of `@turnkey/core` for wallets, in a session of an organization. */
// biome-ignore lint/suspicious/noExplicitAny: the package has no declarations for this module
export async function coreWallets(httpClient: any, organizationId: string): Promise<any> {
  const entry = dirname(require.resolve('@turnkey/core'));
  const { TurnkeyClient } = await import(join(entry, '__clients__/core.mjs'));
  const client = new TurnkeyClient({ apiBaseUrl: 'https://unused.example', organizationId });
  client.httpClient = httpClient;
  client.storageManager = { getActiveSession: async () => ({ organizationId }) };
  return client;
}

/** Returns a stamper with a P-256 key. */
export function stamper({ apiPublicKey, apiPrivateKey }: ApiKeyPair): ApiKeyStamper {
  const { ApiKeyStamper } = clientPackage('http');
  return new ApiKeyStamper({ apiPublicKey, apiPrivateKey });
}

let lastTimestampMs = 0;

/** Returns the current time, never the same twice, because equal bodies are one activity. */
export function timestampMs(): string {
  lastTimestampMs = Math.max(Date.now(), lastTimestampMs + 1);
  return String(lastTimestampMs);
}

/** Parameters of wallet accounts by their use in tests. */
export const accountParameters = {
  ethereum: account('CURVE_SECP256K1', "m/44'/60'/0'/0/0", 'ADDRESS_FORMAT_ETHEREUM'),
  solana: account('CURVE_ED25519', "m/44'/501'/0'/0'", 'ADDRESS_FORMAT_SOLANA'),
  cosmos: account('CURVE_SECP256K1', "m/44'/118'/0'/0/0", 'ADDRESS_FORMAT_COSMOS'),
  uncompressed: account('CURVE_SECP256K1', "m/44'/118'/0'/0/1", 'ADDRESS_FORMAT_UNCOMPRESSED'),
  tron: account('CURVE_SECP256K1', "m/44'/195'/0'/0/0", 'ADDRESS_FORMAT_TRON'),
} as const;

type AccountParameters = (typeof accountParameters)[keyof typeof accountParameters];

/** Returns the body of a create_wallet request. */
export function walletBody(
  service: RunningService,
  walletName: string,
  accounts: readonly AccountParameters[],
) {
  return {
    type: 'ACTIVITY_TYPE_CREATE_WALLET' as const,
    timestampMs: timestampMs(),
    organizationId: service.credentials.organizationId,
    parameters: { walletName, accounts: [...accounts] },
  };
}

/** Creates a wallet. Returns its ID, and its addresses in the order of the accounts. */
export async function createWallet(
  service: RunningService,
  walletName: string,
  accounts: readonly AccountParameters[],
): Promise<{ readonly walletId: string; readonly addresses: readonly string[] }> {
  const { activity } = await httpClient(service).createWallet(
    walletBody(service, walletName, accounts),
  );
  const result = activity.result.createWalletResult;
  assert(result !== undefined, 'the activity has the result of its type');
  assert.equal(result.addresses.length, accounts.length);
  return result;
}

/** Creates a wallet with one account; returns its address. */
export async function createAddress(
  service: RunningService,
  walletName: string,
  parameters: AccountParameters,
): Promise<string> {
  const { addresses } = await createWallet(service, walletName, [parameters]);
  assert(addresses[0] !== undefined);
  return addresses[0];
}

/** Creates an Ethereum wallet and signs once. Requires that the signature recovers its address. */
export async function signOnce(service: RunningService): Promise<void> {
  const signWith = await createAddress(service, 'Signs once', accountParameters.ethereum);
  const hash = `0x${'5a'.repeat(32)}` as const;
  const { r, s, v } = await serverClient(service).signRawPayload({
    signWith,
    payload: hash,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
  const { recoverAddress, serializeSignature } = await import('viem');
  const signature = serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
  assert.equal(await recoverAddress({ hash, signature }), signWith);
}

/** Creates a private key, and returns its ID. */
export async function createPrivateKey(
  service: RunningService,
  privateKeyName: string,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM' | 'ADDRESS_FORMAT_UNCOMPRESSED',
): Promise<string> {
  const { activity } = await httpClient(service).createPrivateKeys({
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    timestampMs: timestampMs(),
    organizationId: service.credentials.organizationId,
    parameters: {
      privateKeys: [
        {
          privateKeyName,
          curve: 'CURVE_SECP256K1',
          privateKeyTags: [],
          addressFormats: [addressFormat],
        },
      ],
    },
  });
  const privateKeyId = activity.result.createPrivateKeysResultV2?.privateKeys[0]?.privateKeyId;
  assert(privateKeyId !== undefined);
  return privateKeyId;
}

/** Returns true if an error is the refusal with this gRPC number and code, as clients read it. */
export function isRefusal(code: number, machineCode: string, message?: RegExp) {
  return (error: unknown): true => {
    // Each package has its own copy of the class, so compare its name and form.
    assert(error instanceof Error && 'code' in error && 'details' in error, String(error));
    assert.equal(error.name, 'TurnkeyRequestError');
    assert.equal(error.code, code, error.message);
    assert(Array.isArray(error.details));
    const machineCodes = error.details.flatMap((detail) => detail.turnkeyErrorCode ?? []);
    assert.deepEqual(machineCodes, [machineCode], error.message);
    if (message !== undefined) assert.match(error.message, message);
    return true;
  };
}

function account<Curve extends string, Format extends string>(
  curve: Curve,
  path: string,
  addressFormat: Format,
) {
  return { curve, pathFormat: 'PATH_FORMAT_BIP32', path, addressFormat } as const;
}
