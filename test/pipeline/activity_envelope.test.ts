import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import {
  stampOf,
  startMs,
  startTestService,
  type TestService,
  testKey,
} from '../support/harness.ts';
import {
  bytesOf,
  der,
  p256Signature,
  renameEnvelope,
  renameType,
  sendRename,
  stampHeader,
} from './requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an activity has exactly its members, and the submission is the first vote', async () => {
  const text = JSON.stringify(renameEnvelope(service), null, 2);
  const body = bytesOf(text);
  const stamp = stampOf(body, service.root.key);
  const answer = await sendRename(service, body, [stamp]);
  assert.equal(answer.status, 200);
  // REQ-08, SHAPE-04
  assert.deepEqual(Object.keys(answer.body), ['activity']);
  const { id, votes, ...rest } = answer.body.activity;
  const fingerprint = createHash('sha256').update(body).digest('hex');
  const moment = new Date(startMs).toISOString();
  // ENV-01
  assert.match(id, uuid);
  assert.deepEqual(rest, {
    organizationId: service.root.organizationId, // ENV-02
    status: 'ACTIVITY_STATUS_COMPLETED', // ENV-03, STATE-01, STATE-02
    type: renameType, // ENV-04
    intent: { updateOrganizationNameIntent: { organizationName: 'Renamed' } }, // ENV-05 … ENV-07
    result: {
      updateOrganizationNameResult: {
        organizationId: service.root.organizationId,
        organizationName: 'Renamed',
      },
    }, // ENV-08, ENV-09, REQ-09
    fingerprint: `sha256:${fingerprint}`, // ENV-11
    canApprove: false, // ENV-12, STATE-03
    canReject: false, // ENV-13, STATE-03
    createdAt: moment, // ENV-14
    updatedAt: moment, // ENV-15
  });

  // ENV-10, SVC-13
  assert.equal(votes.length, 1);
  const [{ id: voteId, user, ...vote }] = votes;
  assert.match(voteId, uuid);
  assert.notEqual(voteId, id);
  const { publicKey, signature, scheme } = JSON.parse(
    Buffer.from(stamp.value, 'base64url').toString(),
  );
  const seconds = String(startMs / 1000);
  assert.deepEqual(vote, {
    userId: service.root.userId,
    activityId: id,
    selection: 'VOTE_SELECTION_APPROVED',
    message: text,
    publicKey,
    signature,
    scheme,
    createdAt: { seconds, nanos: '0' },
  });
  const created = { seconds, nanos: '0' };
  assert.deepEqual(user, {
    userId: service.root.userId,
    userName: 'Root user',
    authenticators: [],
    apiKeys: [
      {
        credential: { publicKey: service.root.key.publicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' },
        apiKeyId: service.root.apiKeyId,
        apiKeyName: 'Root key',
        createdAt: created,
        updatedAt: created,
      },
    ],
    userTags: [],
    oauthProviders: [],
    createdAt: created,
    updatedAt: created,
    mfaPolicies: [],
  });
  // The stored vote verifies: the signature covers the message.
  const verifies = p256.verify(
    Uint8Array.fromHex(vote.signature),
    bytesOf(vote.message),
    Uint8Array.fromHex(vote.publicKey),
    { format: 'der' },
  );
  assert.ok(verifies);
});

test('a vote shows key and signature in the spelling of the request', async () => {
  service.advance(1);
  const body = bytesOf(renameEnvelope(service));
  const { r, s } = p256Signature(body, service.root.key);
  const sent = {
    publicKey: service.root.key.publicKey.toUpperCase(),
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature: der(r, s).toHex().toUpperCase(),
  };
  const { body: answer } = await sendRename(service, body, [stampHeader(sent)]);
  const { publicKey, scheme, signature } = answer.activity.votes[0];
  assert.deepEqual({ publicKey, scheme, signature }, sent);
});

test('times are RFC 3339 text by default, and Timestamp objects for clients that expect them', async () => {
  service.advance(1_234);
  const body = bytesOf(renameEnvelope(service));
  const ask = (timestampObjects: boolean) =>
    service.send(
      'submit',
      'update_organization_name',
      body,
      [stampOf(body, service.root.key)],
      timestampObjects,
    );
  const ms = service.now();
  const asText = { createdAt: new Date(ms).toISOString(), updatedAt: new Date(ms).toISOString() };
  const object = { seconds: String(Math.floor(ms / 1000)), nanos: `${ms % 1000}000000` };
  const asObject = { createdAt: object, updatedAt: object };
  const timesOf = ({ createdAt, updatedAt }: { createdAt: unknown; updatedAt: unknown }) => ({
    createdAt,
    updatedAt,
  });

  const { activity } = (await ask(false)).body;
  assert.deepEqual(timesOf(activity), asText);
  assert.deepEqual(timesOf((await ask(true)).body.activity), asObject);
  for (const timestampObjects of [false, true]) {
    const expected = timestampObjects ? asObject : asText;
    const one = bytesOf({
      organizationId: service.root.organizationId,
      activityId: activity.id,
    });
    const got = await service.send(
      'query',
      'get_activity',
      one,
      [stampOf(one, service.root.key)],
      timestampObjects,
    );
    assert.deepEqual(timesOf(got.body.activity), expected);
    assert.deepEqual(got.body.activity.votes[0].createdAt, object);
    const all = bytesOf({ organizationId: service.root.organizationId });
    const listed = await service.send(
      'query',
      'list_activities',
      all,
      [stampOf(all, service.root.key)],
      timestampObjects,
    );
    assert.deepEqual(timesOf(listed.body.activities[0]), expected);
  }
});

test('a refused request leaves no activity', async () => {
  const before = (await service.query('list_activities')).body.activities.length;
  service.advance(1);
  const body = bytesOf(renameEnvelope(service));
  assert.equal((await sendRename(service, body, [])).status, 401);
  assert.equal((await sendRename(service, body, [stampOf(body, testKey('stranger'))])).status, 401);
  assert.equal((await sendRename(service, { ...renameEnvelope(service), x: 1 })).status, 400);
  assert.equal((await service.query('list_activities')).body.activities.length, before);
});
