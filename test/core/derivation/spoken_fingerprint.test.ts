import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  groupedFingerprint,
  spokenFingerprint,
} from '../../../src/core/derivation/spoken_fingerprint.ts';

test('a fingerprint is spoken by the words of its first 44 bits', () => {
  const rest = '0'.repeat(53);
  // 0, 1, 2047 and 2 in eleven bits each; the list begins with abandon, ability, able and ends with zoo.
  const digits = ((1n << 22n) | (2047n << 11n) | 2n).toString(16).padStart(11, '0');
  assert.equal(spokenFingerprint(`sha256:${digits}${rest}`), 'abandon ability zoo able');
  assert.equal(spokenFingerprint(`${'f'.repeat(11)}${rest}`), 'zoo zoo zoo zoo');
});

test('the digits of a fingerprint have groups of four', () => {
  assert.equal(groupedFingerprint('sha256:0123456789abcdef'), '0123 4567 89ab cdef');
});
