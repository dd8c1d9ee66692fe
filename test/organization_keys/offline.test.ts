// An operator with the root key and a copy of the database tries to open the secrets of an organization with
// its own key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfBase64url, concatBytes, hex } from '../../src/core/base/bytes.ts';
import { openByOrganization, openForHolder } from '../../src/core/keys/organization_keys.ts';
import type { OrganizationState } from '../../src/core/organization/state.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createRecordCodec } from '../../src/enclave/records/record_codec.ts';
import { createRepository } from '../../src/enclave/records/repository.ts';
import { makeKeys } from '../operations/freezes/freeze_requests.ts';
import { makeKey } from '../operations/organization_keys/organization_key_requests.ts';
import { makeWallet } from '../operations/wallets/wallet_requests.ts';
import {
  seededRandom,
  startTestService,
  type TestService,
  testRootKey,
} from '../support/harness.ts';
import { secretOf } from '../support/organization_keys.ts';

const random = seededRandom('operator');
const keys = createRootKeys(testRootKey());

/** Returns the data that the root key opens: the state, and each secret without its outer seal. */
async function openedByRootKey(service: TestService) {
  const codec = createRecordCodec(createSealing('seal', keys, random));
  const repository = createRepository({ store: service.store.port, codec, keys });
  const { state } = await repository.organization(service.root.organizationId);
  assert(state !== undefined);
  const wrapping = createSealing('wrap', keys, random);
  const secrets = (['wallet', 'private_key'] as const).flatMap((kind) =>
    [...state.records[kind].values()].map(({ id, secret }) => {
      const place = { organizationId: state.id, kind: `${kind}_secret`, id, version: 1 };
      const opened = wrapping.open(place, bytesOfBase64url(secret) ?? new Uint8Array(0));
      return { kind, id, opened: opened ?? assert.fail('the root key opens the outer sealing') };
    }),
  );
  return { state, secrets };
}

/** Returns all bytes that the operator can read. */
const everything = ({ head }: OrganizationState, opened: readonly Uint8Array[]): string =>
  JSON.stringify(head) + opened.map(hex).join();

test('the root key and the database open no secret, and the secret of a holder opens each', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeKeys(service, 2);
  await makeWallet(service);
  const before = await openedByRootKey(service);
  assert.equal(before.secrets.length, 3);
  const holderId = await makeKey(service);
  // Later secrets are sealed by the key as well.
  await makeKeys(service);
  await makeWallet(service);
  const { state, secrets } = await openedByRootKey(service);
  assert.equal(secrets.length, 5);
  const found = everything(
    state,
    secrets.map(({ opened }) => opened),
  );
  for (const { opened } of before.secrets) {
    for (let at = 0; at + 16 <= opened.length; at += 16) {
      assert(
        !found.includes(hex(opened.subarray(at, at + 16))),
        'the operator reads no part of a secret',
      );
    }
  }
  const key = state.head.organizationKey ?? assert.fail();
  const [holder] = key.holders;
  assert.equal(holder?.id, holderId);
  const place = { organizationId: state.id, keyId: key.id, holderId };
  for (const guess of [testRootKey(), new Uint8Array(32), secretOf('operator')]) {
    assert.equal(openForHolder(holder.sealedKey, guess, place), undefined);
    for (const { kind, id, opened } of secrets) {
      const at = { organizationId: state.id, kind, id };
      assert.equal(openByOrganization(guess, at, opened), undefined);
    }
  }
  const organizationKey = openForHolder(holder.sealedKey, secretOf('treasurer'), place);
  assert(organizationKey !== undefined);
  const plain = secrets.map(({ kind, id, opened }) => {
    const at = { organizationId: state.id, kind, id };
    return openByOrganization(organizationKey, at, opened) ?? assert.fail('it opens');
  });
  const known = before.secrets.map(({ opened }) => hex(opened));
  assert.deepEqual(
    plain
      .map(hex)
      .filter((each) => known.includes(each))
      .sort(),
    known.sort(),
  );
  // A secret opens in its own place only.
  const [first, second] = secrets;
  assert(first !== undefined && second !== undefined);
  for (const at of [
    { organizationId: state.id, kind: first.kind, id: second.id },
    { organizationId: second.id, kind: first.kind, id: first.id },
  ]) {
    assert.equal(openByOrganization(organizationKey, at, first.opened), undefined);
  }
  const altered = concatBytes(first.opened.subarray(0, -1), Uint8Array.of(0));
  const own = { organizationId: state.id, kind: first.kind, id: first.id };
  if (hex(altered) !== hex(first.opened)) {
    assert.equal(openByOrganization(organizationKey, own, altered), undefined);
  }
});

test('the key that was sealed for a holder opens for no other holder, key or organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const holderId = await makeKey(service);
  const { state } = await openedByRootKey(service);
  const key = state.head.organizationKey ?? assert.fail();
  const place = { organizationId: state.id, keyId: key.id, holderId };
  const sealedKey = key.holders[0]?.sealedKey ?? assert.fail();
  const secret = secretOf('treasurer');
  assert.equal(openForHolder(sealedKey, secret, place)?.length, 32);
  for (const other of [
    { ...place, organizationId: holderId },
    { ...place, keyId: holderId },
    { ...place, holderId: key.id },
  ]) {
    assert.equal(openForHolder(sealedKey, secret, other), undefined);
  }
});
