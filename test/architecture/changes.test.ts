// Fragments of the changelog: one file a change, moved into CHANGELOG.md at a release.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { areaOf, fragmentsOf, versionSection, withSection } from '../../tools/write_changelog.ts';
import { root, textOf } from './sources.ts';

test('each fragment names its area and holds at most three sentences without a heading', () => {
  const found = fragmentsOf(join(root, 'changes')).flatMap(({ name, text }) => {
    const sentences = text.trim().split(/(?<=[.!?])\s+/).length;
    return areaOf(name) !== undefined && !text.includes('#') && sentences <= 3 ? [] : [name];
  });
  assert.deepEqual(found, [], 'see changes/README.md');
});

test('a release lists the fragments by area above the version before', () => {
  const section = versionSection('0.2.0', '2027-01-31', [
    { name: 'fixes-later', text: 'Later.\n' },
    { name: 'keys-first', text: 'First,\nover two lines.\n' },
  ]);
  const changelog = withSection('# Changelog\n\nText.\n\n## 0.1.0\n\nOld.\n', section);
  assert.equal(
    changelog,
    '# Changelog\n\nText.\n\n## 0.2.0 (2027-01-31)\n\n### Keys and signatures\n\n- First, over two lines.\n\n### Fixes\n\n- Later.\n\n## 0.1.0\n\nOld.\n',
  );
});

test('the changelog of the first release fits one screen', () => {
  const text = textOf('CHANGELOG.md');
  const first = text.slice(text.indexOf('## 0.1.0'));
  assert.ok(first.split(/\s+/).length <= 300);
});
