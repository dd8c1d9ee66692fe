// Two services on one PostgreSQL database, each with its own data directory and a copy of the root key, and
// common requests of tests.

import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TurnkeyClient } from '@turnkey/http';
import { type ApiKeyPair, httpClient, newApiKey, serverClient, timestampMs } from './clients.ts';
import {
  type RunningService,
  readCredentials,
  startService,
  temporaryDirectory,
} from './service.ts';

export type Nodes = readonly [RunningService, RunningService];
export type StampedRequest = Awaited<ReturnType<TurnkeyClient['stampCreateWallet']>>;
export type Answer = { readonly status: number; readonly text: string };

/** The initial content of `root-credentials.json` in a new data directory. */
export const otherCredentials = newApiKey();

/**
 * Creates a data directory with a root key and credentials of another database. A node replaces these only
 * if it creates the first organization.
 */
export function nodeDirectory(rootKey: Uint8Array): string {
  const path = join(temporaryDirectory(), 'data');
  mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(path, 'root.key'), rootKey, { mode: 0o600 });
  const credentials = JSON.stringify(otherCredentials);
  writeFileSync(join(path, 'root-credentials.json'), credentials, { mode: 0o600 });
  return path;
}

/** Starts both nodes at the same time. Both get the credentials that one of them wrote. */
export async function startNodes(
  databaseUrl: string,
  rootKey: Uint8Array = randomBytes(32),
  environment: Readonly<Record<string, string>> = {},
): Promise<Nodes> {
  const start = (): Promise<RunningService> =>
    startService({
      dataDirectory: nodeDirectory(rootKey),
      environment: { ...environment, KEYWRIGHT_DATABASE_URL: databaseUrl },
    });
  const [first, second] = await Promise.all([start(), start()]);
  const { dataDirectory } = wroteCredentials(first) ? first : second;
  const credentials = readCredentials(dataDirectory);
  const known = (node: RunningService): RunningService => ({
    ...node,
    credentials: { ...credentials, baseUrl: node.baseUrl },
  });
  return [known(first), known(second)];
}

/** Returns true if this node created the first organization. */
export function wroteCredentials({ dataDirectory }: RunningService): boolean {
  return readCredentials(dataDirectory).apiPublicKey !== otherCredentials.apiPublicKey;
}

/** A sub-organization with an address and two root users. The second user has two keys. */
export type Customer = {
  readonly organizationId: string;
  readonly owner: ApiKeyPair;
  readonly ownerId: string;
  readonly signer: ApiKeyPair;
  readonly signerId: string;
  readonly address: string;
};

/** Creates the sub-organization on one node. */
export async function newCustomer(node: RunningService): Promise<Customer> {
  const [owner, signer, spare] = [newApiKey(), newApiKey(), newApiKey()];
  const rootUser = (userName: string, keys: readonly ApiKeyPair[]) => ({
    userName,
    apiKeys: keys.map(({ apiPublicKey }, i) => ({
      apiKeyName: `Key ${i}`,
      publicKey: apiPublicKey,
      curveType: 'API_KEY_CURVE_P256' as const,
    })),
    authenticators: [],
    oauthProviders: [],
  });
  const { subOrganizationId, rootUserIds = [] } = await serverClient(node).createSubOrganization({
    timestampMs: timestampMs(),
    subOrganizationName: 'Customer',
    rootQuorumThreshold: 1,
    rootUsers: [rootUser('Owner', [owner]), rootUser('Signer', [signer, spare])],
  });
  const organizationId = subOrganizationId;
  const client = serverClient(node, { key: owner, organizationId });
  const { addresses } = await client.createWallet({
    timestampMs: timestampMs(),
    walletName: 'Wallet',
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  });
  const [ownerId = '', signerId = ''] = rootUserIds;
  const [address = ''] = addresses;
  return { organizationId, owner, ownerId, signer, signerId, address };
}

/** Returns the body of a signature, different each time. */
export function signatureOf({
  organizationId,
  address,
}: Pick<Customer, 'organizationId' | 'address'>) {
  const now = timestampMs();
  return {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' as const,
    timestampMs: now,
    organizationId,
    parameters: {
      signWith: address,
      payload: now,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' as const,
      hashFunction: 'HASH_FUNCTION_SHA256' as const,
    },
  };
}

/** Stamps a signature with the signer's key. */
export function stampSignature(node: RunningService, customer: Customer): Promise<StampedRequest> {
  return httpClient(node, customer.signer).stampSignRawPayload(signatureOf(customer));
}

/** Sends a stamped request to any node. */
export async function post(
  { url, body, stamp }: StampedRequest,
  { baseUrl }: RunningService,
): Promise<Answer> {
  const response = await fetch(new URL(new URL(url).pathname, baseUrl), {
    method: 'POST',
    headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue },
    body,
  });
  return { status: response.status, text: await response.text() };
}
