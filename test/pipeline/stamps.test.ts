import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { base64url, hex, utf8 } from '../../src/core/base/bytes.ts';
import { addChild, changeOrganization } from '../operations/other_callers.ts';
import {
  stampOf,
  startTestService,
  type TestAnswer,
  type TestKey,
  type TestService,
  testKey,
} from '../support/harness.ts';
import {
  bytesOf,
  clientCodeOf,
  der,
  organizationName,
  p256Order,
  p256Signature,
  renameEnvelope,
  type SchemeKey,
  schemeKeys,
  schemeStamp,
  sendRename,
  stampHeader,
} from './requests.ts';

let service: TestService;
let rootStamp: (body: Uint8Array) => { publicKey: string; scheme: string; signature: string };
before(async () => {
  service = await startTestService();
  rootStamp = (body) => ({
    publicKey: service.root.key.publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature: stampSignature(body, service.root.key),
  });
});
after(() => service.close());

function stampSignature(body: Uint8Array, key: TestKey): string {
  const { r, s } = p256Signature(body, key);
  return hex(der(r, s));
}

function whoami(header: { name: string; value: string }): Promise<TestAnswer> {
  return service.send('query', 'whoami', whoamiBody(), [header]);
}

function whoamiBody(): Uint8Array {
  return bytesOf({ organizationId: service.root.organizationId });
}

/** Adds keys to the root user. */
function registerKeys(keys: readonly SchemeKey[], expirationSeconds?: number): Promise<void> {
  return changeOrganization(service, (draft, newId) => {
    const now = service.now();
    for (const { publicKey, type } of keys) {
      draft.put('api_key', {
        id: newId(),
        userId: service.root.userId,
        name: 'Another key',
        publicKey,
        type,
        ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
        createdAtMs: now,
        updatedAtMs: now,
      });
    }
  });
}

/** Returns one key per curve, since EIP-191 shares the secp256k1 key. */
function distinctKeys(keys: readonly SchemeKey[]): SchemeKey[] {
  return keys.filter((key, i) => keys.findIndex((k) => k.publicKey === key.publicKey) === i);
}

test('an unknown operation is refused as such, also without a stamp', async () => {
  for (const kind of ['query', 'submit'] as const) {
    const answer = await service.send(kind, 'invented', utf8('{}'), []);
    assert.equal(answer.status, 404, kind);
  }
});

// REQ-10
test('a request without a stamp is refused for that, whatever its body', async () => {
  const { organizationId } = service.root;
  const bodies = ['', '{', '{}', JSON.stringify({ organizationId }), JSON.stringify({ type: 1 })];
  for (const [kind, operation] of [
    ['query', 'get_api_key'],
    ['submit', 'update_wallet'],
    ['submit', 'approve_activity'],
  ] as const) {
    for (const body of bodies) {
      const answer = await service.send(kind, operation, utf8(body), []);
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.turnkeyErrorCode],
        [401, 16, 'SIGNATURE_MISSING'],
        `${operation} ${body}`,
      );
    }
  }
});

// AUTH-01, AUTH-02, AUTH-05, REQ-10
test('exactly one authentication header is accepted', async () => {
  const body = whoamiBody();
  const own = stampOf(body, service.root.key);
  const ask = (headers: { name: string; value: string }[]) =>
    service.send('query', 'whoami', body, headers);
  const cases: [string, { name: string; value: string }[], string, RegExp][] = [
    [
      'none',
      [],
      'SIGNATURE_MISSING',
      /^no valid authentication signature found for request: cannot authenticate public API activity request without a stamp \(X-Stamp\/X-Stamp-Webauthn header\)$/,
    ],
    [
      'twice the same',
      [own, own],
      'UNAUTHENTICATED',
      /^authentication failed: expected exactly one/,
    ],
    [
      'a passkey beside it',
      [own, { ...own, name: 'x-stamp-webauthn' }],
      'UNAUTHENTICATED',
      /exactly one/,
    ],
    [
      'an API key as a passkey',
      [{ ...own, name: 'x-stamp-webauthn' }],
      'SIGNATURE_INVALID',
      /^could not extract webauthn stamp/,
    ],
    [
      'an API key as an attested one',
      [{ ...own, name: 'x-stamp-attested' }],
      'SIGNATURE_INVALID',
      /could not extract attested stamp/,
    ],
    ['an API key as a session', [{ ...own, name: 'x-session' }], 'UNAUTHENTICATED', /session/],
    [
      'a header of another name',
      [{ ...own, name: 'x-stamp-unknown' }],
      'UNAUTHENTICATED',
      /not accepted here/,
    ],
    ['empty', [{ ...own, value: '' }], 'SIGNATURE_INVALID', /^malformed activity stamp/],
  ];
  for (const [name, headers, clientCode, message] of cases) {
    const answer = await ask(headers);
    assert.equal(answer.status, 401, name);
    assert.equal(answer.body.code, 16, name);
    assert.equal(clientCodeOf(answer), clientCode, name);
    assert.match(answer.body.message, message, name);
  }
  assert.equal((await ask([own])).status, 200);
});

test('malformed stamps are refused as malformed', async () => {
  const stamp = rootStamp(whoamiBody());
  const { signature: _, ...unsigned } = stamp;
  const cases: [string, string][] = [
    ['not base64', '{'.repeat(8)],
    ['not UTF-8', base64url(Uint8Array.of(0xff, 0xfe))],
    ['not JSON', base64url(utf8('stamp'))],
    ...[[], 1, null, 'text', {}, unsigned].map((value): [string, string] => [
      JSON.stringify(value),
      stampHeader(JSON.stringify(value)).value,
    ]),
    ...[
      { scheme: 'SIGNATURE_SCHEME_TK_API_P384' },
      { scheme: '__proto__' },
      { scheme: 1 },
      { publicKey: '' },
      { publicKey: stamp.publicKey.slice(2) },
      { publicKey: `0x${stamp.publicKey}` },
      { publicKey: `${stamp.publicKey.slice(0, -1)}g` },
      { publicKey: [stamp.publicKey] },
      { signature: 'g' },
      { signature: 7 },
    ].map((members): [string, string] => [
      JSON.stringify(members),
      stampHeader({ ...stamp, ...members }).value,
    ]),
    ['too long', stampHeader({ ...stamp, padding: 'x'.repeat(4096) }).value],
  ];
  for (const [name, value] of cases) {
    const answer = await whoami({ name: 'x-stamp', value });
    assert.equal(answer.status, 401, name);
    assert.equal(answer.body.code, 16, name);
    assert.equal(clientCodeOf(answer), 'SIGNATURE_INVALID', name);
    assert.match(answer.body.message, /^malformed activity stamp: could not extract api key stamp/);
  }
});

test('the spellings of a valid stamp that clients produce are accepted', async () => {
  const body = whoamiBody();
  const stamp = rootStamp(body);
  const { r, s } = p256Signature(body, service.root.key);
  const json = JSON.stringify(stamp);
  const padded = btoa(JSON.stringify({ ...stamp, x: '' }));
  assert.ok(padded.endsWith('='), 'the sample needs padding');
  const cases: [string, string][] = [
    ['as it is', base64url(utf8(json))],
    ['padded base64', padded],
    ['white space', base64url(utf8(` ${JSON.stringify(stamp, null, '\t')}\n`))],
    [
      'another order',
      stampHeader(JSON.stringify(Object.fromEntries(Object.entries(stamp).reverse()))).value,
    ],
    ['unknown members', stampHeader({ ...stamp, version: 2, more: [{}] }).value],
    [
      'capitals',
      stampHeader({
        ...stamp,
        publicKey: stamp.publicKey.toUpperCase(),
        signature: stamp.signature.toUpperCase(),
      }).value,
    ],
    [
      'low s',
      stampHeader({ ...stamp, signature: hex(der(r, s < p256Order / 2n ? s : p256Order - s)) })
        .value,
    ],
    [
      'high s',
      stampHeader({ ...stamp, signature: hex(der(r, s > p256Order / 2n ? s : p256Order - s)) })
        .value,
    ],
    ['one superfluous zero', stampHeader({ ...stamp, signature: hex(der(r, s, 1)) }).value],
  ];
  for (const [name, value] of cases) {
    const answer = await whoami({ name: 'x-stamp', value });
    assert.equal(answer.status, 200, `${name}: ${answer.body.message}`);
    assert.equal(answer.body.userId, service.root.userId);
  }
});

test('a signature over other bytes, by another key, or malformed is refused', async () => {
  const body = bytesOf(renameEnvelope(service));
  const stamp = rootStamp(body);
  const { r, s } = p256Signature(body, service.root.key);
  const signatures: [string, string][] = [
    ['stranger', stampSignature(body, testKey('stranger'))],
    ['another body', stampSignature(utf8('{}'), service.root.key)],
    ['empty', ''],
    ['zero r', hex(der(0n, s))],
    ['zero s', hex(der(r, 0n))],
    ['r = order', hex(der(p256Order, s))],
    ['s + order', hex(der(r, s + p256Order))],
    ['not DER', `31${hex(der(r, s)).slice(2)}`],
    ['trailing byte', `${hex(der(r, s))}00`],
    ['cut off', hex(der(r, s)).slice(0, -2)],
    ['64 bytes', r.toString(16).padStart(64, '0') + s.toString(16).padStart(64, '0')],
    ['long', '30'.repeat(600)],
  ];
  for (const [name, signature] of signatures) {
    const answer = await sendRename(service, body, [stampHeader({ ...stamp, signature })]);
    assert.equal(answer.status, 401, name);
    assert.equal(clientCodeOf(answer), 'SIGNATURE_INVALID', name);
    assert.equal(
      answer.body.message,
      'could not verify api key signature: it has to be made over the body exactly as it is sent',
      name,
    );
  }
  assert.equal(await organizationName(service), 'Test organization');
});

test('a body with any altered byte is refused', async () => {
  const body = bytesOf(renameEnvelope(service));
  const header = stampHeader(rootStamp(body));
  const at = [0, 10, body.length >> 1, body.length - 2];
  for (const i of [...at, utf8(JSON.stringify(renameEnvelope(service))).indexOf(0x52)]) {
    const altered = Uint8Array.from(body);
    altered[i] = (altered[i] ?? 0) ^ 0x01;
    const answer = await sendRename(service, altered, [header]);
    assert.ok(answer.status === 401 || answer.status === 400, `byte ${i}`);
  }
  // The altered letter gives a valid request, so only the signature detects it.
  const renamed = new TextDecoder().decode(body).replace('Renamed', 'Benamed');
  assert.equal(clientCodeOf(await sendRename(service, renamed, [header])), 'SIGNATURE_INVALID');
  assert.equal(
    (await sendRename(service, `${new TextDecoder().decode(body)} `, [header])).status,
    401,
  );
  assert.equal(await organizationName(service), 'Test organization');
});

test('a stranger learns only that the key is unknown', async () => {
  const key = testKey('stranger');
  const body = whoamiBody();
  const answer = await whoami(stampOf(body, key));
  assert.equal(answer.status, 401);
  assert.equal(answer.body.code, 16);
  assert.equal(clientCodeOf(answer), 'PUBLIC_KEY_NOT_FOUND');
  assert.equal(
    answer.body.message,
    `could not find public key in organization or its parent organization organizationId=${service.root.organizationId} publicKey=${key.publicKey}`,
  );
  assert.deepEqual(answer.body.details.length, 1);
});

test('the log names the user who was authenticated, and no user for a stranger', async () => {
  const { organizationId } = await addChild(service);
  const asker = async (key: TestKey, named: string) => {
    const body = bytesOf({ organizationId: named });
    const request = {
      requestId: `asker ${key.publicKey} ${named}`,
      body,
      headers: [stampOf(body, key)],
    };
    return (
      await service.enclave.request({
        ...request,
        kind: 'query',
        operation: 'whoami',
        timestampObjects: false,
        remoteAddress: service.remoteAddress,
      })
    ).asker;
  };
  const { root } = service;
  const atHome = await asker(root.key, root.organizationId);
  assert.deepEqual([atHome?.organizationId, atHome?.userId], [root.organizationId, root.userId]);
  // A user of the parent sends a request in its child.
  assert.deepEqual(await asker(root.key, organizationId), atHome);
  assert.equal(await asker(testKey('stranger'), organizationId), undefined);
});

test('AUTH-09: each scheme stamps only with keys of its curve', async () => {
  const keys = schemeKeys(testKey('every curve').privateKey);
  await registerKeys(distinctKeys(keys));
  const body = whoamiBody();
  for (const key of keys) {
    const answer = await whoami(schemeStamp(body, key));
    assert.equal(answer.status, 200, `${key.scheme}: ${answer.body.message}`);
    const signedElse = await whoami(schemeStamp(utf8('{}'), key));
    assert.equal(clientCodeOf(signedElse), 'SIGNATURE_INVALID', key.scheme);

    for (const other of keys) {
      if (other.scheme === key.scheme || other.publicKey.length !== key.publicKey.length) continue;
      const header = schemeStamp(body, key, { scheme: other.scheme });
      const mismatch = await whoami(header);
      assert.equal(mismatch.status, 401, `${key.scheme} as ${other.scheme}`);
    }
  }
});

test('a key registered for one curve is refused under the scheme of another', async () => {
  // 33 bytes that are a point of both curves, so only the registered curve decides.
  const both = Array.from({ length: 64 }, (_, i) => testKey(`both curves ${i}`))
    .map(({ privateKey }) => schemeKeys(privateKey)[1])
    .find((key) => key !== undefined && isP256Point(key.publicKey));
  assert.ok(both);
  await registerKeys([{ ...both, type: 'CREDENTIAL_TYPE_API_KEY_P256' }]);
  const answer = await whoami(schemeStamp(whoamiBody(), both));
  assert.equal(answer.status, 401);
  assert.equal(clientCodeOf(answer), 'PUBLIC_KEY_NOT_FOUND');
});

test('a key expires in the millisecond in which its seconds end', async () => {
  const [key] = schemeKeys(testKey('short life').privateKey);
  assert.ok(key);
  await registerKeys([key], 60);
  const header = schemeStamp(whoamiBody(), key);
  service.advance(59_999);
  assert.equal((await whoami(header)).status, 200);
  service.advance(1);
  const answer = await whoami(header);
  assert.equal(answer.status, 401);
  assert.equal(answer.body.code, 16);
  assert.equal(clientCodeOf(answer), 'API_KEY_EXPIRED');
  assert.match(
    answer.body.message,
    /^expired api key: Unauthenticated desc = expired api key publicKey=0[23][0-9a-f]{64}$/,
  );
  const body = bytesOf(renameEnvelope(service));
  assert.equal(
    clientCodeOf(await sendRename(service, body, [schemeStamp(body, key)])),
    'API_KEY_EXPIRED',
  );
  assert.equal(await organizationName(service), 'Test organization');
});

function isP256Point(publicKey: string): boolean {
  try {
    p256.Point.fromHex(publicKey);
    return true;
  } catch {
    // About half of all x coordinates belong to no point of the curve.
    return false;
  }
}
