import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pinsOfService } from '../../src/cli/profiles/pins.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { folderOfTests, runIn } from './terminal.ts';

const service = await serviceOfThisFile();
const rootFile = join(service.dataDirectory, 'root-credentials.json');

test('a second login to a service keeps the pinned keys in any profile', async () => {
  const folder = folderOfTests();
  const config = join(folder, 'config', 'keywright', 'config.json');
  const login = async (...more: string[]) => {
    const words = ['login', '--with', rootFile, '--url', service.baseUrl, ...more];
    const { code, err } = await runIn(folder, words);
    assert.equal(code, 0, err);
    return JSON.parse(readFileSync(config, 'utf8')).profiles;
  };
  const profiles = await login();
  const pinnedKeys = { signer: '04aa' };
  profiles.default.pinnedKeys = pinnedKeys;
  writeFileSync(config, JSON.stringify({ current: 'default', profiles }), { mode: 0o600 });
  assert.deepEqual((await login()).default.pinnedKeys, pinnedKeys);
  assert.deepEqual((await login('--profile', 'other')).other.pinnedKeys, pinnedKeys);
});

test('a service that names another organization must have the pinned keys', () => {
  const pinnedKeys = { signer: '04aa' };
  const known = (url: string) => ({ profiles: { p: { url, organizationId: 'a', pinnedKeys } } });
  const far = known('https://keys.example');
  const at = (url: string, organizationId: string) => ({ url, organizationId });
  assert.deepEqual(pinsOfService(far, at('https://keys.example', 'b')), pinnedKeys);
  assert.deepEqual(pinsOfService(far, at('https://KEYS.example:443/', 'b')), pinnedKeys);
  assert.equal(pinsOfService(far, at('https://other.example', 'a')), undefined);
  const near = known('http://localhost:8080');
  assert.deepEqual(pinsOfService(near, at('http://localhost:8080', 'a')), pinnedKeys);
  assert.equal(pinsOfService(near, at('http://localhost:8080', 'b')), undefined);
  assert.equal(pinsOfService({ profiles: {} }, at('http://localhost:8080', 'a')), undefined);
});
