// Wallets whose derived keys are wiped when a newer state of their organization is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Wallet } from '../../../src/core/organization/model.ts';
import { newOrganizationState } from '../../../src/core/organization/state.ts';
import type { LoadedOrganization } from '../../../src/enclave/records/change_writer.ts';
import { dropDerivedKeys } from '../../../src/enclave/records/derived_keys.ts';

/** Returns a state with wallets, each with the mark of its row. */
function stateWith(marks: Readonly<Record<string, string>>): LoadedOrganization {
  const head = {
    name: 'Shop',
    rootQuorum: { threshold: 1, userIds: [] },
    features: [],
    createdAtMs: 1,
    updatedAtMs: 1,
  };
  const state = newOrganizationState('shop', undefined, head);
  const wallets = Object.keys(marks).map((id) => [id, { id } as Wallet] as const);
  return {
    state: { ...state, records: { ...state.records, wallet: new Map(wallets) } },
    marks: new Map(Object.entries(marks).map(([id, mark]) => [`wallet/${id}`, mark])),
    bytes: 0,
    recent: [],
  };
}

function droppedBetween(kept: LoadedOrganization | undefined, now: LoadedOrganization) {
  const dropped: string[] = [];
  dropDerivedKeys(kept, now, {
    dropWallet: (organizationId, walletId) => dropped.push(`${organizationId}/${walletId}`),
    dropDeletedWallet: (organizationId, walletId) =>
      dropped.push(`${organizationId}/${walletId} for good`),
    dropOrganization: (organizationId) => dropped.push(organizationId),
    followSeals: (organizationId, mark) => {
      if (mark !== undefined) dropped.push(`${organizationId} by ${mark.seals} seals`);
    },
  });
  return dropped;
}

test('keys of unchanged wallets stay', () => {
  const state = stateWith({ one: '1/aa', two: '1/bb' });
  assert.deepEqual(
    droppedBetween(state, stateWith({ one: '1/aa', two: '1/bb', three: '2/cc' })),
    [],
  );
});

test('keys of a changed wallet are wiped, and derived again on demand', () => {
  const before = stateWith({ one: '1/aa', two: '1/bb' });
  assert.deepEqual(droppedBetween(before, stateWith({ one: '1/aa', two: '2/bc' })), ['shop/two']);
});

test('keys of a deleted wallet are wiped for good', () => {
  const before = stateWith({ one: '1/aa', two: '1/bb' });
  assert.deepEqual(droppedBetween(before, stateWith({ two: '1/bb' })), ['shop/one for good']);
});

test('all keys of an organization are wiped if its former state is unknown', () => {
  assert.deepEqual(droppedBetween(undefined, stateWith({ one: '1/aa' })), ['shop']);
});

test('each newer state reports its seals, and a deleted organization reports no key', () => {
  const before = stateWith({ one: '1/aa' });
  const key = { id: 'key', seals: 3, holders: [], createdAtMs: 1 };
  const withHead = (more: object): LoadedOrganization => {
    const { state, ...rest } = before;
    return { ...rest, state: { ...state, head: { ...state.head, ...more } } };
  };
  const sealed = withHead({ organizationKey: key });
  assert.deepEqual(droppedBetween(before, sealed), ['shop by 3 seals']);
  const deleted = withHead({ organizationKey: key, deletedAtMs: 2 });
  assert.deepEqual(droppedBetween(sealed, deleted), []);
});
