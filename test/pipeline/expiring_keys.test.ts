// Keys that expire while their request is decided: nothing is recorded at or after the expiry of the key.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { activityBody, startServiceOver } from '../enclave/service_over.ts';
import { payloadOf } from '../limits/limited.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';
import {
  approveType,
  makeWallet as askForWallet,
  by,
  rejectType,
  renameType,
  shownAs,
} from '../votes/voting.ts';

let service: TestService;
let address = '';
before(async () => {
  service = await startTestService();
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  address = addresses[0] ?? assert.fail();
  await makeUser(service, 'anna');
  await makePolicy(service, 'two', { condition: 'true', consensus: 'approvers.count() >= 2' });
});
after(() => service.close());

/** The clock advances by this at each read, once a key is about to expire. */
const tickMs = 1_000;
/** The maximum number of clock reads by one request. */
const readings = 30;

/** Adds a key to the root user that expires at this time. */
async function addKey(name: string, expiresAtMs: number) {
  const key = testKey(name);
  await changeOrganization(service, (draft, newId) => {
    const createdAtMs = expiresAtMs - 1_000_000;
    draft.put('api_key', {
      id: newId(),
      userId: service.root.userId,
      name,
      publicKey: key.publicKey,
      type: 'CREDENTIAL_TYPE_API_KEY_P256',
      expirationSeconds: 1_000,
      createdAtMs,
      updatedAtMs: createdAtMs,
    });
    return undefined;
  });
  return key;
}

type Asked = { readonly operation: string; readonly type: string; readonly parameters: object };

/**
 * Sends a request with keys that expire after 0, 1, 2 … clock reads, and returns the number of accepted
 * requests. No accepted activity may be recorded at the expiry or later.
 */
async function accepted(name: string, asked: () => Promise<Asked>): Promise<number> {
  let count = 0;
  for (let i = 0; i < readings; i += 1) {
    const { operation, type, parameters } = await asked();
    service.advance(1);
    const expiresAtMs = service.now() + i * tickMs + 1;
    const key = await addKey(`${name} ${i}`, expiresAtMs);
    let now = service.now() - tickMs;
    let isTicking = false;
    const clock = () => {
      if (isTicking) now += tickMs;
      return now;
    };
    const over = await startServiceOver({
      store: service.store.port,
      seed: `${name} ${i}`,
      clock,
      outside: service.outside,
    });
    const { organizationId } = service.root;
    const body = activityBody(type, organizationId, parameters, service.now());
    isTicking = true;
    const { status, body: answer } = await over.send('submit', operation, body, key);
    isTicking = false;
    if (status !== 200) continue;
    count += 1;
    const { updatedAt, votes } = answer.activity;
    const recordedAtMs = Number(votes.at(-1).createdAt.seconds) * 1_000;
    assert(recordedAtMs < expiresAtMs, `${name}: ${JSON.stringify(updatedAt)}, key of ${i} ticks`);
  }
  return count;
}

const sign = async (): Promise<Asked> => ({
  operation: 'sign_raw_payload',
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: { signWith: address, ...payloadOf(`payload ${service.now()}`) },
});
const rename = async (): Promise<Asked> => ({
  operation: 'update_organization_name',
  type: renameType,
  parameters: { organizationName: `Name ${service.now()}` },
});

test('a signature is recorded before the expiry of its key', async () => {
  const count = await accepted('signature', sign);
  assert(count > 0 && count < readings, `${count} were accepted`);
});

test('a change is recorded before the expiry of its key', async () => {
  const count = await accepted('change', rename);
  assert(count > 0 && count < readings, `${count} were accepted`);
});

/** Returns a function that votes on a waiting activity, each time another one. */
const vote = (operation: string, type: string) => async (): Promise<Asked> => {
  const waiting = await askForWallet(service, `By ${service.now()}`, by('anna'));
  const { fingerprint } = shownAs('CONSENSUS_NEEDED', waiting);
  return { operation, type, parameters: { fingerprint } };
};

test('an approval is recorded before the expiry of its key', async () => {
  const count = await accepted('approval', vote('approve_activity', approveType));
  assert(count > 0 && count < readings, `${count} were accepted`);
});

test('a rejection is recorded before the expiry of its key', async () => {
  const count = await accepted('rejection', vote('reject_activity', rejectType));
  assert(count > 0 && count < readings, `${count} were accepted`);
});
