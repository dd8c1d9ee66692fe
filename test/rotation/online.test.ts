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
import type { RotationStatus } from '../../src/gateway/rotation/status_file.ts';
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
async function rotatingService(
  readNext: () => Uint8Array = nextKey,
  epochBegan: () => Promise<void> = async () => undefined,
) {
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
  let last: RotationStatus | undefined;
  const { rotation } = service.store;
  assert.ok(rotation !== undefined);
  const ports = {
    store: rotation,
    calls: () => [call],
    enclaves: 1,
    keys: {
      exists: () => installed.length === 0,
      isReadLater: true,
      read: async () => Uint8Array.from(readNext()),
      install: () => void installed.push('next'),
    },
    fence: { least: 0 },
    epochBegan,
    node: 'node',
    clock: service.now,
    pause: async () => undefined,
    log: () => undefined,
    shown: undefined,
    show: (status: RotationStatus) => {
      last = status;
      states.push(status.state);
    },
    stopped: () => false,
  };
  /** Returns the steps of a gateway that starts now, and that has no keys. */
  const restarted = (shown = last) => createRotation({ ...ports, keys: undefined, shown });
  const step = createRotation(ports);
  const address = addresses[0];
  return { service, file, step, restarted, installed, states, walletId, address };
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

/** Takes steps until the record of key epochs has this version. */
async function stepUntil(
  version: number,
  { service, step, states }: Awaited<ReturnType<typeof rotatingService>>,
): Promise<void> {
  for (let steps = 0; ; steps += 1) {
    assert.ok(steps < 50, states.join(', '));
    await step();
    if (((await readKeyEpoch(service.store.port))?.version ?? 0) === version) return;
    service.advance(1_000);
  }
}

test('a gateway that starts after the last row shows the end of the rotation', async () => {
  const rotating = await rotatingService();
  const { service, restarted, states } = rotating;
  await stepUntil(1, rotating);
  await restarted()();
  assert.ok(!states.includes('ended'), 'an unfinished rotation continues');
  await stepUntil(2, rotating);
  assert.ok(!states.includes('ended'));
  await restarted()();
  assert.equal(states.at(-1), 'ended');
  const shown = states.length;
  await restarted()();
  assert.equal(states.length, shown, 'the end is shown once');
  await service.close();
});

test('a gateway shows no end of a rotation that has not begun', async () => {
  const { service, restarted, states } = await rotatingService();
  const counts = { epoch: 0, rows: 0, total: 0, sealed: 0 };
  await restarted({ state: 'waiting', sentence: '', ...counts })();
  assert.deepEqual(states, []);
  await service.close();
});

test('a gateway shows no end of a second rotation whose next key is gone before its epoch', async () => {
  const rotating = await rotatingService();
  const { service, restarted, states } = rotating;
  await stepUntil(2, rotating);
  const counts = { sentence: '', epoch: 1, rows: 0, total: 0, sealed: 0 };
  states.length = 0;
  for (const state of ['checking', 'waiting', 'failed'] as const) {
    await restarted({ state, ...counts })();
    assert.deepEqual(states, [], state);
    // The epoch began after this status was shown.
    await restarted({ state, ...counts, epoch: 0 })();
    assert.deepEqual(states.splice(0), ['ended'], state);
  }
  await service.close();
});

test('the begin of a key epoch is reported again after a failure', async () => {
  let reports = 0;
  const rotating = await rotatingService(nextKey, async () => {
    reports += 1;
    if (reports === 1) throw new ServiceError('enclave_unavailable');
  });
  const { service, installed, states } = rotating;
  await stepUntil(2, rotating);
  for (let steps = 0; installed.length === 0; steps += 1) {
    assert.ok(steps < 50, states.join(', '));
    await rotating.step();
    service.advance(1_000);
  }
  assert.ok(states.includes('failed'));
  assert.equal(reports, 2);
  await service.close();
});
