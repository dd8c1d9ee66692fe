// Passkeys of key holders at the command line. Another test runs the page in a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passkeySecret } from '../../src/cli/keys/passkey_holders.ts';
import { holderNamed } from '../../src/cli/service/organization_key.ts';
import { Failure } from '../../src/cli/words/failures.ts';
import { folderOfTests, terminalIn } from './terminal.ts';

const folder = folderOfTests();
const task = { organizationName: 'Shop', holderName: 'clerk', receiver: '04', info: 'info' };
const salt = 'A'.repeat(22);

test('a derivation of another relying party or form opens no page', async () => {
  for (const derivation of [
    `$webauthn-prf$rp=keys.example$AAAA$${salt}`,
    `$webauthn-prf$rp=localhost.example$AAAA$${salt}`,
    `$webauthn-prf$rp=localhost$AAAA$${salt}A`,
    `$webauthn-prf$rp=localhost$$${salt}`,
    `$webauthn-prf$rp=localhost$${'A'.repeat(1_401)}$${salt}`,
    `prf AAAA`,
  ]) {
    let printed = '';
    const err = (text: string) => {
      printed += text;
    };
    await assert.rejects(
      passkeySecret({ ...task, derivation }, terminalIn(folder, { err })),
      ({ code, exit }: Failure) => code === 'derivation_unknown' && exit === 'not_verified',
    );
    assert.equal(printed, '');
  }
});

/** Unseals with a known derivation, and returns the failure. `act` uses the page. */
async function failureAfter(
  act: (url: string, interrupt: () => void) => Promise<void>,
): Promise<Failure> {
  const interrupt = new AbortController();
  const terminal = terminalIn(folder, {
    signal: interrupt.signal,
    openBrowser: (url) => act(url, () => interrupt.abort()),
  });
  const derivation = `$webauthn-prf$rp=localhost$AAAA$${salt}`;
  const failed = await passkeySecret({ ...task, derivation }, terminal).catch((error) => error);
  assert(failed instanceof Failure, String(failed));
  return failed;
}

test('the command continues after wrong codes, and ends on Ctrl-C', async () => {
  let address = '';
  const interrupted = await failureAfter(async (url, interrupt) => {
    address = url;
    const { origin } = new URL(url);
    const headers = { origin, 'content-type': 'application/json' };
    for (let i = 0; i < 5; i += 1) {
      const { status } = await fetch(`${url}task`, { method: 'POST', headers, body: '{}' });
      assert.equal(status, 403);
    }
    assert.equal((await fetch(url)).status, 200, 'the page is still there');
    interrupt();
  });
  assert.equal(interrupted.exit, 'interrupted');
  await assert.rejects(fetch(address), 'the page is gone');
});

test('unseal takes the only holder, or the only holder with a passphrase', () => {
  const holder = (holderName: string, type: 'PASSKEY' | 'PASSPHRASE') => ({
    holderId: holderName,
    holderName,
    type: `KEY_HOLDER_TYPE_${type}` as const,
    derivation: '',
    createdAt: { seconds: '0', nanos: '0' },
  });
  const chosen = (...holders: readonly ReturnType<typeof holder>[]) => {
    const key = { organizationKeyId: '', sealCount: '0', createdAt: { seconds: '0', nanos: '0' } };
    return holderNamed({ ...key, holders: [...holders] }, undefined).holderName;
  };
  assert.equal(chosen(holder('clerk', 'PASSKEY')), 'clerk');
  assert.equal(chosen(holder('clerk', 'PASSKEY'), holder('deputy', 'PASSPHRASE')), 'deputy');
  assert.throws(() => chosen(holder('a', 'PASSKEY'), holder('b', 'PASSKEY')), /matches 0/);
  assert.throws(() => chosen(holder('a', 'PASSPHRASE'), holder('b', 'PASSPHRASE')), /matches 2/);
});
