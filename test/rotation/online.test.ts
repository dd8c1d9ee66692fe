// The steps of a rotation of the root key, over an enclave and a database in this process.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { openKeyEpoch, readKeyEpoch, rootKeysOf } from '../../src/enclave/records/key_epochs.ts';
import { withHeldKey } from '../../src/enclave/services/held_key.ts';
import { createRotation } from '../../src/gateway/rotation/rotation.ts';
import type { EnclaveMessages } from '../../src/ipc/messages.ts';
import type { Link } from '../../src/ipc/rpc.ts';
import type { StorePort } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import {
  makeKey,
  seal,
  unseal,
} from '../operations/organization_keys/organization_key_requests.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { seededRandom, startTestService, testRootKey } from '../support/harness.ts';
import { createTestOutside, testDeployment } from '../support/outside.ts';
import { contentsOf, opener, sealedValues, secretsIn } from './rotated_world.ts';

const directory = temporaryDirectory();
after(() => directory.remove());
let files = 0;
const newFile = () => join(directory.path, `database-${++files}.sqlite`);

const nextKey = () => new Uint8Array(32).fill(9);
const otherKey = () => new Uint8Array(32).fill(11);
const both = (first: Uint8Array, second: Uint8Array) => Uint8Array.from([...first, ...second]);

type Service = Awaited<ReturnType<typeof startTestService>>;

/** Starts a service with a wallet. Returns it with the steps of its rotation. */
async function rotatingService(readNext: () => Uint8Array = nextKey) {
  const file = newFile();
  const service = await startTestService({ databaseFile: file, givesNextKey: true });
  const { body } = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'wallet',
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  });
  const { walletId, addresses } = body.activity.result.createWalletResult;
  const handlers: Readonly<Record<string, unknown>> = service.enclave;
  const call = (async (name: string, request: unknown) => {
    const handle = handlers[name];
    assert.ok(typeof handle === 'function');
    return handle(request);
  }) as Link<EnclaveMessages>['call'];
  const installed: string[] = [];
  const states: string[] = [];
  assert.ok(service.store.rotation !== undefined);
  const step = createRotation({
    store: service.store.rotation,
    calls: () => [call],
    enclaves: 1,
    keys: {
      exists: () => installed.length === 0,
      isReadLater: true,
      read: async () => Uint8Array.from(readNext()),
      install: () => void installed.push('next'),
    },
    fence: { least: 0 },
    epochBegan: async () => undefined,
    node: 'node',
    clock: service.now,
    pause: async () => undefined,
    log: () => undefined,
    show: ({ state }) => void states.push(state),
    stopped: () => false,
  });
  return { service, file, step, installed, states, walletId, address: addresses[0] };
}

const sign = (service: Service, signWith: string, payload: string) =>
  service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith,
    payload,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });

/** Starts another enclave on a store. Returns the code of a refusal. */
async function startOn(store: StorePort, rootKey: Uint8Array): Promise<string | undefined> {
  const enclave = createEnclave({
    store,
    external: createTestOutside(),
    clock: Date.now,
    random: seededRandom('another'),
    log: () => undefined,
  });
  try {
    await enclave.start({
      rootKey,
      liveness: { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 },
      deployment: testDeployment,
    });
    await enclave.bootstrap({
      organizationName: '',
      userName: '',
      apiKeyName: '',
      apiPublicKey: '',
      enablesAuthProxy: false,
    });
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

test('a service signs at each step, and the earlier key opens nothing at the end', async () => {
  const { service, file, step, installed, states, walletId, address } = await rotatingService();
  const { store } = service;
  const { body: first } = await sign(service, address, 'text');
  let midway: Awaited<ReturnType<typeof readKeyEpoch>>;
  let steps = 0;
  for (; installed.length === 0; steps += 1) {
    assert.ok(steps < 50, states.join(', '));
    await step();
    const { body } = await sign(service, address, 'text');
    assert.deepEqual(
      body.activity.result.signRawPayloadResult,
      first.activity.result.signRawPayloadResult,
    );
    const row = await readKeyEpoch(store.port);
    if (row?.version === 1 && midway === undefined) {
      midway = row;
      assert.equal(openKeyEpoch(row, testRootKey()), undefined);
      // The state in memory has the secret of the earlier epoch.
      const renamed = await service.submit('update_wallet', 'ACTIVITY_TYPE_UPDATE_WALLET', {
        walletId,
        walletName: 'renamed',
      });
      assert.equal(renamed.status, 200);
      requireNoEarlierSecret(file, row);
    }
    service.advance(1_000);
  }
  assert.ok(steps >= 5);
  const row = await readKeyEpoch(store.port);
  const opensBefore = opener(testRootKey());
  assert.ok(sealedValues(file).every((value) => opensBefore(value) === undefined));
  assert.ok(contentsOf(file, rootKeysOf(row, nextKey())).size > steps);
  assert.equal(await startOn(store.port, nextKey()), undefined);
  assert.equal(await startOn(store.port, testRootKey()), 'root_key_mismatch');

  // An attacker restores the record of the unfinished rotation.
  assert.ok(midway !== undefined);
  const copy = newFile();
  await service.close();
  copyFileSync(file, copy);
  const database = new DatabaseSync(copy);
  database
    .prepare("UPDATE organizations SET version = ?, guard = ?, head = ? WHERE id = 'root_key'")
    .run(midway.version, midway.guard, midway.head);
  database.close();
  const put = openSqliteStore({ file: copy });
  assert.equal(await startOn(put.port, nextKey()), 'root_key_rotating');
  await put.close();
});

/** Requires that each row of the new epoch has its secrets in that epoch. */
function requireNoEarlierSecret(
  file: string,
  row: NonNullable<Awaited<ReturnType<typeof readKeyEpoch>>>,
): void {
  const record = openKeyEpoch(row, nextKey());
  assert.ok(record !== undefined);
  const opens = opener(nextKey(), record);
  const rows = sealedValues(file).flatMap((value) => {
    const content = opens(value);
    return content === undefined ? [] : [{ value, content }];
  });
  const secrets = rows.flatMap(({ value, content }) => secretsIn(value.place, content));
  assert.ok(secrets.length > 0, 'the renamed wallet has a secret');
  assert.ok(secrets.every((secret) => opens(secret) !== undefined));
}

test('the keys of a provider may come in any order, and one of them must be right', async () => {
  const { service, step } = await rotatingService();
  const { port } = service.store;
  for (let version = 0; version < 1; ) {
    await step();
    version = (await readKeyEpoch(port))?.version ?? 0;
  }
  assert.equal(await startOn(port, both(testRootKey(), nextKey())), undefined);
  assert.equal(await startOn(port, both(nextKey(), testRootKey())), undefined);
  assert.equal(await startOn(port, nextKey()), 'root_key_rotating');
  assert.equal(await startOn(port, testRootKey()), 'root_key_mismatch');
  assert.equal(await startOn(port, both(testRootKey(), otherKey())), 'root_key_mismatch');
  await service.close();
});

test('a next key is not yet the key of the data', async () => {
  const { service } = await rotatingService();
  const { port } = service.store;
  assert.equal(await startOn(port, both(testRootKey(), nextKey())), undefined);
  assert.equal(await startOn(port, both(otherKey(), testRootKey())), 'root_key_mismatch');
  assert.equal(createRootKeys(testRootKey()).epoch, 0);
  await service.close();
});

test('an enclave with a key of its own accepts no key of the gateway', async () => {
  const { service } = await rotatingService();
  const held = withHeldKey(service.enclave, testRootKey());
  assert.throws(() => held.giveNextKey({ rootKey: nextKey() }));
  await service.close();
});

test('a next key that is replaced during the rotation is the key of the data at the end', async () => {
  let given = nextKey();
  const { service, step, installed } = await rotatingService(() => given);
  const { port } = service.store;
  for (let steps = 0; installed.length === 0; steps += 1) {
    assert.ok(steps < 80);
    await step();
    if (((await readKeyEpoch(port))?.version ?? 0) === 1) given = otherKey();
    service.advance(1_000);
  }
  assert.equal(await startOn(port, otherKey()), undefined);
  assert.equal(await startOn(port, nextKey()), 'root_key_mismatch');
  await service.close();
});

test('a rotation keeps the inner seal of an organization with its own key, sealed or not', async () => {
  const { service, step, installed, states, address } = await rotatingService();
  const holderId = await makeKey(service);
  const { body: first } = await sign(service, address, 'text');
  for (let steps = 0; installed.length === 0; steps += 1) {
    assert.ok(steps < 50, states.join(', '));
    await step();
    // The rotation needs no holder.
    if (steps === 1) await seal(service);
    const { status } = await sign(service, address, 'text');
    assert.equal(status, steps < 1 ? 200 : 400);
    service.advance(1_000);
  }
  assert.equal((await sign(service, address, 'text')).status, 400);
  assert.equal((await unseal(service, holderId)).status, 200);
  const { body: last } = await sign(service, address, 'text');
  assert.deepEqual(last.activity.result, first.activity.result);
  await service.close();
});
