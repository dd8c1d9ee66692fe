// A dry run that the signed body requests, so that no proxy can remove it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import type { RequestKind } from '../../src/ipc/messages.ts';
import { storedCount } from '../operations/checks.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import {
  stampOf,
  startTestService,
  type TestAnswer,
  type TestKey,
  type TestService,
} from '../support/harness.ts';

let service: TestService;
let plain: Awaited<ReturnType<typeof addPlainUser>>;

before(async () => {
  service = await startTestService();
  plain = await addPlainUser(service);
});
after(() => service.close());

const wallet = { walletName: 'Tried', accounts: [] };
const rawPayload = {
  payload: 'abc',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
};

test('a signed dry run is never carried out, with any header', async () => {
  for (const kind of ['submit', 'dry_run'] as const) {
    const { status, body } = await sent({ kind, members: { dryRun: true } });
    assert.equal(status, 200, kind);
    assert.equal(body.dryRun.status, 'ACTIVITY_STATUS_COMPLETED');
    assert.equal(body.activity, undefined);
  }
  const signed = await sent({
    kind: 'submit',
    operation: 'sign_raw_payload',
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    parameters: { signWith: 'nobody', ...rawPayload },
    members: { dryRun: true },
  });
  assert.equal(signed.body.activity, undefined);
});

test('a header that contradicts the signed body is refused', async () => {
  for (const [kind, dryRun] of [
    ['no_dry_run', true],
    ['dry_run', false],
  ] as const) {
    const { status, body } = await sent({ kind, members: { dryRun } });
    assert.equal(status, 400);
    assert.match(body.message, /the header `Dry-Run` is .*, but the signed body has/);
  }
  const real = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet);
  assert.equal(real.status, 200);
});

test('a body with the member in another form is refused, not carried out', async () => {
  const inParameters = { ...wallet, dryRun: true };
  const forms: readonly Partial<Sent>[] = [
    { members: { dryRun: 'true' } },
    { members: { dryRun: 1 } },
    { members: { dryRun: {} } },
    { members: { dryrun: true } },
    { members: { DryRun: true } },
    { members: { dry_run: true } },
    { parameters: inParameters },
    { members: { dryRun: true }, parameters: inParameters },
  ];
  for (const form of forms) {
    const { status, body } = await sent({ kind: 'submit', ...form });
    assert.equal(status, 400, JSON.stringify(form));
    assert.match(body.message, /dry_?run/i);
  }
  const { organizationId } = service.root;
  const query = utf8(JSON.stringify({ organizationId, dryRun: true }));
  const answer = await service.send('query', 'list_wallets', query, [
    stampOf(query, service.root.key),
  ]);
  assert.equal(answer.status, 400);
});

test('no vote carries out a body that was sent as a dry run', async () => {
  const policy = {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  };
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy);
  const bytes = bodyOf({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    parameters: { userTagName: 'Tried', userIds: [] },
    members: { dryRun: true },
  });
  const send = (key: TestKey) =>
    service.send('submit', 'create_user_tag', bytes, [stampOf(bytes, key)]);
  const first = await send(plain.key);
  assert.equal(first.body.dryRun.outcome, 'WAIT');
  assert.ok((await send(service.root.key)).body.dryRun);
  const fingerprint = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const vote = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint,
  });
  assert.equal(vote.status, 404);
});

test('a vote can be a dry run by its body, too', async () => {
  const waiting = await service.submit(
    'create_user_tag',
    'ACTIVITY_TYPE_CREATE_USER_TAG',
    { userTagName: 'Waiting', userIds: [] },
    { key: plain.key },
  );
  const { fingerprint, status } = waiting.body.activity;
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const voted = await sent({
    kind: 'submit',
    operation: 'approve_activity',
    type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    parameters: { fingerprint },
    members: { dryRun: true },
  });
  assert.equal(voted.body.dryRun.status, 'ACTIVITY_STATUS_COMPLETED');
  const { id } = waiting.body.activity;
  const read = await service.query('get_activity', { activityId: id });
  assert.equal(read.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
});

type Sent = {
  readonly kind: RequestKind;
  readonly operation: string;
  readonly type: string;
  readonly parameters: object;
  readonly members: object;
};

function bodyOf({ type, parameters, members }: Partial<Sent>): Uint8Array {
  service.advance(1);
  const { organizationId } = service.root;
  const timestampMs = String(service.now());
  return utf8(
    JSON.stringify({
      type: type ?? 'ACTIVITY_TYPE_CREATE_WALLET',
      timestampMs,
      organizationId,
      parameters: parameters ?? wallet,
      ...members,
    }),
  );
}

/** Sends a body with additional members, and asserts that nothing is stored. */
async function sent(given: Partial<Sent>): Promise<TestAnswer> {
  const before = await storedCount(service);
  const body = bodyOf(given);
  const answer = await service.enclave.request({
    requestId: 'dry run',
    kind: given.kind ?? 'submit',
    operation: given.operation ?? 'create_wallet',
    headers: [stampOf(body, service.root.key)],
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
    body,
  });
  assert.deepEqual(await storedCount(service), before);
  return { status: answer.status, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
}
