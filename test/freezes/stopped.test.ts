// Compares the operations that each type of freeze stops with a handwritten list, for every operation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations } from '../../src/operations/index.ts';
import { activityCalls } from '../hostile/calls.ts';
import { startTenants, type Tenant, type Tenants } from '../hostile/tenants.ts';
import { assertFrozen, lift, makeFreeze } from '../operations/freezes/freeze_requests.ts';
import {
  addHolder,
  makeKey,
  removeHolder,
  seal,
  unseal,
} from '../operations/organization_keys/organization_key_requests.ts';
import { addChild } from '../operations/other_callers.ts';
import { type Sender, startTestService } from '../support/harness.ts';

type KeyKind = 'wallet' | 'private_key';

/**
 * The operations that a freeze of the organization stops, with the kinds of keys that their sample calls
 * name.
 */
const stopped: Readonly<Record<string, readonly KeyKind[]>> = {
  sign_raw_payload: ['wallet', 'private_key'],
  sign_raw_payloads: ['wallet', 'private_key'],
  sign_transaction: ['wallet', 'private_key'],
  eth_send_transaction: ['wallet'],
  // The transaction is signed by a key of another party.
  eth_send_raw_transaction: [],
  eth_undelegate_7702: ['wallet'],
  earn_claim_rewards: ['wallet'],
  earn_deposit: ['wallet'],
  earn_withdraw: ['wallet'],
  execute_swap: ['wallet'],
  // The wallet of the tenant has no such account.
  sol_send_transaction: [],
  export_wallet: ['wallet'],
  export_wallet_account: ['wallet'],
  export_private_key: ['private_key'],
  export_secrets: [],
  delete_wallets: ['wallet'],
  delete_wallet_accounts: ['wallet'],
  delete_private_keys: ['private_key'],
  delete_secrets: [],
  // It deletes every key of the organization.
  delete_sub_organization: ['wallet', 'private_key'],
  // Its holder decides who can use the keys after the freeze.
  create_organization_key: [],
  // Its subject is that of keys.
  delete_private_key_tags: [],
};

const allNames = Object.keys(activityCalls);

/** Returns the operations whose calls are refused as frozen in a dry run of this user. */
async function refusedAs(
  { service }: Tenants,
  tenant: Tenant,
  as: Sender,
  names = allNames,
): Promise<string[]> {
  const refused = new Set<string>();
  for (const name of names) {
    const type = activityOperations[name]?.wire.type ?? assert.fail(name);
    for (const { parameters, by = 'child' } of activityCalls[name] ?? []) {
      if (by !== tenant.name) continue;
      const sender = { ...as, dryRun: true };
      const { body } = await service.submit(name, type, parameters(tenant), sender);
      if (JSON.stringify(body).includes('is frozen since')) refused.add(name);
    }
  }
  return [...refused].sort();
}

const namesOf = (kind?: KeyKind): string[] =>
  Object.keys(stopped)
    .filter((name) => kind === undefined || stopped[name]?.includes(kind))
    .sort();

async function startChild() {
  const tenants = await startTenants();
  const child = tenants.all.get('child') ?? assert.fail();
  const { organizationId, key } = child;
  return { tenants, child, as: { organizationId, key } };
}

test('without a freeze of it no operation is refused as frozen', async (t) => {
  const { tenants, child, as } = await startChild();
  t.after(() => tenants.close());
  assert.deepEqual(await refusedAs(tenants, child, as), []);
});

test('a freeze of an organization stops signatures, exports, sends and the deletion of keys', async (t) => {
  const { tenants, child, as } = await startChild();
  t.after(() => tenants.close());
  await makeFreeze(tenants.service, 'ORGANIZATION', undefined, as);
  assert.deepEqual(await refusedAs(tenants, child, as), namesOf());
});

test('a parent stops the same in one sub-organization, and in all of them', async (t) => {
  for (const type of ['SUB_ORGANIZATION', 'DEPLOYMENT']) {
    const { tenants, child, as } = await startChild();
    t.after(() => tenants.close());
    const id = type === 'DEPLOYMENT' ? undefined : child.organizationId;
    await makeFreeze(tenants.service, type, id);
    assert.deepEqual(await refusedAs(tenants, child, as, namesOf()), namesOf(), type);
  }
});

test('a freeze of the parent alone, or of another child, leaves a sub-organization alone', async (t) => {
  const { tenants, child, as } = await startChild();
  t.after(() => tenants.close());
  const { service, all } = tenants;
  await makeFreeze(service, 'ORGANIZATION');
  const sibling = all.get('sibling') ?? assert.fail();
  await makeFreeze(service, 'SUB_ORGANIZATION', sibling.organizationId);
  assert.deepEqual(await refusedAs(tenants, child, as, namesOf()), []);
});

test('a freeze of a wallet or a private key stops what names it', async (t) => {
  for (const kind of ['wallet', 'private_key'] as const) {
    const { tenants, child, as } = await startChild();
    t.after(() => tenants.close());
    const id = kind === 'wallet' ? child.walletId : child.privateKeyId;
    await makeFreeze(tenants.service, kind.toUpperCase(), id, as);
    assert.deepEqual(await refusedAs(tenants, child, as, namesOf()), namesOf(kind), kind);
  }
});

test('a freeze by the parent stops changes of key holders, and neither seal nor unseal', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const holderId = await makeKey(service, 'treasurer', child);
  const deputy = await addHolder(service, 'deputy', child);
  assert.equal(deputy.status, 200);
  const freezeId = await makeFreeze(service, 'SUB_ORGANIZATION', child.organizationId);
  const changes = [
    () => addHolder(service, 'thief', child),
    () => removeHolder(service, holderId, child),
  ];
  for (const change of changes) assertFrozen(await change(), /^request not authorized: org/);
  await seal(service, child);
  assert.equal((await unseal(service, holderId, {}, child)).status, 200);
  await lift(service, freezeId);
  for (const change of changes) assert.equal((await change()).status, 200);
});

test('a frozen user submits nothing', async (t) => {
  const { tenants, child, as } = await startChild();
  t.after(() => tenants.close());
  await makeFreeze(tenants.service, 'USER', child.rootUserId, as);
  const refused = await refusedAs(tenants, child, as);
  const ofChild = allNames.filter((name) =>
    activityCalls[name]?.some(({ by = 'child' }) => by === 'child'),
  );
  // The only member of the root quorum is frozen, so the quorum needs that member to lift the freeze.
  const passed = ofChild.filter((name) => !refused.includes(name));
  assert.deepEqual(passed, ['delete_freeze']);
});
