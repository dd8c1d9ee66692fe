// The tests that docs/conformance.md counts for a statement.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformanceDocument, mentionsIn } from '../../tools/write_conformance.ts';

// Joined from parts, so that the tool does not find titles in this file.
const call = (name: string, ...texts: string[]) =>
  `${name}(${texts.map((text) => `'${text}'`).join(', ')}, () => undefined);`;
const idsIn = (text: string) => mentionsIn('x.test.ts', text).map(({ id }) => id);

test('every statement is shown by a test', () => {
  assert.match(conformanceDocument(), /^Tests show (\d+) of \1 statements\.$/m);
});

test('an id in the title of a test counts, and one in a comment does not', () => {
  assert.deepEqual(idsIn(call('test', 'REQ-01 ENV-02: what it shows')), ['REQ-01', 'ENV-02']);
  assert.deepEqual(idsIn(call('statement', 'REQ-01 ENV-02', 'says')), ['REQ-01', 'ENV-02']);
  assert.deepEqual(idsIn(call('oauth.required', 'OP-OAUTH-04', 'oidcToken')), ['OP-OAUTH-04']);
  assert.deepEqual(idsIn(`// REQ-01, REQ-02\n${call('test', 'what it shows')} // REQ-03`), []);
});

test('a range of ids is refused', () => {
  for (const range of ['REQ-01 to REQ-05', 'REQ-01 … REQ-05', 'REQ-01–05', 'REQ-01, to 05']) {
    assert.throws(
      () => mentionsIn('x.test.ts', call('test', `${range}: all`)),
      /write out the ids/,
    );
  }
});
