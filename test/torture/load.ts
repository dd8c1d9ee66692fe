// The load on the service while it is killed: concurrent clients create and change their own things in one
// organization, and sometimes query them.

import { setTimeout as pause } from 'node:timers/promises';
import { testKey } from '../support/harness.ts';
import { type Entry, type Member, newEntry, sendEntry } from './ledger.ts';

export type Client = {
  readonly member: Member;
  readonly name: string;
  /** The wallets of this client, each with the index of its next account. */
  readonly wallets: { readonly walletId: string; readonly address: string; nextIndex: number }[];
  readonly apiKeyIds: string[];
  readonly privateKeyIds: string[];
};

export type LoadOptions = {
  readonly baseUrl: () => string;
  readonly root: Member;
  readonly clients: readonly Client[];
  /** All entries so far; the load adds new ones. */
  readonly ledger: Entry[];
  readonly random: (below: number) => number;
  /** The number of steps after which `enough` settles. */
  readonly enoughSteps: number;
};

type RunningLoad = LoadOptions & { readonly isStopping: () => boolean };

export type Load = {
  /** Settles after this number of steps, or when one fails. */
  readonly enough: Promise<void>;
  /** Stops all clients. Settles when the open requests have ended in any way. */
  stop(): Promise<void>;
};

/** The number of wallets of a client. The organization may have 100. */
const walletsOfClient = 10;
const apiKeysOfClient = 4;
const privateKeysOfClient = 4;

/** Starts all clients at once. */
export function startLoad(options: LoadOptions): Load {
  let isStopping = false;
  let taken = 0;
  const enough = Promise.withResolvers<void>();
  const running = options.clients.map(async (client) => {
    while (!isStopping) {
      await takeStep(client, { ...options, isStopping: () => isStopping });
      taken += 1;
      if (taken >= options.enoughSteps) enough.resolve();
    }
  });
  const all = Promise.all(running);
  all.catch((error: unknown) => {
    isStopping = true;
    enough.reject(error);
  });
  return {
    enough: enough.promise,
    stop: async () => {
      isStopping = true;
      await all;
    },
  };
}

/** Returns an Ethereum account at an index. */
export const accountAt = (index: number) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: `m/44'/60'/0'/0/${index}`,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
});

export const apiKeyOf = (name: string) => ({
  apiKeyName: name,
  publicKey: testKey(name).publicKey,
  curveType: 'API_KEY_CURVE_P256',
});

/**
 * Creates an entry for a sub-organization with these root users, each with one key, and a wallet of two
 * accounts.
 */
export function newSubOrganization(
  name: string,
  userNames: readonly string[],
  root: Member,
): Entry {
  return newEntry(
    'create_sub_organization',
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    {
      subOrganizationName: name,
      rootQuorumThreshold: 1,
      rootUsers: userNames.map((userName) => ({
        userName,
        apiKeys: [apiKeyOf(userName)],
        authenticators: [],
        oauthProviders: [],
      })),
      wallet: { walletName: `First of ${name}`, accounts: [accountAt(0), accountAt(1)] },
    },
    root,
  );
}

/**
 * Creates an entry for a webhook endpoint for all activities since its creation, whose receiver does not
 * answer.
 */
export function newEndpoint(by: Pick<Member, 'organizationId' | 'key'>): Entry {
  const subscriptions = [{ eventType: 'ACTIVITY_UPDATES' }];
  return newEntry(
    'create_webhook_endpoint',
    'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
    { url: 'http://127.0.0.1:1/', name: 'Hook', subscriptions },
    by,
  );
}

type Step = (client: Client, options: RunningLoad) => Promise<void>;

/** The steps of a client; common ones are listed several times. */
const steps: readonly Step[] = [
  makeWallet,
  makeWallet,
  makeAccounts,
  makeAccounts,
  renameWallet,
  renameWallet,
  sign,
  sign,
  sign,
  deleteWallet,
  makeApiKeys,
  deleteApiKeys,
  makePrivateKeys,
  deletePrivateKeys,
  makeSubOrganization,
  repeat,
];

async function takeStep(client: Client, options: RunningLoad): Promise<void> {
  const step = steps[options.random(steps.length)] ?? repeat;
  await step(client, options);
}

async function makeWallet(client: Client, options: RunningLoad): Promise<void> {
  if (client.wallets.length >= walletsOfClient) return sign(client, options);
  const { member } = client;
  const parameters = {
    walletName: nextName(client, options),
    accounts: [accountAt(0), accountAt(1), accountAt(2)],
  };
  const take: Entry['take'] = ({ createWalletResult: { walletId, addresses } }) => {
    client.wallets.push({ walletId, address: addresses[0], nextIndex: 3 });
  };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  await done(newEntry('create_wallet', type, parameters, member, take), options);
}

async function deleteWallet(client: Client, options: RunningLoad): Promise<void> {
  // The last wallet stays for signatures.
  const wallet = client.wallets.length > 1 ? client.wallets.shift() : undefined;
  if (wallet === undefined) return makeWallet(client, options);
  const parameters = { walletIds: [wallet.walletId], deleteWithoutExport: true };
  const type = 'ACTIVITY_TYPE_DELETE_WALLETS';
  await done(newEntry('delete_wallets', type, parameters, client.member), options);
}

async function makeAccounts(client: Client, options: RunningLoad): Promise<void> {
  const wallet = someOf(client.wallets, options);
  if (wallet === undefined) return makeWallet(client, options);
  const accounts = [accountAt(wallet.nextIndex), accountAt(wallet.nextIndex + 1)];
  wallet.nextIndex += 2;
  const parameters = { walletId: wallet.walletId, accounts };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS';
  await done(newEntry('create_wallet_accounts', type, parameters, client.member), options);
}

async function renameWallet(client: Client, options: RunningLoad): Promise<void> {
  const wallet = someOf(client.wallets, options);
  if (wallet === undefined) return makeWallet(client, options);
  const parameters = { walletId: wallet.walletId, walletName: nextName(client, options) };
  const type = 'ACTIVITY_TYPE_UPDATE_WALLET';
  await done(newEntry('update_wallet', type, parameters, client.member), options);
}

async function sign(client: Client, options: RunningLoad): Promise<void> {
  const wallet = someOf(client.wallets, options);
  if (wallet === undefined) return makeSubOrganization(client, options);
  const parameters = {
    signWith: wallet.address,
    payload: nextName(client, options),
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  };
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  await done(newEntry('sign_raw_payload', type, parameters, client.member), options);
}

async function makeApiKeys(client: Client, options: RunningLoad): Promise<void> {
  if (client.apiKeyIds.length >= apiKeysOfClient) return deleteApiKeys(client, options);
  const { member } = client;
  const apiKeys = [0, 1].map((i) => apiKeyOf(`${nextName(client, options)}/${i}`));
  const parameters = { userId: member.userId, apiKeys };
  const take: Entry['take'] = ({ createApiKeysResult }) => {
    client.apiKeyIds.push(...createApiKeysResult.apiKeyIds);
  };
  const type = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2';
  await done(newEntry('create_api_keys', type, parameters, member, take), options);
}

async function deleteApiKeys(client: Client, options: RunningLoad): Promise<void> {
  const apiKeyIds = client.apiKeyIds.splice(0);
  if (apiKeyIds.length === 0) return makeApiKeys(client, options);
  const { member } = client;
  const parameters = { userId: member.userId, apiKeyIds };
  await done(
    newEntry('delete_api_keys', 'ACTIVITY_TYPE_DELETE_API_KEYS', parameters, member),
    options,
  );
}

async function makePrivateKeys(client: Client, options: RunningLoad): Promise<void> {
  if (client.privateKeyIds.length >= privateKeysOfClient) return deletePrivateKeys(client, options);
  const name = nextName(client, options);
  const privateKeys = [0, 1].map((i) => ({
    privateKeyName: `${name}/${i}`,
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  }));
  const take: Entry['take'] = ({ createPrivateKeysResultV2 }) => {
    for (const { privateKeyId } of createPrivateKeysResultV2.privateKeys) {
      client.privateKeyIds.push(privateKeyId);
    }
  };
  const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2';
  const entry = newEntry('create_private_keys', type, { privateKeys }, client.member, take);
  await done(entry, options);
}

async function deletePrivateKeys(client: Client, options: RunningLoad): Promise<void> {
  const privateKeyIds = client.privateKeyIds.splice(0);
  if (privateKeyIds.length === 0) return makePrivateKeys(client, options);
  const parameters = { privateKeyIds, deleteWithoutExport: true };
  const type = 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS';
  await done(newEntry('delete_private_keys', type, parameters, client.member), options);
}

async function makeSubOrganization(client: Client, options: RunningLoad): Promise<void> {
  const name = nextName(client, options);
  await done(newSubOrganization(name, [`User of ${name}`], options.root), options);
}

/** Repeats an earlier request of any client. */
async function repeat(_: Client, options: RunningLoad): Promise<void> {
  const entry = someOf(options.ledger, options);
  if (entry !== undefined) await sendEntry(options.baseUrl(), entry);
}

/**
 * Adds an entry and sends it, sometimes twice at once, until it is acknowledged or the load ends. A client
 * waits for an acknowledgement before its next request.
 */
async function done(entry: Entry, options: RunningLoad): Promise<void> {
  options.ledger.push(entry);
  const times = options.random(4) === 0 ? 2 : 1;
  const sent = Array.from({ length: times }, () => sendEntry(options.baseUrl(), entry));
  await Promise.all(sent);
  while (entry.acknowledged === undefined && !options.isStopping()) {
    await pause(20);
    await sendEntry(options.baseUrl(), entry);
  }
}

/** Returns a unique name, because the ledger only grows. */
function nextName({ name }: Client, { ledger, random }: LoadOptions): string {
  return `${name} ${ledger.length} ${random(2 ** 32)}`;
}

function someOf<Item>(items: readonly Item[], { random }: LoadOptions): Item | undefined {
  return items[random(Math.max(items.length, 1))];
}
