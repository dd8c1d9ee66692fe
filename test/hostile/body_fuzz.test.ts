import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzBodies } from './body_fuzz.ts';

const cases = 1_000;

test(`${cases} changed bodies under valid stamps get permitted answers, and other organizations are untouched`, async () => {
  const { accepted, refused, acceptedBy } = await fuzzBodies({ cases, seed: 'keywright' });
  assert.ok(accepted > cases / 20, `only ${accepted} were accepted`);
  assert.ok(refused > cases / 4, `only ${refused} were refused`);
  assert.ok(acceptedBy.size > 20, `only ${[...acceptedBy].join(', ')} accepted any`);
});
