// The address and the key of a command: from flags, then variables, then the profile, then the root
// credentials of this folder.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findServiceUrl, resolveLogin } from '../../src/cli/profiles/profiles.ts';
import { newKey } from '../../src/cli/service/new_key.ts';
import { noCommonValues } from '../../src/cli/words/common_values.ts';
import { Failure } from '../../src/cli/words/failures.ts';
import { folderOfTests, terminalIn } from './terminal.ts';

const folder = folderOfTests();
const config = join(folder, 'config', 'keywright');
mkdirSync(join(config, 'keys'), { recursive: true, mode: 0o700 });
mkdirSync(join(folder, 'data'));
const write = (path: string, content: object) =>
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 });

/** Writes a key with an address and an organization named after the source. */
async function keyIn(path: string, name: string) {
  const place = { baseUrl: `https://${name}.example`, organizationId: name };
  write(path, { ...(await newKey()), ...place });
  return path;
}
const flagFile = await keyIn(join(folder, 'flag.json'), 'flag');
const variableFile = await keyIn(join(folder, 'variable.json'), 'variable');
for (const name of ['one', 'two']) await keyIn(join(config, 'keys', `${name}.json`), name);
const local = { baseUrl: 'http://localhost:1', organizationId: 'local' };
write(join(folder, 'data', 'root-credentials.json'), { ...(await newKey()), ...local });

const profileOf = (name: string) => ({ url: `https://${name}.example`, organizationId: name });
const profiles = { one: profileOf('one'), two: profileOf('two') };
const both = { KEYWRIGHT_PROFILE: 'two', KEYWRIGHT_CREDENTIALS_FILE: variableFile };

/**
 * The effect of variables for the address beside a key: they decide it, the key overrides them, or they are
 * refused.
 */
type OfVariables = 'lead there' | 'are weaker' | 'are refused';
const cases: readonly (readonly [
  string,
  object,
  object,
  string | undefined,
  string,
  OfVariables,
])[] = [
  ['a key file of a flag', { credentials: flagFile }, both, 'one', 'flag', 'are weaker'],
  ['a profile of a flag', { profile: 'one' }, both, 'two', 'one', 'are weaker'],
  ['a key file of a variable', {}, both, 'one', 'variable', 'lead there'],
  ['a profile of a variable', {}, { KEYWRIGHT_PROFILE: 'two' }, 'one', 'two', 'are refused'],
  ['the current profile', {}, {}, 'one', 'one', 'are refused'],
  ['the root credentials of this folder', {}, {}, undefined, 'local', 'lead there'],
];
for (const [what, flags, variables, current, found, ofVariables] of cases) {
  test(`${what} takes precedence over later sources`, async () => {
    write(join(config, 'config.json'), { current, profiles });
    const environment = { XDG_CONFIG_HOME: join(folder, 'config'), ...variables };
    const terminal = terminalIn(folder, { environment });
    const find = (more: object, variables = {}) =>
      resolveLogin(
        { ...noCommonValues, ...flags, ...more },
        { ...terminal, environment: { ...environment, ...variables } },
      );
    const usual = await find({});
    assert.equal(usual.organizationId, found);
    assert.equal(usual.url, found === 'local' ? local.baseUrl : `https://${found}.example`);
    assert.match((await usual.key()).apiPublicKey, /^0[23]/);

    // The address is set separately. It is a loopback address, because root credentials are sent nowhere
    // else.
    const placed = { KEYWRIGHT_URL: 'http://127.0.0.1:2', KEYWRIGHT_ORGANIZATION_ID: 'placed' };
    if (ofVariables === 'are refused') {
      // A server at that address could forward the request to the service of the profile.
      await assert.rejects(
        find({}, placed),
        (error) => error instanceof Failure && error.code === 'other_address',
      );
      const same = await find({}, { ...placed, KEYWRIGHT_URL: `https://${found}.example/` });
      assert.deepEqual([same.url, same.organizationId], [`https://${found}.example`, 'placed']);
    } else {
      const byVariable = await find({}, placed);
      const expected =
        ofVariables === 'lead there' ? ['http://127.0.0.1:2', 'placed'] : [usual.url, found];
      assert.deepEqual([byVariable.url, byVariable.organizationId], expected);
    }
    const byFlag = await find({ url: 'http://127.0.0.1:3', organization: 'flagged' }, placed);
    assert.deepEqual([byFlag.url, byFlag.organizationId], ['http://127.0.0.1:3', 'flagged']);
    assert.equal(byFlag.keySource, usual.keySource);
  });
}

test('root credentials of this folder go to no other machine', async () => {
  write(join(config, 'config.json'), { profiles });
  const resolved = resolveLogin(
    { ...noCommonValues, url: 'https://keys.example' },
    terminalIn(folder),
  );
  await assert.rejects(resolved, (error) => error instanceof Failure && error.code === 'no_key');
});

test('a variable overrides the profile for a command that signs nothing', async () => {
  write(join(config, 'config.json'), { current: 'one', profiles });
  const environment = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    KEYWRIGHT_URL: 'https://other.example',
  };
  const found = await findServiceUrl(noCommonValues, terminalIn(folder, { environment }));
  assert.equal(found.url, 'https://other.example');
  assert.equal(found.organizationId, undefined);
});
