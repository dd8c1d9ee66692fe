// A database with contents to lie about: two wallets of different age, a deleted account, two children, and
// earlier states of all of them.

import assert from 'node:assert/strict';
import { createIdSource } from '../../src/core/base/ids.ts';
import { smallKinds } from '../../src/core/organization/kinds.ts';
import type { WalletAccount } from '../../src/core/organization/model.ts';
import { createDraft, emptySmallState } from '../../src/core/organization/state.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createRecordCodec, type RecordCodec } from '../../src/enclave/records/record_codec.ts';
import type { NewOrganization } from '../../src/pipeline/ports.ts';
import type { OrganizationAnswer, StoredOrganization, StoredRecord } from '../../src/store/port.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import {
  seededRandom,
  startTestService,
  type TestService,
  testKey,
  testRootKey,
} from '../support/harness.ts';

export type Snapshot = Omit<OrganizationAnswer, 'organization'> & {
  readonly organization: StoredOrganization;
};

export type World = Awaited<ReturnType<typeof buildWorld>>;

const ethereum = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
} as const;

export async function buildWorld() {
  const service = await startTestService();
  const { organizationId } = service.root;
  const first = await createWallet(service, 'First wallet', ['m/0', 'm/1', 'm/2']);
  const earlier = await snapshot(service, organizationId);
  const second = await createWallet(service, 'Second wallet', ['m/0']);
  const codec = codecOf('world');

  const accounts = await openAccounts(service, codec);
  const deleted = accounts.find(({ address }) => address === first.addresses[2]);
  assert(deleted !== undefined);
  const deletedRow = await accountRow(service, deleted.id);
  await changeOrganization(service, (draft) => {
    const wallet = draft.get('wallet', first.walletId);
    assert(wallet !== undefined);
    draft.put('wallet', { ...wallet, deletedAccountIds: [deleted.id] });
    draft.drop('wallet_account', deleted);
  });

  const children = [];
  for (const name of ['First child', 'Second child']) {
    const key = testKey(name);
    const newId = createIdSource({ clock: service.now, random: seededRandom(name) });
    const child = newChild(organizationId, name, key.publicKey, newId);
    await changeOrganization(service, () => [child]);
    children.push({ organizationId: child.id, name, key });
  }
  const [firstChild, secondChild] = children;
  assert(firstChild !== undefined && secondChild !== undefined);

  return {
    service,
    organizationId,
    first,
    second,
    deleted,
    deletedRow,
    firstChild,
    secondChild,
    codec,
    /** The first organization before the second wallet was created. */
    earlier,
    now: await snapshot(service, organizationId),
    ofChild: await snapshot(service, firstChild.organizationId),
    accountRows: await service.store.port.recordPage({
      organizationId,
      kind: 'wallet_account',
      groupId: undefined,
      page: wholePage,
    }),
    activityRows: await service.store.port.activityPage({
      organizationId,
      statuses: [],
      types: [],
      page: wholePage,
    }),
  };
}

export const wholePage = {
  greaterThan: undefined,
  lessThan: undefined,
  ascending: true,
  limit: 100,
} as const;

/** Returns a codec with the root key of all test services and its own randomness. */
export function codecOf(seed: string): RecordCodec {
  const keys = createRootKeys(testRootKey());
  return createRecordCodec(createSealing('seal', keys, seededRandom(seed)));
}

/** Returns all stored rows of an organization's small state. */
export async function snapshot(service: TestService, organizationId: string): Promise<Snapshot> {
  const { organization, ...rest } = await service.store.port.organization({
    organizationId,
    kinds: smallKinds,
    knownVersion: 0,
    fingerprint: undefined,
  });
  assert(organization !== undefined);
  return { organization, ...rest };
}

async function createWallet(service: TestService, walletName: string, paths: readonly string[]) {
  const accounts = paths.map((path) => ({ ...ethereum, path }));
  const parameters = { walletName, accounts };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const { status, body } = await service.submit('create_wallet', type, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  const result: { walletId: string; addresses: string[] } = body.activity.result.createWalletResult;
  const [address] = result.addresses;
  assert(address !== undefined);
  return { ...result, address, activityId: String(body.activity.id) };
}

async function openAccounts(service: TestService, codec: RecordCodec): Promise<WalletAccount[]> {
  const { organizationId } = service.root;
  const rows = await service.store.port.recordPage({
    organizationId,
    kind: 'wallet_account',
    groupId: undefined,
    page: wholePage,
  });
  return rows.map((row) => codec.openRecord(organizationId, row) as WalletAccount);
}

async function accountRow(service: TestService, id: string): Promise<StoredRecord> {
  const { organizationId } = service.root;
  const kind = 'wallet_account';
  const [row] = await service.store.port.records({ organizationId, kind, ids: [id] });
  assert(row !== undefined);
  return row;
}

function newChild(
  parentId: string,
  name: string,
  publicKey: string,
  newId: () => string,
): NewOrganization {
  const times = { createdAtMs: 1, updatedAtMs: 1 };
  const user = { id: newId(), name: `${name} user`, tagIds: [], ...times };
  const id = newId();
  const head = {
    name,
    rootQuorum: { threshold: 1, userIds: [user.id] },
    features: [],
    ...times,
  };
  const draft = createDraft({
    id,
    parentId,
    version: 0,
    guard: 0,
    head,
    records: emptySmallState(),
  });
  draft.put('user', user);
  draft.put('api_key', {
    id: newId(),
    userId: user.id,
    name: `${name} key`,
    publicKey,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    ...times,
  });
  return { id, parentId, head, changes: draft.changes() };
}
