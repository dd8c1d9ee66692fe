// The Dockerfile: the findings of a linter, and the promises of the documentation about the image.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { test } from 'node:test';

const projectDirectory = join(import.meta.dirname, '..', '..');
const path = join(projectDirectory, 'packaging', 'Dockerfile');

const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));
const text = readFileSync(path, 'utf8');

/** Instructions of the last stage, which is the image: name and arguments, continued lines in one. */
const instructions = (
  readFileSync(path, 'utf8')
    .split(/^FROM /m)
    .at(-1) ?? ''
)
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .slice(1)
  .map((line) => /^(\S+) (.*)$/.exec(line))
  .flatMap((found) => (found === null ? [] : [{ name: found[1] ?? '', value: found[2] ?? '' }]));

const valuesOf = (name: string) =>
  instructions.flatMap((each) => (each.name === name ? [each.value] : []));

const hadolint = process.env['HADOLINT'];

test('a linter has nothing to say', {
  skip: hadolint === undefined ? 'needs hadolint: name its path in the variable HADOLINT' : false,
}, () => {
  execFileSync(hadolint ?? '', ['--failure-threshold', 'info', path], { stdio: 'inherit' });
});

test('the archive of the service is copied, and no other', () => {
  const [, pattern = ''] = /^COPY (\S+) \/tmp\/keywright\.tgz$/m.exec(text) ?? [];
  const archives = [`keywright-${version}.tgz`, `keywright-client-${version}.tgz`];
  assert.deepEqual(
    archives.filter((name) => matchesGlob(name, pattern)),
    archives.slice(0, 1),
  );
});

test('the service is an unknown user that owns its data alone', () => {
  assert.deepEqual(valuesOf('USER'), ['65532:65532']);
  assert.deepEqual(valuesOf('VOLUME'), ['/data']);
  const user = instructions.findIndex(({ name }) => name === 'USER');
  const after = instructions.slice(user).map(({ name }) => name);
  assert.ok(!after.includes('RUN') && !after.includes('COPY') && !after.includes('ADD'));
});

test('nothing is fetched, and no shell stands between a signal and the service', () => {
  assert.doesNotMatch(text, /^ADD |\b(curl|wget|apt-get|npm (ci|install))\b/m);
  const [entry = ''] = valuesOf('ENTRYPOINT');
  const words: readonly string[] = JSON.parse(entry);
  assert.equal(words[0], 'node');
  assert.deepEqual(valuesOf('CMD'), ['["serve"]']);
});

test('the health check asks whether the service is ready, by Node alone', () => {
  const [check = ''] = valuesOf('HEALTHCHECK');
  const [, words = '[]'] = /CMD (\[.*\])$/.exec(check) ?? [];
  const [node, flag, script]: readonly string[] = JSON.parse(words);
  assert.deepEqual([node, flag], ['node', '-e']);
  assert.match(script ?? '', /\/health\/ready/);
});
