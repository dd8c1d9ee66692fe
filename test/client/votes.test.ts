// The content on which an approver may rely: the signed bytes, for every kind of key.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  attested,
  type Client,
  externalKey,
  newKey,
  passkey,
  type Stamp,
  Untrusted,
  type VerifySecp256k1,
} from '../../src/client/index.ts';
import { keyOfVote } from '../../src/client/vote_signatures.ts';
import { hex } from '../../src/core/base/bytes.ts';
import { describedPasskey } from '../operations/authenticators/authenticator_requests.ts';
import { attestedContact } from '../pipeline/attested_requests.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';
import { createSoftwareAuthenticator } from '../support/software_authenticator.ts';
import { clientOf, fetchOf, stampOfTestKey } from './service_fetch.ts';

let service: TestService;
let root: Client;
before(async () => {
  service = await startTestService();
  root = await clientOf(service);
  await root.submit('set_organization_feature', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    value: '',
  });
  await root.submit('create_policy', {
    policyName: 'two for tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
});
after(() => service.close());

type NewUser = Parameters<typeof root.submit<'create_users'>>[1]['users'][number];
let tags = 0;

/** Requests a tag as a user with these credentials; the activity waits for a vote. */
async function waitingTag(stamp: Stamp, credentials: Partial<NewUser>): Promise<string> {
  tags += 1;
  await root.submit('create_users', {
    users: [
      {
        userName: `user ${tags}`,
        apiKeys: [],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
        ...credentials,
      },
    ],
  });
  const asked = await root
    .as(stamp)
    .ask('create_user_tag', { userTagName: `tag ${tags}`, userIds: [] });
  assert.equal(asked.outcome, 'waiting');
  return asked.activity.id;
}

const apiKeyOf = (publicKey: string, curveType: NewUser['apiKeys'][number]['curveType']) => ({
  apiKeys: [{ apiKeyName: 'key', publicKey, curveType }],
});

/** Keys of `@noble/curves`, whose code is independent of the library. */
const secret = testKey('another curve').privateKey;
const ed25519Key = externalKey({
  publicKey: hex(ed25519.getPublicKey(secret)),
  scheme: 'SIGNATURE_SCHEME_TK_API_ED25519',
  sign: (bytes) => ed25519.sign(bytes, secret),
});
const secp256k1Key = externalKey({
  publicKey: hex(secp256k1.getPublicKey(secret, true)),
  scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1',
  sign: (bytes) => secp256k1.sign(bytes, secret, { format: 'der' }),
});

/** Returns a stamp of `navigator.credentials` over a software authenticator. */
function softwarePasskey(seed: string, algorithm: 'ES256' | 'RS256'): Stamp {
  const authenticator = createSoftwareAuthenticator({ seed, algorithm });
  return passkey({
    authenticators: {
      get: async ({ publicKey }) => {
        const { challenge } = publicKey as { readonly challenge: Uint8Array };
        const made = authenticator.assertion(Buffer.from(challenge).toString('base64url'));
        return {
          rawId: authenticator.credentialId,
          response: {
            authenticatorData: made.authenticatorData,
            clientDataJSON: made.clientDataJson,
            signature: made.signature,
          },
        };
      },
    },
  });
}

const passkeyOf = (seed: string, algorithm: 'ES256' | 'RS256') => ({
  authenticators: [describedPasskey(seed, { algorithm })],
});

/** The kinds of keys that can sign a request on which others vote. */
const kinds: Readonly<Record<string, () => Promise<readonly [Stamp, Partial<NewUser>]>>> = {
  'P-256': async () => {
    const key = testKey('alice');
    return [await stampOfTestKey(key), apiKeyOf(key.publicKey, 'API_KEY_CURVE_P256')];
  },
  Ed25519: async () => [ed25519Key, apiKeyOf(ed25519Key.publicKey, 'API_KEY_CURVE_ED25519')],
  'a passkey of ES256': async () => [
    softwarePasskey('phone', 'ES256'),
    passkeyOf('phone', 'ES256'),
  ],
  'a passkey of RS256': async () => [softwarePasskey('key', 'RS256'), passkeyOf('key', 'RS256')],
  'an attested key': async () => {
    const key = testKey('attested');
    const userEmail = 'bob@example.com';
    const { token } = attestedContact(service, key, userEmail);
    const spare = apiKeyOf(testKey('spare').publicKey, 'API_KEY_CURVE_P256');
    return [attested(await stampOfTestKey(key), token), { userEmail, ...spare }];
  },
};

for (const [kind, credentialsOf] of Object.entries(kinds)) {
  test(`the client verifies an activity signed with ${kind}, and approves the bytes that it read`, async () => {
    const [stamp, credentials] = await credentialsOf();
    const id = await waitingTag(stamp, credentials);
    const activity = await root.activity(id);
    assert.deepEqual(activity.intent, { userTagName: `tag ${tags}`, userIds: [] });
    const { outcome } = await root.approve(activity);
    assert.equal(outcome, 'done');

    // The client detects every change of the signed content by a gateway.
    const lies: readonly ((vote: Record<string, unknown>) => void)[] = [
      (vote) => {
        vote['message'] = String(vote['message']).replace('tag', 'tax');
      },
      (vote) => {
        vote['publicKey'] = root.organizationId;
      },
      (vote) => {
        vote['signature'] = flipped(String(vote['signature']));
      },
      (vote) => {
        vote['scheme'] = 'SIGNATURE_SCHEME_TK_API_SECP256K1';
      },
    ];
    for (const lie of lies) {
      const lying = await clientOf(service, {
        fetch: async (...sent) => {
          const answer = await (await fetchOf(service)(...sent)).json();
          lie(answer.activity.votes[0]);
          return Response.json(answer);
        },
      });
      await assert.rejects(lying.activity(id), Untrusted);
    }
  });
}

test('a signature of secp256k1 is verified by the function that is given, and by it alone', async () => {
  const credentials = apiKeyOf(secp256k1Key.publicKey, 'API_KEY_CURVE_SECP256K1');
  const id = await waitingTag(secp256k1Key, credentials);
  await assert.rejects(
    root.activity(id),
    (error) => error instanceof Untrusted && error.code === 'SIGNATURE_UNCHECKED',
  );
  const verifySecp256k1: VerifySecp256k1 = ({ publicKey, signature, message }) =>
    secp256k1.verify(signature, message, Buffer.from(publicKey, 'hex'), { format: 'der' });
  const able = await clientOf(service, { verifySecp256k1 });
  assert.equal((await able.activity(id)).type, 'ACTIVITY_TYPE_CREATE_USER_TAG');
  const unable = await clientOf(service, { verifySecp256k1: () => false });
  await assert.rejects(unable.activity(id), Untrusted);
});

test('a user who may not see the code in an activity cannot vote on it', async () => {
  const { publicKey } = testKey('carol');
  const asked = await root.ask('create_policy', {
    policyName: 'two for codes',
    effect: 'EFFECT_ALLOW',
    condition: "activity.type == 'ACTIVITY_TYPE_OTP_AUTH'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  assert.equal(asked.outcome, 'done');
  tags += 1;
  const carol = await clientOf(service, { key: testKey('carol') });
  const otpId = root.organizationId;
  await root.submit('create_users', {
    users: [
      {
        userName: 'carol',
        ...apiKeyOf(publicKey, 'API_KEY_CURVE_P256'),
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  const waiting = await carol.ask('otp_auth', {
    otpId,
    otpCode: '123456',
    targetPublicKey: publicKey,
  });
  assert.equal(waiting.outcome, 'waiting');
  await assert.rejects(
    root.activity(waiting.activity.id),
    (error) => error instanceof Untrusted && error.code === 'MESSAGE_HIDDEN',
  );
});

/** Returns another text of the same form. */
const flipped = (text: string): string =>
  text.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (digit) => (digit === '0' ? '1' : '0'));

test('a user who votes on a request cannot be shown as its submitter', async () => {
  for (const cast of ['reject', 'approve'] as const) {
    const [key, second] = [await newKey(), await newKey()];
    const id = await waitingTag(key, {
      apiKeys: [key, second].map(({ publicKey }, i) => ({
        apiKeyName: `key ${i}`,
        publicKey,
        curveType: 'API_KEY_CURVE_P256' as const,
      })),
    });
    const activity = await root.activity(id);
    await root[cast](activity);
    const lying = await clientOf(service, {
      fetch: async (...sent) => {
        const answer = await (await fetchOf(service)(...sent)).json();
        const [asked, vote] = answer.activity.votes;
        answer.activity.request = { userId: vote.userId, message: asked.message };
        answer.activity.votes = [{ ...vote, selection: 'VOTE_SELECTION_APPROVED' }];
        return Response.json(answer);
      },
    });
    const code = 'SIGNATURE_UNCHECKED';
    await assert.rejects(lying.activity(id), { name: 'Untrusted', code }, cast);
    // The key of the voter did not sign the request.
    const forging = await clientOf(service, {
      fetch: async (...sent) => {
        const answer = await (await fetchOf(service)(...sent)).json();
        const [asked, vote] = answer.activity.votes;
        answer.activity.request = { ...vote, message: asked.message };
        answer.activity.votes = [vote];
        return Response.json(answer);
      },
    });
    const invalid = { name: 'Untrusted', code: 'SIGNATURE_INVALID' };
    await assert.rejects(forging.activity(id), invalid, cast);
  }
});

test('a submitter who votes again stays the submitter, beside a user who sent the same body', async () => {
  const [first, second, other] = [await newKey(), await newKey(), await newKey()];
  const named = ({ publicKey }: { readonly publicKey: string }, apiKeyName: string) => ({
    apiKeyName,
    publicKey,
    curveType: 'API_KEY_CURVE_P256' as const,
  });
  const ofUser = (userName: string, apiKeys: readonly ReturnType<typeof named>[]) => ({
    userName,
    apiKeys: [...apiKeys],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  });
  const { userIds } = await root.submit('create_users', {
    users: [
      ofUser('asker', [named(first, 'first'), named(second, 'second')]),
      ofUser('other', [named(other, 'other')]),
    ],
  });
  const [askerId = ''] = userIds;
  const { policyId } = await root.submit('create_policy', {
    policyName: 'three for wallets',
    effect: 'EFFECT_ALLOW',
    condition: "activity.type == 'ACTIVITY_TYPE_CREATE_WALLET'",
    consensus: 'approvers.count() >= 3',
    notes: '',
  });
  const asked = await root
    .as(first)
    .ask('create_wallet', { walletName: 'Three approve', accounts: [] });
  const { id } = asked.outcome === 'refused' ? assert.fail(asked.error) : asked.activity;
  const { activity } = await root.query('get_activity', { activityId: id });
  const body = activity.votes[0]?.message ?? '';
  const { name, value } = await other.header(new Uint8Array(Buffer.from(body)));
  const url = 'http://service.test/public/v1/submit/create_wallet';
  const sent = await fetchOf(service)(url, {
    headers: { [name.toLowerCase()]: value },
    body,
  });
  assert.equal(sent.status, 200);
  // The first vote has ended by then.
  service.advance(25 * 60 * 60 * 1000);
  await root.as(second).approve(await root.as(second).activity(id));
  const seen = await root.activity(id);
  const { scheme } = first;
  assert.deepEqual(seen.submitter, { userId: askerId, publicKey: first.publicKey, scheme });
  assert.equal(seen.said.votes.length, 2);
  await root.submit('delete_policy', { policyId });
});

test('all spellings of the key of a vote are one key', () => {
  const authenticator = createSoftwareAuthenticator({ seed: 'spelled' });
  const cose = Buffer.from(authenticator.publicKey);
  const scheme = 'SIGNATURE_SCHEME_TK_WEBAUTHN';
  const keyIn = (publicKey: string) => keyOfVote({ scheme, publicKey, message: '', signature: '' });
  // The five pairs of the map in another order: the last one, y, is 35 bytes.
  const reordered = Buffer.concat([cose.subarray(0, 1), cose.subarray(-35), cose.subarray(1, -35)]);
  const key = keyIn(cose.toString('base64url'));
  assert.equal(keyIn(cose.toString('base64')), key);
  assert.equal(keyIn(reordered.toString('base64url')), key);
  const other = createSoftwareAuthenticator({ seed: 'another' });
  assert.notEqual(keyIn(Buffer.from(other.publicKey).toString('base64url')), key);
  // The same point as an API key.
  const [x, y] = [cose.subarray(-67, -35), cose.subarray(-32)];
  const point = Buffer.concat([Uint8Array.of(4), x, y]).toString('hex');
  const asApiKey = { scheme: 'SIGNATURE_SCHEME_TK_API_P256', message: '', signature: '' };
  assert.equal(keyOfVote({ ...asApiKey, publicKey: point.toUpperCase() }), key);
  const { publicKey } = createSoftwareAuthenticator({ seed: 'spelled', algorithm: 'RS256' });
  const rsa = Buffer.from(publicKey);
  assert.equal(keyIn(rsa.toString('base64url')), keyIn(rsa.toString('base64')));
});
