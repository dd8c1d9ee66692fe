// A repeated JSON member: two readers may use different values.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { parsedJsonOnce, placeOfRepetition, repeatedMember } from '../../src/core/schema/json.ts';
import { storedCount } from '../operations/checks.ts';
import { stampOf, startTestService, type TestService } from '../support/harness.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const repetitions: readonly (readonly [text: string, place: string])[] = [
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"b":2,"\\u0061":3}', 'a'],
  ['{"a":null,"a":null}', 'a'],
  ['{"a":{"a":1},"b":[{"c":0},{"d":{"e":1},"d" \n :2}]}', 'b[1].d'],
  ['{"a":{"b":1,"b":{"c":1}}}', 'a.b'],
  ['{"a":{"x":1},"a":2}', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":2}', ''],
  ['{"1":1,"1":2}', '1'],
  ['[0,{"a,b":"{[:","a,b":1}]', '[1].a,b'],
  ['{"x":"\\\\","a":{},"a":[]}', 'a'],
  ['{"\\ud83d\\ude00":1,"😀":2}', '😀'],
];

const accepted = [
  '{}',
  '[]',
  '"a:a"',
  '{"a":"a\\":1,\\"a","b":":"}',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  '{"__proto__":{"a":1},"constructor":1,"a":":,{["}',
  '{"é":1,"e\u0301":2}',
];

test('the error names the path of the first repetition, in any spelling', () => {
  for (const [text, place] of repetitions) {
    assert.equal(repeatedMember(text, JSON.parse(text)), place, text);
    assert.equal(parsedJsonOnce(text), undefined);
  }
  for (const text of accepted) {
    assert.equal(repeatedMember(text, JSON.parse(text)), undefined, text);
    assert.equal(placeOfRepetition(text), undefined, text);
    assert.deepEqual(parsedJsonOnce(text), JSON.parse(text));
  }
});

test('counting and searching agree on random texts', () => {
  let seed = 1;
  const below = (n: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % n;
  };
  const name = () => ['"a"', '"\\u0061"', '"b"', '"a:"', '"\\""'][below(5)] ?? '""';
  const value = (depth: number): string => {
    const kind = depth > 3 ? 2 : below(4);
    if (kind > 1) return ['1', 'null', '"{:,"', 'true', '"\\\\"'][below(5)] ?? '1';
    const items = Array.from({ length: below(4) }, () => value(depth + 1));
    if (kind === 0) return `[${items.join(' , ')}]`;
    return `{${items.map((item) => `${name()} : ${item}`).join(',')}}`;
  };
  let repeated = 0;
  for (let i = 0; i < 20_000; i += 1) {
    const text = value(0);
    const byCount = repeatedMember(text, JSON.parse(text));
    assert.equal(byCount, placeOfRepetition(text), text);
    if (byCount !== undefined) repeated += 1;
  }
  assert.ok(repeated > 1000 && repeated < 15_000, `${repeated}`);
});

test('depth and length take at most linear time, and no stack', () => {
  const deep = `${'{"a":'.repeat(20_000)}{"b":1,"b":2}${'}'.repeat(20_000)}`;
  const before = process.cpuUsage();
  assert.ok(placeOfRepetition(deep)?.startsWith('a.a.'));
  const long = `{"a":"${'x\\"'.repeat(500_000)}","a":1}`;
  assert.equal(placeOfRepetition(long), 'a');
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 5_000_000, `${user + system} µs`);
});

test('a request body that names a member twice is refused by its place, and nothing is done', async () => {
  const { organizationId, key } = service.root;
  const bodies = (timestampMs: number) => [
    [`{"type":"T","type":"T","organizationId":"${organizationId}"}`, 'type'],
    [
      `{"type":"ACTIVITY_TYPE_CREATE_WALLET","timestampMs":"${timestampMs}","organizationId":"${organizationId}","parameters":{"walletName":"seen","accounts":[],"wallet\\u004eame":"done"}}`,
      'parameters.walletName',
    ],
    [
      `{"type":"ACTIVITY_TYPE_CREATE_WALLET","timestampMs":"${timestampMs}","organizationId":"${organizationId}","dryRun":true,"parameters":{"walletName":"seen","accounts":[]},"dryRun":false}`,
      'dryRun',
    ],
  ];
  const stored = await storedCount(service);
  for (const [text = '', place] of bodies(service.now())) {
    const body = utf8(text);
    for (const kind of ['submit', 'query'] as const) {
      const operation = kind === 'submit' ? 'create_wallet' : 'list_wallets';
      const answer = await service.send(kind, operation, body, [stampOf(body, key)]);
      assert.equal(answer.status, 400);
      assert.ok(answer.body.message.includes(`\`${place}\` is there twice`), answer.body.message);
    }
  }
  assert.deepEqual(await storedCount(service), stored);
});
