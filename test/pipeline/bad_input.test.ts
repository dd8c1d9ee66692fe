import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { concatBytes, utf8 } from '../../src/core/base/bytes.ts';
import { stampOf, startTestService, type TestService } from '../support/harness.ts';
import {
  activityCount,
  bytesOf,
  clientCodeOf,
  organizationName,
  renameEnvelope,
  sendRename,
  violatedFields,
} from './requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ deployment: { refusesUnknownMembers: true } });
});
after(() => service.close());

test('a body that is no JSON object is refused, and nothing is stored', async () => {
  const text = JSON.stringify(renameEnvelope(service));
  const inside = (json: string) => text.replace('"Renamed"', json);
  const nested = (depth: number) => inside(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const cases: [string, Uint8Array | string][] = [
    ['empty', ''],
    ['white space', ' \n'],
    ['not JSON', 'name=Renamed'],
    ['cut off', text.slice(0, -1)],
    ['two objects', text + text],
    ['comment', `${text} // comment`],
    ['not a number', inside('NaN')],
    ['single quotes', text.replaceAll('"', "'")],
    ['byte order mark', concatBytes(Uint8Array.of(0xef, 0xbb, 0xbf), utf8(text))],
    ['UTF-16', Uint8Array.from([...text].flatMap((c) => [c.charCodeAt(0), 0]))],
    ['not UTF-8', concatBytes(utf8(text.slice(0, -2)), Uint8Array.of(0xff), utf8('"}'))],
    ['overlong UTF-8', concatBytes(utf8('{"type":"'), Uint8Array.of(0xc0, 0xaf), utf8('"}'))],
    [
      'surrogate in UTF-8',
      concatBytes(utf8('{"a":"'), Uint8Array.of(0xed, 0xa0, 0x80), utf8('"}')),
    ],
    ['array', `[${text}]`],
    ['number', '1'],
    ['text', '"text"'],
    ['true', 'true'],
    ['null', 'null'],
    ['nested 31 deep in a value', nested(31)],
    ['nested 100,000 deep', nested(100_000)],
    ['objects nested 33 deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['lone surrogate', inside('"\\ud800"')],
    ['lone low surrogate', inside('"\\udc00 x"')],
    ['lone surrogate as a name', inside('{"\\ud800":1}')],
  ];
  const found = [];
  for (const [name, body] of cases) {
    const { status, body: error } = await sendRename(service, body);
    if (status !== 400 || error.code !== 3 || !error.message.startsWith('bad request body: ')) {
      found.push([name, status, error]);
    }
  }
  assert.deepEqual(found, []);
  assert.equal(await activityCount(service), 0);
  assert.equal(await organizationName(service), 'Test organization');
});

test('bodies are read to a depth of 32', async () => {
  const deep = { deep: JSON.parse(`${'['.repeat(31)}${']'.repeat(31)}`) };
  const answer = await sendRename(service, { ...renameEnvelope(service), ...deep });
  assert.match(answer.body.message, /unknown field `deep`/);
});

// REQ-01, REQ-02, REQ-04, REQ-05, REQ-06, REQ-11
test('each wrong member of the envelope is refused by name', async () => {
  const without = (name: string) => {
    const { [name]: _, ...rest } = renameEnvelope(service) as Record<string, unknown>;
    return rest;
  };
  const withMember = (member: object) => renameEnvelope(service, member);
  const cases: [string, object | string][] = [
    ['type', without('type')],
    ['type', withMember({ type: 1 })],
    ['type', withMember({ type: '' })],
    ['type', withMember({ type: '__proto__' })],
    ['type', withMember({ type: 'constructor' })],
    ['timestampMs', without('timestampMs')],
    ['timestampMs', withMember({ timestampMs: '' })],
    ['timestampMs', withMember({ timestampMs: 'now' })],
    ['timestampMs', withMember({ timestampMs: '-1' })],
    ['timestampMs', withMember({ timestampMs: '1.5' })],
    ['timestampMs', withMember({ timestampMs: '0x10' })],
    ['timestampMs', withMember({ timestampMs: ` ${service.now()}` })],
    ['timestampMs', withMember({ timestampMs: `0${service.now()}` })],
    ['timestampMs', withMember({ timestampMs: '9'.repeat(30) })],
    ['timestampMs', withMember({ timestampMs: 1.5 })],
    ['timestampMs', withMember({ timestampMs: true })],
    ['timestampMs', withMember({ timestampMs: {} })],
    // Too large for a double: JSON.parse returns Infinity.
    ['timestampMs', JSON.stringify(withMember({ timestampMs: 0 })).replace(':0,', ':1e400,')],
    ['timestampMs', JSON.stringify(withMember({ timestampMs: 0 })).replace(':0,', ':1e30,')],
    ['organizationId', without('organizationId')],
    ['organizationId', withMember({ organizationId: 1 })],
    ['organizationId', withMember({ organizationId: '' })],
    ['organizationId', withMember({ organizationId: 'not-a-uuid' })],
    ['organizationId', withMember({ organizationId: `${service.root.organizationId} ` })],
    ['parameters', without('parameters')],
    ['parameters', withMember({ parameters: [] })],
    ['parameters', withMember({ parameters: 'x' })],
    ['parameters', withMember({ parameters: null })],
    ['generateAppProofs', withMember({ generateAppProofs: 'true' })],
    ['surprise', withMember({ surprise: 1 })],
    ['parameters.surprise', withMember({ parameters: { organizationName: 'x', surprise: 1 } })],
    ['parameters.organizationName', withMember({ parameters: {} })],
    ['parameters.organizationName', withMember({ parameters: { organizationName: null } })],
  ];
  const found = [];
  for (const [field, body] of cases) {
    const answer = await sendRename(service, body);
    const fields = violatedFields(answer);
    if (answer.status !== 400 || answer.body.code !== 3 || fields[0] !== field) {
      found.push([field, body, answer.body]);
    }
  }
  assert.deepEqual(found, []);
  const { body: refusal } = await sendRename(service, without('organizationId'));
  assert.match(JSON.stringify(refusal), /missing field/);
  assert.equal(await activityCount(service), 0);
});

test('members with names of Object.prototype are ordinary members', async () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
  for (const name of names) {
    const text = JSON.stringify(renameEnvelope(service));
    const atTop = text.replace('{', `{"${name}":{"polluted":true},`);
    const inParameters = text.replace('"parameters":{', `"parameters":{"${name}":{"x":1},`);
    assert.deepEqual(violatedFields(await sendRename(service, atTop)), [name]);
    assert.deepEqual(violatedFields(await sendRename(service, inParameters)), [
      `parameters.${name}`,
    ]);
  }
  assert.equal('polluted' in {}, false);
});

test('a type of another path is refused with the types of this path', async () => {
  const body = bytesOf(renameEnvelope(service, { parameters: {} }));
  const stamps = [stampOf(body, service.root.key)];
  const answer = await service.send('submit', 'sign_raw_payload', body, stamps);
  assert.equal(answer.status, 400);
  assert.equal(answer.body.code, 3);
  assert.equal(
    answer.body.message,
    'invalid request body: `type`: expected ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2 or ACTIVITY_TYPE_SIGN_RAW_PAYLOAD, got `ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME`',
  );
  assert.deepEqual(violatedFields(answer), ['type']);
});

test('an unknown operation is not found, with any name', async () => {
  const names = ['', 'nothing', '__proto__', 'constructor', 'toString', 'x'.repeat(1000)];
  for (const kind of ['submit', 'query'] as const) {
    for (const name of [...names, kind === 'submit' ? 'whoami' : 'create_wallet']) {
      const body = bytesOf(renameEnvelope(service));
      const answer = await service.send(kind, name, body, [stampOf(body, service.root.key)]);
      assert.equal(answer.status, 404, name);
      assert.equal(answer.body.code, 5, name);
      assert.equal(
        answer.body.message,
        `unknown operation \`${name}\`: docs/operations.md lists those of this version`,
      );
    }
  }
});

test('an unknown operation is refused with the probably intended name', async () => {
  const near = [
    ['submit', 'creat_wallet', 'create_wallet'],
    ['submit', 'approve_activty', 'approve_activity'],
    ['query', 'Whoami', 'whoami'],
    ['query', 'list_walets', 'list_wallets'],
  ] as const;
  for (const [kind, name, meant] of near) {
    const body = bytesOf(renameEnvelope(service));
    const answer = await service.send(kind, name, body, [stampOf(body, service.root.key)]);
    assert.equal(answer.status, 404, name);
    assert.equal(
      answer.body.message,
      `unknown operation \`${name}\`: did you mean \`${meant}\`? docs/operations.md lists those of this version`,
    );
  }
});

test('organization ids: malformed, unknown, in capitals', async () => {
  const rename = (organizationId: unknown) =>
    sendRename(service, renameEnvelope(service, { organizationId }));
  const malformed = await rename('nowhere');
  assert.equal(clientCodeOf(malformed), 'INVALID_ORGANIZATION_ID');
  assert.match(malformed.body.message, /^malformed organization ID provided/);

  const unknown = '01900000-0000-7000-8000-000000000000';
  const notFound = await rename(unknown);
  assert.equal(notFound.status, 404);
  assert.equal(notFound.body.code, 5);
  assert.equal(clientCodeOf(notFound), 'ORGANIZATION_NOT_FOUND');
  assert.match(notFound.body.message, /^no organization found with the given ID/);

  // the same for queries.
  const query = (organizationId: unknown) => {
    const body = bytesOf({ organizationId });
    return service.send('query', 'whoami', body, [stampOf(body, service.root.key)]);
  };
  assert.equal(clientCodeOf(await query('nowhere')), 'INVALID_ORGANIZATION_ID');
  assert.equal(clientCodeOf(await query(unknown)), 'ORGANIZATION_NOT_FOUND');
  assert.deepEqual(violatedFields(await query(undefined)), ['organizationId']);
  const capitals = service.root.organizationId.toUpperCase();
  assert.equal((await query(capitals)).body.organizationId, service.root.organizationId);
  const { body } = await rename(capitals);
  assert.equal(body.activity.organizationId, service.root.organizationId);
});

//
test('a query body takes no type, timestamp or parameters', async () => {
  for (const member of ['type', 'timestampMs', 'parameters', '__proto__']) {
    const text = `{"organizationId":"${service.root.organizationId}","${member}":{}}`;
    const body = utf8(text);
    const answer = await service.send('query', 'whoami', body, [stampOf(body, service.root.key)]);
    assert.equal(answer.status, 400);
    assert.deepEqual(violatedFields(answer), [member]);
  }
});

test('null members count as absent, and are not echoed', async () => {
  const parameters = { walletName: 'Nulls', accounts: [], mnemonicLength: null };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const { status, body } = await service.submit('create_wallet', type, parameters);
  assert.equal(status, 200);
  assert.deepEqual(body.activity.intent, {
    createWalletIntent: { walletName: 'Nulls', accounts: [] },
  });
  const nulls = await service.query('list_activities', { filterByType: null });
  assert.equal(nulls.status, 200);
});

// REQ-06
test('generateAppProofs is accepted next to the parameters and inside of them', async () => {
  for (const generateAppProofs of [true, false]) {
    service.advance(1);
    const parameters = { organizationName: 'Proofs', generateAppProofs };
    const answer = await sendRename(
      service,
      renameEnvelope(service, { parameters, generateAppProofs }),
    );
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.activity.intent, {
      updateOrganizationNameIntent: { organizationName: 'Proofs' },
    });
  }
});

test('a repeated member is refused, and neither value counts', async () => {
  service.advance(1);
  const before = await organizationName(service);
  const text = JSON.stringify(renameEnvelope(service)).replace(
    '"parameters":',
    '"parameters":{"organizationName":"First"},"parameters":',
  );
  const { status, body } = await sendRename(service, text);
  assert.equal(status, 400);
  assert.match(body.message, /`parameters` is there twice/);
  assert.equal(await organizationName(service), before);
});

test('numbers may be text or JSON numbers', async () => {
  for (const timestampMs of [service.now() + 1, String(service.now() + 2)]) {
    const answer = await sendRename(service, renameEnvelope(service, { timestampMs }));
    assert.equal(answer.status, 200);
  }
});
