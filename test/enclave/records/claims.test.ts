import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createClaims } from '../../../src/enclave/records/claims.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite.ts';
import { changeOf } from '../../store/samples.ts';

const keys = () => createRootKeys(new Uint8Array(32).fill(7));

test('claims: the store accepts the row of a token once, and finds it', async (t) => {
  const { port, close } = openSqliteStore({ file: ':memory:' });
  t.after(close);
  const claims = createClaims(port, keys());
  assert.equal(await claims.isClaimed('token'), false);
  const commit = (tokenIds: readonly string[]) =>
    port.commit(changeOf({ organizations: claims.rowsOf(tokenIds) }));
  assert.equal(await commit(['token']), 'committed');
  assert.equal(await commit(['other', 'token']), 'conflict');
  assert.equal(await claims.isClaimed('token'), true);
  assert.equal(await claims.isClaimed('other'), false);
  // Another node finds it; with another root key the row differs.
  assert.equal(await createClaims(port, keys()).isClaimed('token'), true);
  const [row] = createClaims(port, createRootKeys(new Uint8Array(32).fill(8))).rowsOf(['token']);
  assert.notDeepEqual([row], claims.rowsOf(['token']));
});

test('claims: a token that this enclave saw stays used, despite the store', async () => {
  const hiding = {
    organization: async () => ({
      version: undefined,
      guard: undefined,
      organization: undefined,
      records: [],
      activity: undefined,
    }),
  };
  const claims = createClaims(hiding, keys());
  claims.remember(['token']);
  assert.equal(claims.hasSeen(['other', 'token']), true);
  assert.equal(claims.hasSeen(['other']), false);
  assert.equal(await claims.isClaimed('token'), true);
  assert.equal(await claims.isClaimed('other'), false);
});
