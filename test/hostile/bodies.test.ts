// Bodies of strangers: each is read with its meaning or refused with a reason, and a refused body leaves no
// trace.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { concatBytes, utf8 } from '../../src/core/base/bytes.ts';
import { storedCount } from '../operations/checks.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { activityCount, renameEnvelope, sendRename, violatedFields } from '../pipeline/requests.ts';
import {
  stampOf,
  startTestService,
  type TestAnswer,
  type TestService,
} from '../support/harness.ts';
import { nested, nestedMembers, notBodies, type Spelling, spellings } from './json_corpus.ts';

let service: TestService;
/** Lines that the enclave wrote for its operator. */
const logged: string[] = [];
before(async () => {
  service = await startTestService({ log: logged });
});
after(() => {
  service.close();
  assert.deepEqual(logged, [], 'nothing was unforeseen');
});

test('there are enough cases with different names', () => {
  const names = [...spellings.map(({ name }) => name), ...Object.keys(notBodies)];
  assert.ok(names.length >= 150, String(names.length));
  assert.equal(new Set(names).size, names.length);
});

test('each spelling as the value of an unknown member is read or refused', async () => {
  const { organizationId } = service.root;
  for (const { name, json, ...meaning } of spellings) {
    const body = around(`{"organizationId":"${organizationId}","surprise":`, json, '}');
    const answer = await askWhoami(body);
    if (!isWellFormed(meaning)) assertMalformed(answer, name);
    else if (meaning.means === null) assert.equal(answer.status, 200, name);
    else {
      assert.equal(answer.status, 400, name);
      assert.deepEqual(violatedFields(answer), ['surprise'], name);
    }
  }
  assert.equal('polluted' in {}, false);
});

test('each spelling as a name is stored as a valid label, or refused', async () => {
  for (const { name, json, ...meaning } of spellings) {
    service.advance(1);
    const [front = '', end = ''] = JSON.stringify(renameEnvelope(service)).split('"Renamed"');
    const before = await storedCount(service);
    const answer = await sendRename(service, around(front, json, end));
    if (!isWellFormed(meaning)) assertMalformed(answer, name);
    else if (isLabel(meaning.means)) {
      assert.equal(answer.status, 200, name);
      const { intent, result } = answer.body.activity;
      const { organizationName } = result.updateOrganizationNameResult;
      assert.deepEqual(organizationName, meaning.means, name);
      assert.deepEqual(intent, { updateOrganizationNameIntent: { organizationName } }, name);
      continue;
    } else {
      assert.equal(answer.status, 400, name);
      assert.deepEqual(violatedFields(answer), ['parameters.organizationName'], name);
    }
    assert.deepEqual(await storedCount(service), before, name);
  }
});

test('each spelling as a whole body is refused', async () => {
  const before = await storedCount(service);
  for (const { name, json, ...meaning } of spellings) {
    const answer = await sendRename(service, json);
    const isObject = json[0] === 0x7b;
    if (isWellFormed(meaning) && isObject) {
      assert.equal(answer.status, 400, name);
      assert.deepEqual(violatedFields(answer), ['organizationId'], name);
    } else assertMalformed(answer, name);
  }
  for (const [name, make] of Object.entries(notBodies)) {
    assertMalformed(await sendRename(service, make(validBody())), name);
    assertMalformed(await askWhoami(make(validQuery())), name);
  }
  assert.deepEqual(await storedCount(service), before);
});

test('a body is read 32 levels deep, at every position', async () => {
  const [front = '', end = ''] = JSON.stringify(renameEnvelope(service)).split('"Renamed"');
  for (const make of [nested, nestedMembers]) {
    const places: [number, (json: string) => Promise<TestAnswer>][] = [
      [30, (json) => sendRename(service, `${front}${json}${end}`)],
      [31, (json) => askWhoami(utf8(`{"surprise":${json},${textOfQuery().slice(1)}`))],
    ];
    for (const [deepest, sendOne] of places) {
      const read = await sendOne(make(deepest));
      assert.match(read.body.message, /^invalid request body: /);
      assertMalformed(await sendOne(make(deepest + 1)), `${deepest + 1} levels`);
    }
  }
  const whole = await sendRename(service, nestedMembers(32));
  assert.match(whole.body.message, /^invalid request body: /);
  assertMalformed(await sendRename(service, nestedMembers(33)), '33 levels');
});

test('a value at its bound is accepted, and refused beyond it', async () => {
  let serial = 0;
  const wallet = (members: object) => {
    serial += 1;
    return submit('create_wallet', { walletName: `W ${serial}`, ...members });
  };
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()]);
  const sign = (members: object) =>
    submit('sign_raw_payloads', {
      signWith: addresses[0],
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
      ...members,
    });
  const accounts = (count: number, first: number) =>
    Array.from({ length: count }, (_, i) => ethereumAccount(first + i));
  const page = (limit: unknown) =>
    service.query('list_activities', { paginationOptions: { limit } });
  const bounds: [string, () => Promise<TestAnswer>, () => Promise<TestAnswer>][] = [
    [
      'characters of a label',
      () => wallet({ walletName: 'x'.repeat(255), accounts: [] }),
      () => wallet({ walletName: 'x'.repeat(256), accounts: [] }),
    ],
    [
      'no label',
      () => wallet({ walletName: 'x', accounts: [] }),
      () => wallet({ walletName: '', accounts: [] }),
    ],
    [
      'accounts in a request',
      () => wallet({ accounts: accounts(100, 0) }),
      () => wallet({ accounts: accounts(101, 0) }),
    ],
    [
      'fewest accounts',
      () => submit('create_wallet_accounts', { walletId, accounts: accounts(1, 1) }),
      () => submit('create_wallet_accounts', { walletId, accounts: [] }),
    ],
    [
      'largest path index',
      () => wallet({ accounts: [{ ...ethereumAccount(), path: 'm/2147483647' }] }),
      () => wallet({ accounts: [{ ...ethereumAccount(), path: 'm/2147483648' }] }),
    ],
    [
      'payloads in a request',
      () => sign({ payloads: Array(250).fill('x') }),
      () => sign({ payloads: Array(251).fill('x') }),
    ],
    [
      'characters of a payload',
      () => sign({ payloads: ['x'.repeat(4 * 1024 * 1024)] }),
      () => sign({ payloads: ['x'.repeat(4 * 1024 * 1024 + 1)] }),
    ],
    ['rows of a page', () => page('100'), () => page('101')],
    ['rows of a page as a number', () => page(1), () => page(0)],
  ];
  for (const [name, within, beyond] of bounds) {
    const accepted = await within();
    assert.equal(accepted.status, 200, `${name}: ${JSON.stringify(accepted.body).slice(0, 500)}`);
    const before = await storedCount(service);
    const refused = await beyond();
    assert.equal(refused.status, 400, name);
    assert.equal(refused.body.code, 3, name);
    assert.deepEqual(await storedCount(service), before, name);
  }
});

test('a refusal names at most 20 wrong members', async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => [`surprise${i}`, 1]);
  const wide = await sendRename(service, {
    ...renameEnvelope(service),
    ...Object.fromEntries(many),
  });
  assert.equal(violatedFields(wide).length, 20);
  const accounts = Array(100).fill({});
  const inside = await submit('create_wallet', { walletName: 'W', accounts });
  assert.equal(violatedFields(inside).length, 20);
});

test('an error repeats only a short part of the input', async () => {
  const long = 'x'.repeat(1_000_000);
  for (const members of [
    { type: long },
    { organizationId: long },
    { timestampMs: long },
    { [long]: 1 },
    { parameters: { organizationName: long } },
    { parameters: { [long]: 1 } },
    { parameters: long },
  ]) {
    const answer = await sendRename(service, renameEnvelope(service, members));
    assert.equal(answer.status, 400);
    const { length } = JSON.stringify(answer.body);
    assert.ok(length < 2_000, `${Object.keys(members)}: ${length}`);
  }
  assert.ok((await activityCount(service)) > 0, 'the service still answers');
});

function isWellFormed(meaning: object): meaning is { readonly means: unknown } {
  return 'means' in meaning;
}

/**
 * Repeats the rule of names independently: 1 to 255 characters, no control characters, not only white
 * space.
 */
function isLabel(value: Spelling['means']): boolean {
  return (
    typeof value === 'string' &&
    [...value].length <= 255 &&
    value.trim() !== '' &&
    [...value].every(
      (character) => character >= ' ' && !(character >= '\x7f' && character <= '\x9f'),
    )
  );
}

function assertMalformed({ status, body }: TestAnswer, name: string): void {
  assert.equal(status, 400, name);
  assert.equal(body.code, 3, name);
  assert.match(body.message, /^bad request body: /, name);
  assert.equal(body.turnkeyErrorCode, 'REQUEST_INVALID', name);
}

function askWhoami(body: Uint8Array): Promise<TestAnswer> {
  return service.send('query', 'whoami', body, [stampOf(body, service.root.key)]);
}

function validBody(): Uint8Array {
  service.advance(1);
  return utf8(JSON.stringify(renameEnvelope(service)));
}

function validQuery(): Uint8Array {
  return utf8(textOfQuery());
}

function textOfQuery(): string {
  return JSON.stringify({ organizationId: service.root.organizationId });
}

function around(front: string, json: Uint8Array, end: string): Uint8Array {
  return concatBytes(utf8(front), json, utf8(end));
}

function submit(operation: string, parameters: object): Promise<TestAnswer> {
  return service.submit(operation, `ACTIVITY_TYPE_${operation.toUpperCase()}`, parameters);
}
