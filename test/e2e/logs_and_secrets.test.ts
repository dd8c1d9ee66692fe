// Searches all output of the service for texts that must not leave the enclave in the clear: keys, payloads
// and names. The test uses each of them before the search.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import type { TurnkeyClient } from '@turnkey/http';
import { toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { bytesOfBase64url } from '../../src/core/base/bytes.ts';
import type { OrganizationState } from '../../src/core/organization/state.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createRecordCodec } from '../../src/enclave/records/record_codec.ts';
import { createRepository } from '../../src/enclave/records/repository.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { freePort } from '../support/free_port.ts';
import { startCollector } from '../support/otlp_collector.ts';
import { accountParameters, httpClient, newApiKey, timestampMs } from './clients.ts';
import { type RunningService, startService, temporaryDirectory, until } from './service.ts';
import { type Canary, canaryOfBytes, canaryOfText, tracesOf, type Written } from './traces.ts';

/** The names of all kinds of things. None contains another. */
const names = {
  organization: nameOf('organization'),
  user: nameOf('user'),
  email: `${nameOf('email')}@example.com`,
  tag: nameOf('tag'),
  apiKey: nameOf('key'),
  wallet: nameOf('wallet'),
  account: nameOf('account'),
  privateKey: nameOf('private'),
};
const payloads = { text: nameOf('payload'), bytes: randomBytes(32), typed: nameOf('typed') };
const refusedText = nameOf('refused');
const inventedOperation = nameOf('operation');

let secrets: readonly Canary[];
let stamps: readonly Canary[];
let logs: readonly Written[];
let metrics: Written;
let traces: readonly Written[];
let spanNames: readonly string[];
let errorBodies: readonly Written[];
let databaseFiles: readonly Written[];

before(async () => {
  const dataDirectory = temporaryDirectory();
  const metricsPort = await freePort();
  const collector = await startCollector();
  const service = await startService({
    dataDirectory,
    environment: {
      KEYWRIGHT_METRICS_PORT: String(metricsPort),
      KEYWRIGHT_LOG_LEVEL: 'trace',
      KEYWRIGHT_TRACES_URL: collector.url,
    },
  });
  const made = await useEverything(service);
  errorBodies = await provokeRefusals(service);
  stamps = made.stamps;
  await until('spans are sent', async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const text = await response.text();
    metrics = { where: 'the metrics', bytes: Buffer.from(text) };
    return text.includes('keywright_trace_spans_total{outcome="sent"}');
  });
  const whileRunning = readDatabase(dataDirectory, 'while it runs');
  await service.stop();
  traces = collector.bodies.map((bytes) => ({ where: 'the traces', bytes }));
  spanNames = collector.spans().map(({ name }) => name);
  collector.stop();
  databaseFiles = [...whileRunning, ...readDatabase(dataDirectory, 'after the end')];
  const { stdout, stderr } = service.output();
  logs = [
    { where: 'the standard output', bytes: Buffer.from(stdout) },
    { where: 'the standard error', bytes: Buffer.from(stderr) },
  ];
  secrets = await readSecrets(service, made);
});

test('the search finds a value in each of its forms', () => {
  const value = randomBytes(20);
  for (const shift of [0, 1, 2]) {
    const longer = Buffer.concat([randomBytes(shift), value, randomBytes(7)]);
    const upperCase = longer.toString('hex').toUpperCase();
    const forms = [
      longer,
      ...[
        upperCase,
        ...(['hex', 'base64', 'base64url'] as const).map((e) => longer.toString(e)),
      ].map((text) => Buffer.from(text)),
    ];
    for (const bytes of forms) {
      const canary = canaryOfBytes('value', value);
      assert.equal(tracesOf([canary], [{ where: 'here', bytes }]).length, 1);
      assert.deepEqual(
        tracesOf([canaryOfBytes('other', randomBytes(20))], [{ where: '', bytes }]),
        [],
      );
    }
  }
});

test('all searched outputs have content', () => {
  const [stdout] = logs;
  assert.match(String(stdout?.bytes), /"operation":"create_wallet"/);
  assert.match(String(stdout?.bytes), /"operation":"sign_raw_payload"/);
  const uuid = '[0-9a-f-]{36}';
  const signed = String(stdout?.bytes)
    .split('\n')
    .find(
      (line) => line.includes('"operation":"sign_raw_payload"') && line.includes('"status":200'),
    );
  for (const field of ['organizationId', 'userId', 'userOrganizationId', 'credentialId']) {
    assert.match(signed ?? '', new RegExp(`"${field}":"${uuid}"`));
  }
  assert.match(signed ?? '', /"source":"127\.0\.0\.1"/);
  assert.match(String(metrics.bytes), /^keywright_requests_total\{.*operation="create_wallet"/m);
  const stages = [
    ...String(metrics.bytes).matchAll(/stage_duration_seconds_count\{.*stage="(\w+)"/g),
  ];
  for (const stage of ['turn', 'verify_stamp', 'load', 'execute', 'commit', 'query', 'answer']) {
    assert(
      stages.some(([, name]) => name === stage),
      `the metrics tell of ${stage}`,
    );
  }
  assert.match(String(metrics.bytes), /^keywright_enclave_resident_memory_bytes [1-9]\d{6,}$/m);
  assert.match(String(metrics.bytes), /^keywright_store_batch_duration_seconds_count [1-9]/m);
  assert.match(
    String(metrics.bytes),
    /^keywright_prepared_answers_total\{outcome="committed"\} [1-9]/m,
  );
  for (const name of ['submit create_wallet', 'submit sign_raw_payload', 'submit unknown']) {
    assert(spanNames.includes(name), `the traces tell of ${name}`);
  }
  assert.match(String(metrics.bytes), /^keywright_trace_spans_total\{outcome="sent"\} [1-9]/m);
  assert(databaseFiles.some(({ where }) => where.startsWith('keywright.sqlite-wal')));
  assert(databaseFiles.some(({ where, bytes }) => /\.sqlite /.test(where) && bytes.length > 0));
  assert(errorBodies.length >= 8);
});

test('logs contain no key, no stamp, no payload and no name', () => {
  assert.deepEqual(tracesOf([...secrets, ...stamps, ...textsAndNames()], logs), []);
});

test('metrics contain no key, no stamp, no payload and no name', () => {
  assert.deepEqual(tracesOf([...secrets, ...stamps, ...textsAndNames()], [metrics]), []);
});

test('traces contain no key, no stamp, no payload and no name', () => {
  assert.deepEqual(tracesOf([...secrets, ...stamps, ...textsAndNames()], traces), []);
});

test('invented texts of callers appear in no logs, metrics or traces', () => {
  const invented = canaryOfText('an invented operation', inventedOperation);
  assert.deepEqual(tracesOf([invented], [...logs, metrics, ...traces]), []);
});

test('error bodies contain no key, no payload and no name', () => {
  assert.deepEqual(tracesOf([...secrets, ...textsAndNames()], errorBodies), []);
});

test('the database contains no key, no payload and no name in the clear', () => {
  assert.deepEqual(tracesOf([...secrets, ...textsAndNames()], databaseFiles), []);
});

/** Payloads and names in their original form. */
function textsAndNames(): readonly Canary[] {
  return [
    ...Object.entries(names).map(([what, name]) => canaryOfText(`the name of the ${what}`, name)),
    canaryOfText('a payload', payloads.text),
    canaryOfBytes('a payload of bytes', payloads.bytes),
    canaryOfText('typed data', payloads.typed),
    canaryOfText('a refused text', refusedText),
  ];
}

type Made = {
  readonly childId: string;
  readonly childAddress: string;
  readonly address: string;
  readonly privateKeyAddress: string;
  readonly stamps: readonly Canary[];
};

/** Uses each kind of thing with a name or a secret. */
async function useEverything(service: RunningService): Promise<Made> {
  const { organizationId } = service.credentials;
  const stamped: Canary[] = [];
  const client = httpClient(service);
  const stamper = client.stamper;
  client.stamper = {
    stamp: async (body) => {
      const stamp = await stamper.stamp(body);
      stamped.push(canaryOfText('a stamp', stamp.stampHeaderValue));
      const { signature } = JSON.parse(Buffer.from(stamp.stampHeaderValue, 'base64url').toString());
      stamped.push(canaryOfBytes("a stamp's signature", Buffer.from(signature, 'hex')));
      return stamp;
    },
  };
  const envelope = () => ({ timestampMs: timestampMs(), organizationId });
  const account = { ...accountParameters.ethereum, name: names.account };
  const wallet = { walletName: names.wallet, accounts: [account] };
  const apiKey = {
    apiKeyName: names.apiKey,
    publicKey: newApiKey().apiPublicKey,
    curveType: 'API_KEY_CURVE_P256' as const,
  };
  const user = {
    userName: names.user,
    userEmail: names.email,
    apiKeys: [apiKey],
    authenticators: [],
    oauthProviders: [],
  };

  const createdTag = await client.createUserTag({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    ...envelope(),
    parameters: { userTagName: names.tag, userIds: [] },
  });
  const userTagId = createdTag.activity.result.createUserTagResult?.userTagId;
  assert(userTagId !== undefined);
  await client.createUsers({
    type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
    ...envelope(),
    parameters: { users: [{ ...user, userTags: [userTagId] }] },
  });
  const createdChild = await client.createSubOrganization({
    type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    ...envelope(),
    parameters: {
      subOrganizationName: names.organization,
      rootQuorumThreshold: 1,
      rootUsers: [user],
      wallet,
    },
  });
  const child = createdChild.activity.result.createSubOrganizationResultV8;
  const createdWallet = await client.createWallet({
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    ...envelope(),
    parameters: wallet,
  });
  const address = createdWallet.activity.result.createWalletResult?.addresses[0];
  const createdKey = await client.createPrivateKeys({
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    ...envelope(),
    parameters: {
      privateKeys: [
        {
          privateKeyName: names.privateKey,
          curve: 'CURVE_SECP256K1',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
        },
      ],
    },
  });
  const [privateKey] = createdKey.activity.result.createPrivateKeysResultV2?.privateKeys ?? [];
  const privateKeyAddress = privateKey?.addresses?.[0]?.address;
  assert(child !== undefined && address !== undefined && privateKeyAddress !== undefined);
  await signEverything(client, organizationId, [address, privateKeyAddress]);

  await client.getWhoami({ organizationId });
  await client.getUsers({ organizationId });
  await client.getWallets({ organizationId });
  await client.getWalletAccounts({ organizationId });
  await client.getActivities({ organizationId });
  await client.getWallets({ organizationId: child.subOrganizationId });
  return {
    childId: child.subOrganizationId,
    childAddress: child.wallet?.addresses[0] ?? '',
    address,
    privateKeyAddress,
    stamps: stamped,
  };
}

async function signEverything(
  client: TurnkeyClient,
  organizationId: string,
  signers: readonly string[],
): Promise<void> {
  const typedData = {
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    domain: { name: 'Test' },
    message: { text: payloads.typed },
  };
  const samples = [
    {
      payload: payloads.text,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    },
    {
      payload: payloads.bytes.toString('hex'),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    },
    {
      payload: JSON.stringify(typedData),
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    },
  ] as const;
  for (const signWith of signers) {
    for (const sample of samples) {
      await client.signRawPayload({
        type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
        timestampMs: timestampMs(),
        organizationId,
        parameters: { signWith, ...sample },
      });
    }
  }
}

/** Sends requests with secret texts that the service refuses. */
async function provokeRefusals(service: RunningService): Promise<Written[]> {
  const { organizationId } = service.credentials;
  const client = httpClient(service);
  const signing = (parameters: object) => ({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: {
      signWith: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
      payload: refusedText,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
      ...parameters,
    },
  });
  const making = (parameters: object) => ({
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { walletName: names.wallet, accounts: [], ...parameters },
  });
  const { wallets } = await client.getWallets({ organizationId });
  const accounts = await client.getWalletAccounts({ organizationId });
  const signWith = accounts.accounts[0]?.address;
  assert(wallets.length > 0 && signWith !== undefined);
  const bodies: readonly (readonly [string, unknown])[] = [
    ['submit/sign_raw_payload', signing({})],
    ['submit/sign_raw_payload', signing({ signWith })],
    ['submit/sign_raw_payload', signing({ signWith, encoding: 'PAYLOAD_ENCODING_EIP712' })],
    [
      'submit/sign_raw_payload',
      signing({ signWith, encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION' }),
    ],
    ['submit/sign_raw_payload', signing({ signWith, encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' })],
    ['submit/sign_raw_payload', signing({ signWith, encoding: 'PAYLOAD_ENCODING_NONE' })],
    ['submit/sign_raw_payload', signing({ signWith, payload: [refusedText] })],
    ['submit/sign_raw_payload', signing({ signWith, payload: { text: refusedText } })],
    ['submit/sign_raw_payload', { ...signing({}), timestampMs: '1' }],
    ['submit/create_wallet', making({ accounts: 'none' })],
    ['submit/create_wallet', making({ walletName: [names.wallet] })],
    ['submit/create_wallet', making({ walletName: names.wallet.repeat(20) })],
    ['submit/create_wallet', making({ mnemonicLength: 13 })],
    ['query/list_wallets', { organizationId, walletName: refusedText }],
    [`submit/${inventedOperation}`, making({})],
  ];
  const written: Written[] = [];
  for (const [path, body] of bodies) {
    const text = JSON.stringify(body);
    const { stampHeaderName, stampHeaderValue } = await client.stamper.stamp(text);
    for (const sent of [text, text.replace('{', '{ '), text.slice(0, -1)]) {
      const response = await fetch(`${service.baseUrl}/public/v1/${path}`, {
        method: 'POST',
        headers: { [stampHeaderName]: stampHeaderValue },
        body: sent,
      });
      const answer = await response.text();
      assert(response.status >= 400, `${path} was not refused: ${answer}`);
      written.push({ where: `the answer to ${path}: ${answer}`, bytes: Buffer.from(answer) });
    }
  }
  return written;
}

/** Opens the secrets of the service with the root key. */
async function readSecrets({ dataDirectory, credentials }: RunningService, made: Made) {
  const rootKey = Uint8Array.from(readFileSync(join(dataDirectory, 'root.key')));
  const store = openSqliteStore({ file: join(dataDirectory, 'keywright.sqlite') });
  const keys = createRootKeys(Uint8Array.from(rootKey));
  const codec = createRecordCodec(createSealing('seal', keys, randomBytes));
  const repository = createRepository({ store: store.port, codec, keys });
  const wrapping = createSealing('wrap', keys, randomBytes);
  const found: Canary[] = [
    canaryOfBytes('the root key', rootKey),
    canaryOfBytes("the root user's API key", Buffer.from(credentials.apiPrivateKey, 'hex')),
  ];

  function unwrap(organizationId: string, kind: string, row: { id: string; secret: string }) {
    const place = { organizationId, kind, id: row.id, version: 1 };
    const opened = wrapping.open(place, bytesOfBase64url(row.secret) ?? new Uint8Array(0));
    assert(opened !== undefined);
    return opened;
  }
  function addWallet(state: OrganizationState, address: string): void {
    const wallet = [...state.records.wallet.values()].find((row) => row.name === names.wallet);
    assert(wallet !== undefined);
    const secret = unwrap(state.id, 'wallet_secret', wallet);
    const seed = secret.subarray(0, 64);
    const key = HDKey.fromMasterSeed(seed).derive(accountParameters.ethereum.path).privateKey;
    assert(key !== null);
    assert.equal(privateKeyToAddress(toHex(key)), address, 'this is the key that has signed');
    found.push(
      canaryOfBytes('the seed of a wallet', seed),
      canaryOfBytes('the entropy of a wallet', secret.subarray(64)),
      canaryOfBytes('the private key of an account', key),
    );
  }

  const { state } = await repository.organization(credentials.organizationId);
  const { state: childState } = await repository.organization(made.childId);
  assert(state !== undefined && childState !== undefined);
  addWallet(state, made.address);
  addWallet(childState, made.childAddress);
  const [privateKey] = [...state.records.private_key.values()];
  assert(privateKey !== undefined);
  const key = unwrap(state.id, 'private_key_secret', privateKey);
  assert.equal(privateKeyToAddress(toHex(key)), made.privateKeyAddress);
  found.push(canaryOfBytes('a private key', key));
  keys.close();
  store.close();
  return found;
}

function readDatabase(dataDirectory: string, when: string): Written[] {
  return readdirSync(dataDirectory)
    .filter((name) => name.startsWith('keywright.sqlite'))
    .map((name) => ({
      where: `${name} ${when}`,
      bytes: readFileSync(join(dataDirectory, name)),
    }));
}

function nameOf(what: string): string {
  return `canary-${what}-${randomBytes(8).toString('hex')}`;
}
