import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readImageReference } from '../../../src/core/deployments/image_reference.ts';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';

const operation = 'validate_tvc_image';
const digest = `sha256:${'0f'.repeat(32)}`;

const good = [
  'program',
  'team/program',
  'program:1.0',
  'registry.example/program',
  'registry.example:5000/team/program:v1_2-rc.3',
  'localhost/program',
  'localhost:5000/program',
  '127.0.0.1:5000/a__b/c--d/e.f',
  'ghcr.io/team',
  `a:${'t'.repeat(128)}`,
];

const bad = [
  ...['', '/', 'a/', '/a', 'a//b', 'A', 'team/Program', 'a_', '-a', 'a..b', 'a___b', 'a b', 'a\n'],
  ...[
    'a:',
    'a:b:c',
    'a:-',
    `a:${'t'.repeat(129)}`,
    'a?b',
    'https://registry.example/a',
    'a:1/b:2/c',
  ],
  ...['-host.example/a', 'host.example:/a', 'host.example:123456/a', `${'a/'.repeat(130)}a`],
  ...['@', 'a@', 'a@sha256:', `a@${digest.toUpperCase()}`, `a@${digest}0`, `a@${digest}@${digest}`],
  ...['a@sha512:00', `@${digest}`],
];

test('validate_tvc_image: returns the digest that the image names', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const answer = await checkQuery(service, {
    operation,
    body: {
      pivotContainerImageUrl: `registry.example/program:1.0@${digest}`,
      pivotContainerEncryptedPullSecret: 'sealed',
    },
    optional: ['pivotContainerEncryptedPullSecret'],
    malformed: [
      { field: 'pivotContainerImageUrl', parameters: { pivotContainerImageUrl: 'a b' } },
      { field: 'pivotContainerImageUrl', parameters: { pivotContainerImageUrl: '' } },
    ],
  });
  assert.deepEqual(answer, { resolvedImageDigest: digest });
  const unnamed = await service.query(operation, { pivotContainerImageUrl: 'program:1.0' });
  assert.deepEqual([unnamed.status, unnamed.body], [200, {}]);
});

test('names of images are parsed with and without a digest', () => {
  for (const name of good) {
    assert.deepEqual(readImageReference(name), { digest: undefined }, name);
    assert.deepEqual(readImageReference(`${name}@${digest}`), { digest }, name);
  }
});

test('random texts are no names of images', () => {
  for (const name of bad) assert.ok(readImageReference(name).refusal, JSON.stringify(name));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const { refusal } = readImageReference(text);
      assert.ok(refusal !== undefined || /^[A-Za-z0-9_.:@/-]+$/.test(text));
    }),
  );
});
