// Transactions that the gateway should watch, if there are more than one answer holds. Unsettled
// transactions of one organization do not hide those of others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EthereumSend } from '../../../src/core/organization/records/sends.ts';
import { emptySmallState, type OrganizationState } from '../../../src/core/organization/state.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSends } from '../../../src/enclave/services/sends.ts';
import type { Reader } from '../../../src/operations/reader.ts';
import type { StoredLookup, StorePort } from '../../../src/store/port.ts';
import { testRootKey } from '../../support/harness.ts';

const caip2 = 'eip155:1';
const idOf = (number: number) => `01a205ac-48e3-74b0-9a8f-${String(number).padStart(12, '0')}`;

/** Returns the ids of the organizations that are listed within this number of calls. */
async function listedIn(looks: number, of: { organizations: number; each: number; size: number }) {
  const entries: StoredLookup[] = [];
  for (let organization = 0; organization < of.organizations; organization += 1) {
    for (let send = 0; send < of.each; send += 1) {
      const organizationId = idOf(organization);
      const recordId = idOf(1_000_000 + organization * of.each + send);
      entries.push({ index: 'unsettled_send', blind: new Uint8Array(0), organizationId, recordId });
    }
  }
  const store = {
    lookup: async ({ limit, after = '' }: Parameters<StorePort['lookup']>[0]) =>
      entries.filter(({ organizationId }) => organizationId > after).slice(0, limit),
  } as unknown as StorePort;
  const sendOf = (id: string): EthereumSend => ({
    id,
    family: 'eip155',
    caip2,
    activityId: id,
    address: '0x',
    nonce: '0',
    signedTransaction: 'f'.repeat(of.size),
    transactionHash: '0x',
    status: 'INITIALIZED',
    step: 0,
    createdAtMs: 0,
    updatedAtMs: 0,
  });
  const reader = {
    sends: async (ids: readonly string[]) => new Map(ids.map((id) => [id, sendOf(id)])),
  } as unknown as Reader;
  const head = { name: '', rootQuorum: { threshold: 1, userIds: [] }, features: [] };
  const stateOf = (id: string): OrganizationState => ({
    id,
    parentId: undefined,
    version: 1,
    guard: 1,
    records: emptySmallState(),
    head: { ...head, createdAtMs: 0, updatedAtMs: 0 },
  });
  const { unsettled } = createSends({
    store,
    keys: createRootKeys(testRootKey()),
    organization: async (id) => ({ state: stateOf(id) }),
    reader: () => reader,
    systemChange: async () => undefined,
    newId: () => '',
    clock: () => 0,
    refusedRow: () => assert.fail('no row is refused'),
  });
  const listed = new Set<string>();
  for (let look = 0; look < looks; look += 1) {
    for (const { organizationId } of await unsettled({ caip2 })) listed.add(organizationId);
  }
  return listed;
}

test('a few large transactions that never land hide no organization', async () => {
  const of = { organizations: 40, each: 1, size: 262_146 };
  assert((await listedIn(1, of)).size < 40, 'they are more than one answer holds');
  assert.equal((await listedIn(2, of)).size, 40);
});

test('many transactions that never land hide no organization', async () => {
  const of = { organizations: 25, each: 1_000, size: 10 };
  assert((await listedIn(1, of)).size < 25, 'they are more than one look finds');
  assert.equal((await listedIn(3, of)).size, 25);
});
