// An organization with its own key, in the real service with the command line: a holder seals and unseals it,
// over a restart, and no passphrase reaches the logs or the database.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runIn } from '../cli/terminal.ts';
import { type RunningService, startService, temporaryDirectory } from './service.ts';

const dataDirectory = temporaryDirectory();
const passphrases = {
  treasurer: 'the passphrase of the treasurer',
  deputy: 'another good passphrase',
};
for (const [name, text] of Object.entries(passphrases)) {
  writeFileSync(join(dataDirectory, name), `${text}\n`, { mode: 0o600 });
}
writeFileSync(join(dataDirectory, 'wrong'), 'not the passphrase at all\n', { mode: 0o600 });

let service: RunningService;

const environment = () => ({
  KEYWRIGHT_DATA_DIR: '.',
  KEYWRIGHT_URL: service.baseUrl,
  XDG_CONFIG_HOME: join(dataDirectory, 'config'),
});

async function run(...words: readonly string[]) {
  return runIn(dataDirectory, words, { environment: environment() });
}

async function done(...words: readonly string[]) {
  const { code, out, err } = await run(...words, '--json');
  assert.equal(code, 0, `keywright ${words.join(' ')}: ${err}`);
  return JSON.parse(out);
}

const signed = () => done('sign', 'message', 'hello', '--with', 'shop/ethereum');

async function assertSealed(...words: readonly string[]): Promise<void> {
  const { code, err } = await run(...words);
  assert.notEqual(code, 0);
  assert.match(err, /is sealed: a holder of its key unseals it with keywright org unseal/);
}

test('a holder seals and unseals an organization, and a restart leaves it sealed', async (t) => {
  service = await startService({ dataDirectory });
  t.after(() => service.stop());
  await done('wallet', 'create', 'shop');
  const before = await signed();
  const unconfirmed = await run(
    'org',
    'key',
    'create',
    'treasurer',
    '--passphrase-file',
    'treasurer',
  );
  assert.equal(unconfirmed.code, 10);
  assert.match(unconfirmed.err, /If all holders lose their secrets, the wallets are lost\./);
  const unprompted = await run('org', 'key', 'create', 'treasurer', '--yes');
  assert.match(unprompted.err, /: --passphrase-file FILE/);
  await done('org', 'key', 'create', 'treasurer', '--passphrase-file', 'treasurer', '--yes');
  await done('org', 'holder', 'add', 'deputy', '--passphrase-file', 'deputy');
  const file = ['--passphrase-file', 'deputy'] as const;
  const twofold = await run('org', 'holder', 'add', 'clerk', '--passkey', ...file);
  assert.equal(twofold.code, 2);
  assert.match(twofold.err, /give only one of --passkey and --passphrase-file/);
  assert.deepEqual(await signed(), before);

  await service.stop();
  service = await startService({ dataDirectory });
  await assertSealed('sign', 'message', 'hello', '--with', 'shop/ethereum');
  await assertSealed('export', 'wallet', 'shop', '--to', 'shop.json', '--yes');
  assert.equal((await done('org', 'key', 'show')).isSealed, true);
  assert.equal((await done('wallet', 'list')).wallets.length, 1);

  const unseal = ['org', 'unseal', '--holder', 'treasurer', '--passphrase-file'] as const;
  const wrong = await run(...unseal, 'wrong');
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.err, /this is not the secret of the key holder/);
  await assertSealed('sign', 'message', 'hello', '--with', 'shop/ethereum');
  await done(...unseal, 'treasurer');
  assert.deepEqual(await signed(), before);

  await done('org', 'seal');
  await assertSealed('sign', 'message', 'hello', '--with', 'shop/ethereum');
  await done('org', 'unseal', '--holder', 'deputy', '--passphrase-file', 'deputy');
  assert.deepEqual(await signed(), before);
  await done('org', 'holder', 'remove', 'deputy', '--yes');
  await done('org', 'seal');
  const removed = await run('org', 'unseal', '--holder', 'deputy', '--passphrase-file', 'deputy');
  assert.match(removed.err, /deputy matches 0 of the holders: treasurer/);
  const askSecret = async () => Buffer.from(passphrases.treasurer);
  const unsealed = await runIn(dataDirectory, ['org', 'unseal'], {
    environment: environment(),
    askSecret,
  });
  assert.equal(unsealed.code, 0, unsealed.err);
  assert.deepEqual(await signed(), before);

  const output = service.output();
  for (const text of Object.values(passphrases)) {
    assert(!`${output.stdout}${output.stderr}`.includes(text));
    assert(!readFileSync(join(dataDirectory, 'keywright.sqlite')).includes(text));
  }
});
