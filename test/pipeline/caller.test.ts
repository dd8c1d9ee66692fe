// Finds the user of a key: first in the organization that the request names, then in its parent for reads,
// and for whoami in the children of a parent.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Stamp } from '../../src/core/auth/stamp.ts';
import { bytesOfHex } from '../../src/core/base/bytes.ts';
import type { ApiKey, OrganizationHead } from '../../src/core/organization/model.ts';
import { createDraft, emptySmallState } from '../../src/core/organization/state.ts';
import { markOnlyCredential } from '../../src/core/users/sign_in_links.ts';
import { schemeFits } from '../../src/pipeline/find_caller.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { startTestService, type TestKey, type TestService, testKey } from '../support/harness.ts';
import { clientCodeOf, renameType } from './requests.ts';

let service: TestService;
let rootId: string;
before(async () => {
  service = await startTestService();
  rootId = service.root.organizationId;
});
after(() => service.close());

/** Adds a child of the first organization with one root user for each key. */
async function addChild(name: string, ...keys: readonly TestKey[]): Promise<string> {
  let childId = '';
  await changeOrganization(service, (_, newId) => {
    childId = newId();
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    const users = keys.map((key) => ({ id: newId(), key }));
    const head: OrganizationHead = {
      name,
      rootQuorum: { threshold: 1, userIds: users.map(({ id }) => id) },
      features: [],
      ...times,
    };
    const empty = {
      id: childId,
      parentId: rootId,
      version: 0,
      guard: 0,
      head,
      records: emptySmallState(),
    };
    const draft = createDraft(empty);
    for (const { id, key } of users) {
      draft.put('user', { id, name: `${name} user`, tagIds: [], ...times });
      draft.put('api_key', {
        id: newId(),
        userId: id,
        name: `${name} key`,
        publicKey: key.publicKey,
        type: 'CREDENTIAL_TYPE_API_KEY_P256',
        ...times,
      });
    }
    markOnlyCredential(draft);
    return [{ id: childId, parentId: rootId, head, changes: draft.changes() }];
  });
  return childId;
}

const whoami = (organizationId: string, key: TestKey) =>
  service.query('whoami', {}, { organizationId, key });

test('a child is read by its own users and by the users of its parent', async () => {
  const key = testKey('own');
  const childId = await addChild('Read', key);
  const own = await whoami(childId, key);
  assert.equal(own.body.organizationId, childId);
  assert.equal(own.body.username, 'Read user');
  const parents = await whoami(childId, service.root.key);
  assert.equal(parents.body.organizationId, childId);
  assert.equal(parents.body.organizationName, 'Read');
  assert.equal(parents.body.userId, service.root.userId);
});

test('only the own users write a child', async () => {
  const key = testKey('writer');
  const childId = await addChild('Written', key);
  const rename = (organizationName: string, as: TestKey) =>
    service.submit(
      'update_organization_name',
      renameType,
      { organizationName },
      {
        organizationId: childId,
        key: as,
      },
    );
  const refused = await rename('By the parent', service.root.key);
  assert.equal(refused.status, 400);
  assert.equal(refused.body.code, 3);
  assert.equal(clientCodeOf(refused), 'ORGANIZATION_MISMATCH');
  assert.equal(
    refused.body.message,
    `organization mismatch: request is targeting organization ("${childId}"), but voters are in organization ("${rootId}")`,
  );
  assert.equal((await rename('By itself', key)).status, 200);
  assert.equal((await whoami(childId, key)).body.organizationName, 'By itself');
});

test('a child neither reads nor writes its parent or its siblings', async () => {
  const key = testKey('lonely');
  await addChild('Lonely', key);
  const siblingId = await addChild('Sibling', testKey('sibling'));
  for (const organizationId of [rootId, siblingId]) {
    const as = { organizationId, key };
    const read = await service.query('get_organization_configs', {}, as);
    assert.equal(clientCodeOf(read), 'PUBLIC_KEY_NOT_FOUND');
    const parameters = { organizationName: 'Mine' };
    const written = await service.submit('update_organization_name', renameType, parameters, as);
    assert.equal(written.status, 401);
    assert.equal(clientCodeOf(written), 'PUBLIC_KEY_NOT_FOUND');
  }
});

test('whoami with the id of the parent finds the child of a key', async () => {
  const key = testKey('to be found');
  const childId = await addChild('Found', key);
  const { status, body } = await whoami(rootId, key);
  assert.equal(status, 200);
  assert.equal(body.organizationId, childId);
  assert.equal(body.organizationName, 'Found');
  // Only whoami searches the children.
  const other = await service.query(
    'get_organization_configs',
    {},
    { organizationId: rootId, key },
  );
  assert.equal(clientCodeOf(other), 'PUBLIC_KEY_NOT_FOUND');
  // An unknown key.
  assert.equal(clientCodeOf(await whoami(rootId, testKey('nobody'))), 'PUBLIC_KEY_NOT_FOUND');
});

test('one key that signed in two children is a conflict only for whoami at the parent', async () => {
  const key = testKey('twice');
  const children = [await addChild('First', key), await addChild('Second', key)];
  // Without a signature the older organization is returned.
  assert.equal((await whoami(rootId, key)).body.organizationId, children[0]);
  for (const organizationId of children.toReversed()) {
    const parameters = { organizationName: 'Renamed' };
    const as = { organizationId, key };
    const renamed = await service.submit('update_organization_name', renameType, parameters, as);
    assert.equal(renamed.status, 200);
    if (organizationId === children[0]) continue;
    assert.equal((await whoami(rootId, key)).body.organizationId, organizationId);
  }
  const answer = await whoami(rootId, key);
  assert.equal(answer.status, 401);
  assert.equal(answer.body.code, 16);
  assert.equal(clientCodeOf(answer), 'CREDENTIAL_CONFLICT');
  assert.match(answer.body.message, /^more than one suborg associated with a public key/);
  for (const childId of children) {
    assert.equal((await whoami(childId, key)).body.organizationId, childId);
  }
});

/** Sets the lifetime of a known key to one second after its creation. */
const expire = (organizationId: string, key: TestKey) =>
  changeOrganization(
    service,
    (draft) => {
      for (const known of draft.list('api_key')) {
        if (known.publicKey === key.publicKey) draft.put('api_key', { ...known, ...oneSecond });
      }
      return undefined;
    },
    organizationId,
  );
const oneSecond = { expirationSeconds: 1 };

test('a key that has expired in one child works in another', async () => {
  const key = testKey('moved');
  const children: string[] = [];
  for (const name of ['Past', 'Also past', 'Present']) children.push(await addChild(name, key));
  const [past = '', alsoPast = '', present] = children;
  await expire(past, key);
  await expire(alsoPast, key);
  service.advance(1000);
  assert.equal((await whoami(rootId, key)).body.organizationId, present);
  assert.equal(clientCodeOf(await whoami(past, key)), 'API_KEY_EXPIRED');
});

test('a key that has expired in the parent works in a child', async () => {
  const key = testKey('above and below');
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    const type = 'CREDENTIAL_TYPE_LOGIN' as const;
    const { publicKey } = key;
    const userId = service.root.userId;
    draft.put('api_key', {
      id: newId(),
      userId,
      name: 'x',
      publicKey,
      type,
      ...oneSecond,
      ...times,
    });
    return undefined;
  });
  const login = () =>
    service.submit(
      'stamp_login',
      'ACTIVITY_TYPE_STAMP_LOGIN',
      { publicKey: testKey('next session').publicKey },
      { key },
    );
  assert.equal((await whoami(rootId, key)).body.userId, service.root.userId);
  service.advance(1000);
  for (const answer of [await whoami(rootId, key), await login()]) {
    assert.equal(clientCodeOf(answer), 'API_KEY_EXPIRED');
  }
  const childId = await addChild('Below', key);
  assert.equal((await whoami(rootId, key)).body.organizationId, childId);
  assert.equal((await login()).body.activity.organizationId, childId);
  await expire(childId, key);
  service.advance(1000);
  for (const answer of [await whoami(rootId, key), await login()]) {
    assert.equal(clientCodeOf(answer), 'API_KEY_EXPIRED');
  }
});

test('a key that has expired in a child reads the child as a user of the parent', async () => {
  const key = testKey('outlives its child');
  const childId = await addChild('Outlived', key);
  await expire(childId, key);
  service.advance(1000);
  assert.equal(clientCodeOf(await whoami(childId, key)), 'API_KEY_EXPIRED');
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    const type = 'CREDENTIAL_TYPE_API_KEY_P256' as const;
    const { publicKey } = key;
    const userId = service.root.userId;
    draft.put('api_key', { id: newId(), userId, name: 'above', publicKey, type, ...times });
    return undefined;
  });
  const read = await whoami(childId, key);
  assert.deepEqual([read.status, read.body.userId], [200, service.root.userId]);
  const as = { organizationId: childId, key };
  const parameters = { organizationName: 'Renamed from above' };
  const written = await service.submit('update_organization_name', renameType, parameters, as);
  assert.equal(clientCodeOf(written), 'ORGANIZATION_MISMATCH');
  await expire(rootId, key);
  service.advance(1000);
  assert.equal(clientCodeOf(await whoami(childId, key)), 'API_KEY_EXPIRED');
});

test('a key in parent and child acts as the user of the named organization', async () => {
  const childId = await addChild('Both', service.root.key);
  const inChild = await whoami(childId, service.root.key);
  assert.equal(inChild.body.organizationId, childId);
  assert.notEqual(inChild.body.userId, service.root.userId);
  assert.equal((await whoami(rootId, service.root.key)).body.userId, service.root.userId);
  const written = await service.submit(
    'update_organization_name',
    renameType,
    { organizationName: 'By both' },
    { organizationId: childId },
  );
  assert.equal(written.status, 200);
  assert.equal(written.body.activity.votes[0].userId, inChild.body.userId);
});

test('a key accepts only the scheme of its own curve, and a login key only P-256', () => {
  const { publicKey } = testKey('of any curve');
  const stampOfType = (credentialType: ApiKey['type'], algorithm: Stamp['algorithm']): Stamp => ({
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    algorithm,
    credentialType,
    publicKey: bytesOfHex(publicKey) ?? new Uint8Array(),
    publicKeyText: publicKey,
    signature: new Uint8Array(),
    signatureText: '',
  });
  const keyOf = (type: ApiKey['type']): ApiKey => ({
    id: 'key',
    userId: 'user',
    name: 'key',
    publicKey,
    type,
    createdAtMs: 1,
    updatedAtMs: 1,
  });
  const p256 = 'CREDENTIAL_TYPE_API_KEY_P256';
  const secp256k1 = 'CREDENTIAL_TYPE_API_KEY_SECP256K1';
  const login = 'CREDENTIAL_TYPE_LOGIN';
  const fits = [
    [p256, p256, 'p256', true],
    [secp256k1, secp256k1, 'secp256k1', true],
    [secp256k1, p256, 'p256', false],
    [p256, secp256k1, 'secp256k1', false],
    [login, p256, 'p256', true],
    [login, secp256k1, 'secp256k1', false],
  ] as const;
  for (const [of, credentialType, algorithm, isFitting] of fits) {
    const stamp = stampOfType(credentialType, algorithm);
    assert.equal(schemeFits(keyOf(of), stamp), isFitting, `${of}, ${credentialType}`);
  }
});
