// Private keys and secrets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandsOfThisFile } from './running_service.ts';

const { run, json } = await commandsOfThisFile();

test('a key is created, listed, shown and used', async () => {
  const { privateKeys } = await json('key create deploy');
  const [{ privateKeyId, addresses }] = privateKeys;
  assert.equal(addresses[0].format, 'ADDRESS_FORMAT_ETHEREUM');
  assert.equal((await run('key list --quiet')).out, `${privateKeyId}\n`);
  assert.match((await run('key list')).out, /\ndeploy +\S+ +secp256k1 +ethereum +\d{4}/);
  const shown = await run('key show deploy');
  assert.match(shown.out, new RegExp(`ethereum +${addresses[0].address}\n`));
  assert.equal((await run(`key show ${privateKeyId}`)).out, shown.out);
  assert.equal((await json('key show deploy')).privateKey.privateKeyId, privateKeyId);
  for (const signer of ['deploy', 'deploy/ethereum', privateKeyId, addresses[0].address]) {
    const { address } = await json(`sign message hello --with ${signer}`);
    assert.equal(address, addresses[0].address, signer);
  }
});

test('keys are created for other chains, and without an address', async () => {
  const relay = await json('key create relay --kind solana');
  assert.equal(relay.privateKeys[0].addresses[0].format, 'ADDRESS_FORMAT_SOLANA');
  const both = await json('key create both --kind ethereum --kind tron');
  assert.equal(both.privateKeys[0].addresses.length, 2);
  assert.equal((await run('sign message hello --with both')).code, 2);
  assert.equal((await run('sign message hello --with both/tron')).code, 0);
  const none = await run('key create tokens --curve p256');
  assert.match(none.out, /^Private key +tokens\nID +\S+\n$/);
  for (const words of [
    'sign payload 00 --hash sha256 --with tokens',
    'sign payload 00 --with relay',
  ]) {
    const input = JSON.stringify(await json(words));
    const { code, err } = await run('verify message', { input });
    assert.equal(code, 0, err);
  }
});

for (const [words, exit, said] of [
  ['key create a --kind ethereum --kind solana', 2, /one key is on one curve/],
  ['key create a --curve p257', 2, /did you mean p256\?/],
  ['key create a --curve p256 --kind ethereum', 2, /one key is on one curve/],
  ['key show depoy', 5, /no key depoy .*\nnext: Did you mean deploy\?/],
  ['key delete deploy', 4, /never exported.*\n.*export key deploy --to FILE/],
  ['key delete deploy --without-export', 10, /lost for good/],
  ['secret show token', 5, /no secret token/],
  ['secret delete token', 5, /next: keywright secret list/],
] as const) {
  test(`keywright ${words} ends with ${exit}`, async () => {
    const { code, out, err } = await run(words);
    assert.equal(code, exit, err);
    assert.equal(out, '');
    assert.match(err, said);
  });
}

test('a key is deleted without its export on request', async () => {
  const { code, out } = await run('key delete deploy --without-export --yes');
  assert.equal(code, 0);
  assert.match(out, /^Deleted +deploy\n/);
  assert.doesNotMatch((await run('key list')).out, /^deploy /m);
});

test('the list of an organization without secrets names the command to import one', async () => {
  const { code, out, err } = await run('secret list');
  assert.deepEqual([code, out], [0, '']);
  assert.match(err, /keywright import secret NAME --from FILE/);
  assert.deepEqual(await json('secret list'), { secrets: [] });
});
