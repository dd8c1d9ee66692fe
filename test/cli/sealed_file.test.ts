// Opens exports that the dashboard sealed, and rejects others. test/dashboard/custody.test.ts opens an export
// of the page.

import assert from 'node:assert/strict';
import { createCipheriv, scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { openSealed, sealedMembers } from '../../src/cli/transfers/sealed_file.ts';

const passphrase = Buffer.from('pa\u0073\u0301sphrase');
const content = Buffer.from('{"kind":"wallet"}');
/** The least memory that a file may require. */
const cost = { n: 1_024, r: 8, p: 1 };

function sealed(holds = 'wallet') {
  const [salt, nonce] = [Buffer.alloc(16, 1), Buffer.alloc(12, 2)];
  const { n: N, r, p } = cost;
  // This is the same text in composed letters.
  const text = passphrase.toString().normalize('NFC');
  const cipher = createCipheriv('aes-256-gcm', scryptSync(text, salt, 32, { N, r, p }), nonce);
  cipher.setAAD(Buffer.from(`keywright sealed export, version 1: ${holds}`));
  const bytes = Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  return {
    kind: 'sealed',
    version: 1,
    holds,
    name: 'shop',
    scrypt: { ...cost, salt: salt.toString('hex') },
    nonce: nonce.toString('hex'),
    ciphertext: bytes.toString('hex'),
  };
}

test('the passphrase opens it in composed and decomposed letters', async () => {
  const members = sealedMembers(Buffer.from(JSON.stringify(sealed())));
  assert(members !== undefined);
  assert.deepEqual(Buffer.from(await openSealed(members, 'wallet', passphrase)), content);
});

test('another passphrase, and every altered member, opens nothing', async () => {
  const good = sealed();
  const flipped = `${good.ciphertext.slice(0, -1)}${good.ciphertext.endsWith('0') ? '1' : '0'}`;
  await assert.rejects(openSealed(good, 'wallet', Buffer.from('another')), /does not open/);
  const altered = [
    { ciphertext: flipped },
    { nonce: '00'.repeat(12) },
    { scrypt: { ...good.scrypt, salt: '00' } },
    { scrypt: { ...good.scrypt, n: 2_048 } },
  ];
  for (const members of altered) {
    await assert.rejects(openSealed({ ...good, ...members }, 'wallet', passphrase), /altered/);
  }
  // The seal of a wallet does not open as a secret.
  await assert.rejects(openSealed({ ...good, holds: 'secret' }, 'secret', passphrase), /altered/);
  await assert.rejects(openSealed(good, 'secret', passphrase), /holds a wallet, not a secret/);
});

test('a file that requires too much memory or another form is refused', async () => {
  const good = sealed();
  const refused = [
    { version: 2 },
    { nonce: '00' },
    { ciphertext: '' },
    { ciphertext: 'zz' },
    { scrypt: { ...good.scrypt, n: 2 ** 30 } },
    { scrypt: { ...good.scrypt, r: 2 ** 20 } },
    { scrypt: { ...good.scrypt, n: 1_000 } },
    { scrypt: { ...good.scrypt, p: -1 } },
    { scrypt: { ...good.scrypt, salt: 7 } },
    { scrypt: undefined },
  ];
  for (const members of refused) {
    const file = { ...good, ...members } as Parameters<typeof openSealed>[0];
    await assert.rejects(openSealed(file, 'wallet', passphrase), /not a sealed export/);
  }
});

test('other files are not recognized as sealed files', () => {
  for (const text of ['', 'abandon abandon', '{', '{"kind":"wallet"}', '[]', 'null']) {
    assert.equal(sealedMembers(Buffer.from(text)), undefined, text);
  }
});
