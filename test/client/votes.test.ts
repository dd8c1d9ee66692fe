// The content that an approver may rely on: the bytes that were signed, by whichever kind of key.

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

/** A tag that a user with these credentials asks for, which waits. */
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

/** A key of `@noble/curves`, which knows nothing of the library. */
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

/** `navigator.credentials` over an authenticator in software. */
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

/** Kinds of keys that can ask for something that others vote on. */
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

    // Whatever a gateway changes of what was signed is noticed.
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

/** Another text of the same form. */
const flipped = (text: string): string =>
  text.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (digit) => (digit === '0' ? '1' : '0'));

test('a user who rejected a request is not taken for its submitter', async () => {
  const key = await newKey();
  const id = await waitingTag(key, apiKeyOf(key.publicKey, 'API_KEY_CURVE_P256'));
  await root.reject(await root.activity(id));
  const lying = await clientOf(service, {
    fetch: async (...sent) => {
      const answer = await (await fetchOf(service)(...sent)).json();
      const [asked, rejection] = answer.activity.votes;
      answer.activity.request = { userId: rejection.userId, message: asked.message };
      answer.activity.votes = [{ ...rejection, selection: 'VOTE_SELECTION_APPROVED' }];
      return Response.json(answer);
    },
  });
  await assert.rejects(lying.activity(id), { name: 'Untrusted', code: 'SIGNATURE_UNCHECKED' });
});
