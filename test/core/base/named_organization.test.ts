import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { organizationNamedIn } from '../../../src/core/base/named_organization.ts';

const id = 'ABCDEF01-2345-6789-abcd-ef0123456789';

test('the organization of a body is found in any spelling of its member name', () => {
  for (const body of [
    `{"organizationId":"${id}"}`,
    `{ "organizationId" : "${id}" }`,
    `{"type":"x","organizationId":\n"${id}","parameters":{"organizationId":"other"}}`,
  ]) {
    assert.equal(organizationNamedIn(utf8(body)), id.toLowerCase(), body);
  }
});

test('a body without a name of at most 36 characters names no organization', () => {
  for (const body of ['', '{}', '{"organizationId":5}', '{"organizationId":""}']) {
    assert.equal(organizationNamedIn(utf8(body)), '', body);
  }
  assert.equal(organizationNamedIn(utf8(`{"organizationId":"${id}0"}`)), '');
});

test('the quick search and a pattern find the same', () => {
  const pattern = /"organizationId"\s*:\s*"([^"]{1,36})"/;
  const part = fc.constantFrom('"', ':', ' ', id, id.slice(1), 'a', '\n', '","');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const body = `{"organizationId"${parts.join('')}`;
      const [, expected = ''] = pattern.exec(body) ?? [];
      assert.equal(organizationNamedIn(utf8(body)), expected.toLowerCase());
    }),
    { numRuns: 2_000 },
  );
});
