// A dry run of a vote shows its outcome, and neither counts nor signs.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { storedCount } from '../operations/checks.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makePrivateKeys } from '../operations/private_keys/private_key_requests.ts';
import { stampOf, type TestAnswer, testKey } from '../support/harness.ts';
import {
  approve,
  approveType,
  bodyOf,
  by,
  read,
  rejectType,
  rename,
  renameType,
  sendBody,
  shownAs,
  startVoters,
  type Voters,
} from './voting.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

async function tryBody(operation: string, body: Uint8Array, name: string): Promise<TestAnswer> {
  const { service } = voters;
  const before = await storedCount(service);
  const answer = await service.enclave.request({
    requestId: 'dry run',
    kind: 'dry_run',
    operation,
    headers: [stampOf(body, testKey(name))],
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
    body,
  });
  assert.deepEqual(await storedCount(service), before, 'nothing is changed or kept');
  return { status: answer.status, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
}

const vote = (type: string, fingerprint: string, name: string) =>
  tryBody(
    type === approveType ? 'approve_activity' : 'reject_activity',
    bodyOf(voters.service, type, { fingerprint }),
    name,
  );

const statusOf = ({ status, body }: TestAnswer) => [status, body.dryRun?.status];

test('dry runs of an approval, a rejection and the same body show their outcome', async () => {
  const { service } = voters;
  await voters.formQuorum();
  const body = bodyOf(service, renameType, { organizationName: 'Renamed' });
  const waiting = shownAs(
    'CONSENSUS_NEEDED',
    await sendBody(service, 'update_organization_name', body),
  );
  const { fingerprint } = waiting;
  const completed = [200, 'ACTIVITY_STATUS_COMPLETED'];
  const rejected = [200, 'ACTIVITY_STATUS_REJECTED'];
  assert.deepEqual(statusOf(await vote(approveType, fingerprint, 'Second')), completed);
  assert.deepEqual(statusOf(await vote(rejectType, fingerprint, 'Second')), rejected);
  assert.deepEqual(statusOf(await tryBody('update_organization_name', body, 'Second')), completed);
  for (const type of [approveType, rejectType]) {
    assert.deepEqual(statusOf(await vote(type, fingerprint, 'Plain')), [403, undefined]);
  }
  assert.deepEqual(await read(service, waiting), waiting);
  shownAs('COMPLETED', await approve(service, waiting, by('Third')));
  assert.deepEqual(statusOf(await vote(approveType, fingerprint, 'Second')), completed);
  assert.deepEqual(statusOf(await vote(rejectType, fingerprint, 'Second')), [400, undefined]);
  const another = shownAs('CONSENSUS_NEEDED', await rename(service, 'Another'));
  shownAs('COMPLETED', await approve(service, another, by('Third')));
});

test('a dry run of a vote signs nothing', async () => {
  const { service } = voters;
  await makePolicy(service, 'Signing', { condition: "activity.action == 'SIGN'" });
  const [key] = await makePrivateKeys(service);
  const sign = {
    signWith: key?.privateKeyId,
    payload: 'text',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  };
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  const body = bodyOf(service, type, sign);
  const send = (name: string) => sendBody(service, 'sign_raw_payload', body, by(name));
  const waiting = shownAs('CONSENSUS_NEEDED', await send('Trader'));
  for (const answer of [
    await vote(approveType, waiting.fingerprint, 'Officer'),
    await tryBody('sign_raw_payload', body, 'Officer'),
  ]) {
    assert.equal(answer.body.dryRun.status, 'ACTIVITY_STATUS_COMPLETED');
    assert.deepEqual(Object.keys(answer.body), ['dryRun']);
    assert.ok(!/"[rsv]":/.test(JSON.stringify(answer.body)));
  }
  const { r, s } = shownAs('COMPLETED', await send('Officer')).result.signRawPayloadResult;
  assert.match(`${r}${s}`, /^[0-9a-f]{128}$/);
});
