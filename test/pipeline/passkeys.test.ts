// Requests stamped by passkeys: their user, the organizations that accept them, and their checks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { base64url, bytesOfBase64url, utf8 } from '../../src/core/base/bytes.ts';
import {
  describedPasskey,
  makePasskeys,
  passkeyOf,
  passkeyStamp,
  queryWithPasskey,
  sendPasskeys,
  submitWithPasskey,
} from '../operations/authenticators/authenticator_requests.ts';
import { addChild, changeOrganization } from '../operations/other_callers.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/harness.ts';
import { authenticatorFlags, type Ceremony } from '../support/software_authenticator.ts';
import { activityCount, clientCodeOf, organizationName, renameType } from './requests.ts';

let service: TestService;
let rootId: string;
before(async () => {
  service = await startTestService();
  rootId = service.root.organizationId;
  await makePasskeys(service, service.root.userId, ['Root']);
});
after(() => service.close());

const whoamiBody = (organizationId = rootId) => utf8(JSON.stringify({ organizationId }));

const ask = (value: string, body = whoamiBody()): Promise<TestAnswer> =>
  service.send('query', 'whoami', body, [{ name: 'x-stamp-webauthn', value }]);

const rename = (name: string, organizationName: string, of: object = {}) =>
  submitWithPasskey(
    service,
    name,
    'update_organization_name',
    renameType,
    { organizationName },
    of,
  );

/** Returns the bytes of a rename, to send several times. */
function renameBody(name: string): Uint8Array {
  service.advance(1);
  const timestampMs = String(service.now());
  const parameters = { organizationName: name };
  return utf8(
    JSON.stringify({ type: renameType, timestampMs, organizationId: rootId, parameters }),
  );
}

const sendRename = (body: Uint8Array, name = 'Root', ceremony: Ceremony = {}) =>
  service.send('submit', 'update_organization_name', body, [
    passkeyStamp(body, name, { ceremony }),
  ]);

function assertRefused(answer: TestAnswer, clientCode: string, message: RegExp): void {
  const told = JSON.stringify(answer.body);
  assert.equal(answer.status, 401, told);
  assert.equal(answer.body.code, 16, told);
  assert.equal(clientCodeOf(answer), clientCode, told);
  assert.match(answer.body.message, message);
}

/** Creates a child of the first organization whose root user has only these passkeys. */
async function childWith(...names: readonly string[]): Promise<{ id: string; userId: string }> {
  const { status, body } = await service.submit(
    'create_sub_organization',
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    {
      subOrganizationName: `Child of ${names.join()}`,
      rootUsers: [
        {
          userName: `User of ${names.join()}`,
          apiKeys: [],
          authenticators: names.map((name) => describedPasskey(name)),
          oauthProviders: [],
        },
      ],
      rootQuorumThreshold: 1,
    },
  );
  assert.equal(status, 200, JSON.stringify(body));
  const result = body.activity.result.createSubOrganizationResultV8;
  return { id: result.subOrganizationId, userId: result.rootUserIds[0] };
}

// AUTH-03, AUTH-04, AUTH-09
test('queries and submits are stamped by passkeys of both algorithms', async () => {
  const rsa = { algorithm: 'RS256' } as const;
  const described = [describedPasskey('Root, RSA', rsa)];
  const made = await sendPasskeys(service, service.root.userId, described);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  for (const [name, options] of [
    ['Root', {}],
    ['Root, RSA', rsa],
  ] as const) {
    const { body } = await queryWithPasskey(service, name, 'whoami', {}, options);
    assert.equal(body.userId, service.root.userId);
    const renamed = await rename(name, `Renamed by ${name}`, options);
    assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
    assert.equal(await organizationName(service), `Renamed by ${name}`);
  }
});

test('the header is JSON or its base64, in any formatting of JSON', async () => {
  const header = passkeyOf('Root').stamp(whoamiBody());
  const members = JSON.parse(header);
  const backwards = Object.fromEntries(Object.entries(members).toReversed());
  const padded = Object.fromEntries(
    Object.entries(members).map(([name, text]) => {
      const length = Math.ceil(String(text).length / 4) * 4;
      return [name, String(text).padEnd(length, '=')];
    }),
  );
  for (const value of [
    header,
    ` ${header} `,
    base64url(utf8(header)),
    Buffer.from(header).toString('base64'),
    JSON.stringify(backwards, undefined, 2).replaceAll('\n', ' '),
    JSON.stringify({ ...members, surprise: 1 }),
    JSON.stringify(padded),
  ]) {
    const { status, body } = await ask(value);
    assert.equal(status, 200, `${value}: ${JSON.stringify(body)}`);
  }
  for (const value of [
    '',
    '{',
    'null',
    '[]',
    base64url(utf8('[]')),
    JSON.stringify({ ...members, signature: 1 }),
    JSON.stringify({ ...members, signature: '!' }),
    JSON.stringify({ ...members, credentialId: '' }),
    JSON.stringify({ ...members, clientDataJson: undefined }),
    JSON.stringify({ ...members, surprise: 'x'.repeat(10_000) }),
  ]) {
    assertRefused(await ask(value), 'SIGNATURE_INVALID', /^could not extract webauthn stamp: /);
  }
});

test('an assertion is for one body, one relying party and a present user', async () => {
  const body = whoamiBody();
  const good = passkeyOf('Root').stamp(body);
  const members = JSON.parse(good);
  const withSignature = (change: (bytes: Uint8Array) => void) => {
    const bytes = bytesOfBase64url(members.signature);
    assert(bytes !== undefined);
    change(bytes);
    return JSON.stringify({ ...members, signature: base64url(bytes) });
  };
  const wrong: [string, string][] = [
    ['of another body', passkeyOf('Root').stamp(whoamiBody(service.root.userId))],
    ['of the same members otherwise spaced', passkeyOf('Root').stamp(utf8(`${body} `))],
    ['of a registration', passkeyOf('Root').stamp(body, { type: 'webauthn.create' })],
    ['for another relying party', passkeyOf('Root').stamp(body, { rpId: 'other.example' })],
    [
      'with nobody present',
      passkeyOf('Root').stamp(body, { flags: authenticatorFlags.userVerified }),
    ],
    [
      'by another passkey under this id',
      JSON.stringify({
        ...JSON.parse(passkeyOf('Mallory').stamp(body)),
        credentialId: members.credentialId,
      }),
    ],
    [
      'with the data of another assertion',
      JSON.stringify({
        ...members,
        authenticatorData: JSON.parse(passkeyOf('Root').stamp(body, { signCount: 1 }))
          .authenticatorData,
      }),
    ],
    [
      'of a changed signature',
      withSignature((bytes) => bytes.fill(bytes.at(-1) ?? 0, -1).reverse()),
    ],
    [
      'over the hash itself, not its hexadecimal digits',
      passkeyOf('Root').stamp(body, { challenge: base64url(new Uint8Array(32)) }),
    ],
  ];
  for (const [what, value] of wrong) {
    const answer = await ask(value);
    assert.equal(answer.status, 401, what);
    assertRefused(answer, 'SIGNATURE_INVALID', /^could not verify WebAuthN signature: /);
  }
  // An unverified user, counters and extensions are accepted.
  for (const ceremony of [
    { flags: authenticatorFlags.userPresent },
    { signCount: 7 },
    { signCount: 3 },
    { extensions: new Map([['appid', false]]) },
    { clientData: { crossOrigin: true, other: 'member' } },
  ]) {
    assert.equal((await ask(passkeyOf('Root').stamp(body, ceremony))).status, 200);
  }
  const unknown = await ask(passkeyOf('Nobody').stamp(body));
  const id = base64url(passkeyOf('Nobody').credentialId);
  assertRefused(
    unknown,
    'CREDENTIAL_NOT_FOUND',
    new RegExp(`^credential ID could not be found in organization .*credentialId=${id}$`),
  );
});

test('a repeated submit is the same activity, and an old one is refused', async () => {
  const body = renameBody('Once');
  const first = await sendRename(body);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const count = await activityCount(service);
  await rename('Root', 'Twice');
  // With the same assertion, and with a new one.
  for (const ceremony of [{}, { signCount: 9 }]) {
    const again = await sendRename(body, 'Root', ceremony);
    assert.equal(again.body.activity.id, first.body.activity.id);
  }
  assert.equal(await organizationName(service), 'Twice');
  assert.equal(await activityCount(service), count + 1);

  // The assertion does not cover another body.
  const stamp = passkeyStamp(body, 'Root');
  const other = renameBody('Other');
  const replayed = await service.send('submit', 'update_organization_name', other, [stamp]);
  assertRefused(replayed, 'SIGNATURE_INVALID', /the challenge that was signed is not that of this/);
  const late = renameBody('Late');
  service.advance(3_600_001);
  const refused = await sendRename(late);
  assert.equal(refused.status, 400, JSON.stringify(refused.body));
  assert.equal(await organizationName(service), 'Twice');
});

test('a child is read and written by its own passkeys, and only read by those of its parent', async () => {
  const child = await childWith('Own');
  const of = { organizationId: child.id };
  const own = await queryWithPasskey(service, 'Own', 'whoami', {}, of);
  assert.deepEqual([own.body.organizationId, own.body.userId], [child.id, child.userId]);
  const parents = await queryWithPasskey(service, 'Root', 'whoami', {}, of);
  assert.deepEqual(
    [parents.body.organizationId, parents.body.userId],
    [child.id, service.root.userId],
  );
  assert.equal((await queryWithPasskey(service, 'Root', 'list_users', {}, of)).status, 200);

  assert.equal((await rename('Own', 'By itself', of)).status, 200);
  const refused = await rename('Root', 'By the parent', of);
  assert.equal(refused.status, 400);
  assert.equal(clientCodeOf(refused), 'ORGANIZATION_MISMATCH');
  // Neither its parent nor a sibling accepts it.
  const sibling = await childWith('Of the sibling');
  for (const organizationId of [rootId, sibling.id]) {
    const read = await queryWithPasskey(service, 'Own', 'list_users', {}, { organizationId });
    assertRefused(read, 'CREDENTIAL_NOT_FOUND', /^credential ID could not be found/);
    const written = await rename('Own', 'Mine', { organizationId });
    assertRefused(written, 'CREDENTIAL_NOT_FOUND', /^credential ID could not be found/);
  }
});

test('the child of a passkey is found from its parent, while only one child has it', async () => {
  const child = await childWith('Wanderer');
  const found = await queryWithPasskey(service, 'Wanderer', 'whoami');
  assert.deepEqual([found.body.organizationId, found.body.userId], [child.id, child.userId]);
  // Only operations that search children find it.
  const other = await queryWithPasskey(service, 'Wanderer', 'get_organization_configs');
  assertRefused(other, 'CREDENTIAL_NOT_FOUND', /^credential ID could not be found/);
  // The signature must still be valid.
  const forged = await queryWithPasskey(service, 'Wanderer', 'whoami', {}, { rpId: 'else' });
  assertRefused(forged, 'SIGNATURE_INVALID', /relying party/);

  const second = await childWith('Wanderer');
  const first = await queryWithPasskey(service, 'Wanderer', 'whoami');
  assert.equal(first.body.organizationId, child.id, 'the one that was registered first');
  for (const { id: organizationId } of [child, second]) {
    assert.equal((await rename('Wanderer', 'Signed for', { organizationId })).status, 200);
  }
  const ambiguous = await queryWithPasskey(service, 'Wanderer', 'whoami');
  const text = /^more than one user or suborg associated with a credential ID$/;
  assertRefused(ambiguous, 'CREDENTIAL_CONFLICT', text);
  for (const { id, userId } of [child, second]) {
    const of = { organizationId: id };
    const named = await queryWithPasskey(service, 'Wanderer', 'whoami', {}, of);
    assert.equal(named.body.userId, userId);
  }
  const deletion = await submitWithPasskey(
    service,
    'Wanderer',
    'delete_sub_organization',
    'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION',
    { deleteWithoutExport: true },
    { organizationId: child.id },
  );
  assert.equal(deletion.status, 200, JSON.stringify(deletion.body));
  const left = await queryWithPasskey(service, 'Wanderer', 'whoami');
  assert.equal(left.body.organizationId, second.id);
});

test('a passkey of the parent and of a child acts in the named organization', async () => {
  const child = await childWith('Root');
  for (const [organizationId, userId] of [
    [rootId, service.root.userId],
    [child.id, child.userId],
  ] as const) {
    const { body } = await queryWithPasskey(service, 'Root', 'whoami', {}, { organizationId });
    assert.deepEqual([body.organizationId, body.userId], [organizationId, userId]);
  }
});

test('an id that a child registered with another key is still a passkey of the parent', async () => {
  const child = await childWith('Of another key');
  const credentialId = base64url(passkeyOf('Root').credentialId);
  await changeOrganization(
    service,
    (draft) => {
      for (const known of draft.list('authenticator')) {
        draft.put('authenticator', { ...known, credentialId });
      }
      return undefined;
    },
    child.id,
  );
  const of = { organizationId: child.id };
  const read = await queryWithPasskey(service, 'Root', 'whoami', {}, of);
  assert.deepEqual([read.status, read.body.userId], [200, service.root.userId]);
  const forged = await queryWithPasskey(service, 'Root', 'whoami', {}, { ...of, rpId: 'else' });
  assertRefused(forged, 'SIGNATURE_INVALID', /relying party/);
});

test('a passkey is not released past a change of the origins that the parent allows', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const child = await addChild(own);
  const { body: root } = await own.query('whoami', {}, child);
  await makePasskeys(own, root.userId, ['Child'], child);
  const { port } = own.store;
  const { organization } = port;
  let readings = 0;
  // The passkey is verified with the parent in its older version.
  port.organization = async (asked) => {
    const answer = await organization(asked);
    if (asked.organizationId !== own.root.organizationId) return answer;
    readings += 1;
    if (readings > 1) return answer;
    const feature = { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://wallet.example' };
    const setType = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE';
    const { status } = await own.submit('set_organization_feature', setType, feature);
    assert.equal(status, 200);
    return answer;
  };
  const answer = await submitWithPasskey(
    own,
    'Child',
    'update_organization_name',
    renameType,
    { organizationName: 'From anywhere' },
    { organizationId: child.organizationId, ceremony: { origin: 'https://anywhere.example' } },
  );
  assertRefused(answer, 'SIGNATURE_INVALID', /not valid for the origin/);
  assert(readings > 1);
});

test('the origins of the parent apply to its passkeys and those of its children', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const child = await addChild(own);
  const ofChild = await makeUser(own, 'Of the child', {}, child);
  await makePasskeys(own, own.root.userId, ['Parent']);
  await makePasskeys(own, ofChild, ['Child'], child);
  const { organizationId } = child;
  const name = 'FEATURE_NAME_WEBAUTHN_ORIGINS';
  const setType = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE';
  const set = async (value: string, as = {}) => {
    const feature = { name, value };
    const answer = await own.submit('set_organization_feature', setType, feature, as);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const from = (origin: string, passkey: string, of: object = {}) =>
    queryWithPasskey(own, passkey, 'whoami', {}, { ceremony: { origin }, ...of });
  const anywhere = 'https://anywhere.example';
  const wallet = 'https://wallet.example';

  // The feature of the child itself has no effect.
  await set('https://of-the-child.example', child);
  for (const origin of [anywhere, wallet]) {
    assert.equal((await from(origin, 'Parent')).status, 200);
    assert.equal((await from(origin, 'Child', { organizationId })).status, 200);
  }
  await set(`${wallet}, https://pay.example`);
  const text =
    /^passkeys of this organization are not valid for the origin `https:\/\/anywhere\.example`: expected one of https:\/\/wallet\.example, https:\/\/pay\.example$/;
  for (const [passkey, of] of [
    ['Parent', {}],
    ['Parent', { organizationId }],
    ['Child', { organizationId }],
    // The child is found from its parent.
    ['Child', {}],
  ] as const) {
    assertRefused(await from(anywhere, passkey, of), 'SIGNATURE_INVALID', text);
    for (const near of [
      'https://wallet.example:8443',
      'http://wallet.example',
      'https://wallet.example.',
      'https://Wallet.example',
      'https://sub.wallet.example',
      '',
    ]) {
      assert.equal((await from(near, passkey, of)).status, 401, near);
    }
    assert.equal((await from(wallet, passkey, of)).status, 200);
    assert.equal((await from('https://pay.example', passkey, of)).status, 200);
  }
  const refused = await submitWithPasskey(
    own,
    'Parent',
    'update_organization_name',
    renameType,
    { organizationName: 'From anywhere' },
    { ceremony: { origin: anywhere } },
  );
  assertRefused(refused, 'SIGNATURE_INVALID', text);
  assert.equal(await organizationName(own), 'Test organization');
  // A caller without a valid signature does not learn the allowed origins.
  const ceremony = { origin: anywhere, rpId: 'other.example' };
  const forged = await queryWithPasskey(own, 'Parent', 'whoami', {}, { ceremony });
  assertRefused(forged, 'SIGNATURE_INVALID', /^could not verify WebAuthN signature: /);

  const removeType = 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE';
  const removed = await own.submit('remove_organization_feature', removeType, { name });
  assert.equal(removed.status, 200, JSON.stringify(removed.body));
  assert.equal((await from(anywhere, 'Child', { organizationId })).status, 200);
});
