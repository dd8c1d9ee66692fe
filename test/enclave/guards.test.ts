// Writes of each operation compared with signatures decided before it. The listed operations let such a
// signature be committed; all others make the service decide it again.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import type { StoreChange } from '../../src/store/port.ts';
import { holds } from '../../src/store/tables/refusal.ts';
import { type Call, submitCalls, submitTypes } from '../hostile/calls.ts';
import { startTenants, type Tenant, type Tenants } from '../hostile/tenants.ts';
import { activityBody, queryBody, type ServiceOver, startServiceOver } from './service_over.ts';

/** Operations that change an organization and revoke nothing. */
const passed: readonly string[] = [
  'create_wallet',
  'create_wallet_accounts',
  'create_api_keys',
  // Logins add a key; codes are requested, tried and sent.
  'oauth',
  'oauth_login',
  'stamp_login',
  'create_read_write_session',
  'init_otp',
  'verify_otp',
  'init_otp_auth',
  'email_auth',
  'init_user_email_recovery',
  // These take a nonce or a place among unsettled transactions, and sign once.
  'eth_send_transaction',
  'eth_undelegate_7702',
  'earn_deposit',
  'earn_claim_rewards',
  'earn_withdraw',
  'execute_swap',
  'sol_send_transaction',
  // This frees a place and a nonce.
  'abandon_transaction',
  // This stores a transaction that was signed elsewhere.
  'eth_send_raw_transaction',
  // This ends a waiting activity. An activity that an approval carries out guards like a direct request.
  'reject_activity',
];

/** Operations with at least one call that does not change the organization. */
const unchanged: readonly string[] = [
  'create_swap_quote',
  'create_wallet_accounts',
  'export_secrets',
  'redeliver_webhook_events',
  'set_tvc_app_live_deployment',
  'sign_transaction',
  'create_sub_organization',
  'oauth2_authenticate',
  'create_read_only_session',
  // This changes only the memory of an enclave.
  'unseal_organization',
];

let tenants: Tenants;
let over: ServiceOver;
/** The key of the enclave in these tests. */
let ephemeralKey = '';
let written: StoreChange[] = [];

before(async () => {
  tenants = await startTenants();
  const { port } = tenants.service.store;
  let isDurable = true;
  // Records each change without committing it.
  const commit = async (change: StoreChange) => {
    if (isDurable) return port.commit(change);
    written.push(change);
    throw new ServiceError('store_unavailable');
  };
  const { now: clock, outside } = tenants.service;
  over = await startServiceOver({ store: { ...port, commit }, seed: 'over', clock, outside });
  await unseal(tenants.all.get('unrelated') ?? assert.fail());
  isDurable = false;
});
after(() => tenants.close());

for (const [operation, calls] of Object.entries(submitCalls)) {
  test(`a signature that was decided before ${operation} is committed only if the operation is listed`, async () => {
    for (const call of calls) {
      const tenant = tenantOf(call);
      const version = await versionOf(tenant);
      const change = await changeOf(operation, call, tenant);
      const row = change.organizations.find(
        (each) => each.organizationId === tenant.organizationId,
      );
      if (row === undefined) {
        assert.ok(unchanged.includes(operation));
        continue;
      }
      assert.equal(row.version, version + 1);
      const condition = { organizationId: tenant.organizationId, version, orLater: true };
      assert.equal(holds(condition, row), passed.includes(operation));
      assert.equal(holds({ ...condition, orLater: false }, row), false);
    }
  });
}

/** Unseals an organization in the enclave of these tests. */
async function unseal(tenant: Tenant): Promise<void> {
  const { organizationId, key } = tenant;
  const body = queryBody(organizationId);
  const answer = await over.send('query', 'get_latest_boot_proof', body, key);
  ephemeralKey = answer.body.bootProof.ephemeralPublicKeyHex;
  const [call] = submitCalls['unseal_organization'] ?? [];
  await send('unseal_organization', call ?? assert.fail(), { ...tenant, ephemeralKey }, 200);
}

function tenantOf({ by }: Call): Tenant {
  const tenant = tenants.all.get(by ?? 'child');
  assert(tenant !== undefined);
  return { ...tenant, ephemeralKey };
}

async function changeOf(operation: string, call: Call, tenant: Tenant): Promise<StoreChange> {
  written = [];
  await send(operation, call, tenant, 503);
  const [change, another] = written;
  assert(change !== undefined && another === undefined);
  return change;
}

async function send(operation: string, call: Call, tenant: Tenant, status: number): Promise<void> {
  const { service } = tenants;
  service.advance(1);
  const type = submitTypes.get(operation) ?? '';
  const parameters = call.parameters(tenant);
  const body = activityBody(type, tenant.organizationId, parameters, service.now());
  const answer = await over.send('submit', operation, body, tenant.key);
  assert.equal(answer.status, status, JSON.stringify(answer.body));
}

async function versionOf({ organizationId }: Tenant): Promise<number> {
  const asked = { organizationId, kinds: [], knownVersion: 0, fingerprint: undefined };
  const { version } = await tenants.service.store.port.organization(asked);
  assert(version !== undefined);
  return version;
}
