// Callers besides the root user, committed to the store through a second repository with the same root key:
// a plain user, and a child organization with a root user.

import assert from 'node:assert/strict';
import { createIdSource } from '../../src/core/base/ids.ts';
import type { ApiKey, OrganizationHead, User } from '../../src/core/organization/model.ts';
import {
  createDraft,
  emptySmallState,
  type OrganizationDraft,
} from '../../src/core/organization/state.ts';
import { markOnlyCredential } from '../../src/core/users/sign_in_links.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createRecordCodec } from '../../src/enclave/records/record_codec.ts';
import { createRepository } from '../../src/enclave/records/repository.ts';
import type { NewOrganization } from '../../src/pipeline/ports.ts';
import { proposalOn } from '../enclave/proposals.ts';
import {
  type Sender,
  seededRandom,
  type TestKey,
  type TestService,
  testKey,
  testRootKey,
} from '../support/harness.ts';

/** Adds a user of the first organization outside its root quorum. */
export async function addPlainUser(
  service: TestService,
  key = testKey('plain user'),
  name = 'Plain user',
): Promise<{ key: TestKey }> {
  await changeOrganization(service, (draft, newId) => {
    putUser(draft, newId(), newId(), name, key, service.now());
  });
  return { key };
}

/** Adds a child of the first organization; returns the sender of its root user. */
export async function addChild(service: TestService): Promise<Required<Sender>> {
  const key = testKey('child root');
  let organizationId = '';
  await changeOrganization(service, (_, newId) => {
    organizationId = newId();
    const userId = newId();
    const head: OrganizationHead = {
      name: 'Child',
      rootQuorum: { threshold: 1, userIds: [userId] },
      features: [],
      createdAtMs: service.now(),
      updatedAtMs: service.now(),
    };
    const parentId = service.root.organizationId;
    const state = {
      id: organizationId,
      parentId,
      version: 0,
      guard: 0,
      head,
      records: emptySmallState(),
    };
    const draft = createDraft(state);
    putUser(draft, userId, newId(), 'Child root', key, service.now());
    markOnlyCredential(draft);
    return [{ id: organizationId, parentId, head, changes: draft.changes() }];
  });
  return { organizationId, key };
}

/** Commits a change of an organization, by default the first, without an operation. */
export async function changeOrganization(
  service: TestService,
  change: (draft: OrganizationDraft, newId: () => string) => readonly NewOrganization[] | undefined,
  organizationId = service.root.organizationId,
): Promise<void> {
  // Ids and nonces derive from the clock, so each change needs its own time.
  service.advance(1);
  const keys = createRootKeys(testRootKey());
  const random = seededRandom(`callers ${service.now()}`);
  const codec = createRecordCodec(createSealing('seal', keys, random));
  const repository = createRepository({ store: service.store.port, codec, keys });
  const newId = createIdSource({ clock: service.now, random });
  const { state } = await repository.organization(organizationId);
  assert(state !== undefined);
  const draft = createDraft(state);
  const children = change(draft, newId) ?? [];
  const made = { id: newId(), digest: random(32), atMs: service.now() };
  const outcome = await repository.commit(
    proposalOn(state, made, { changes: draft.changes(), children }),
  );
  assert.equal(outcome, 'committed');
}

function putUser(
  draft: OrganizationDraft,
  userId: string,
  apiKeyId: string,
  name: string,
  key: TestKey,
  now: number,
): void {
  const times = { createdAtMs: now, updatedAtMs: now };
  const user: User = { id: userId, name, tagIds: [], ...times };
  const apiKey: ApiKey = {
    id: apiKeyId,
    userId,
    name: `${name} key`,
    publicKey: key.publicKey,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    ...times,
  };
  draft.put('user', user);
  draft.put('api_key', apiKey);
}
