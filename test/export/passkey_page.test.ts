// The page of the recovery tool for passkeys: other programs and pages of the machine get no task, and the
// tool accepts no result of theirs.

import assert from 'node:assert/strict';
import { createCipheriv, createECDH } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type PasskeyTask, servePasskeyPage } from '../../tools/recover/passkey_page.ts';
import { identityOfPasskey } from '../../tools/recover/passkey_secret.ts';

const secret = Buffer.alloc(32, 5);
const asked = { purpose: 'Open', create: false, skippable: false, passkeys: [] };

async function openPage(t: TestContext) {
  let shown = { url: '', code: '' };
  const page = await servePasskeyPage((url, code) => {
    shown = { url, code };
  });
  t.after(() => page.stop());
  const { origin, port } = new URL(shown.url);
  const send = async (path: string, body: unknown, headers = {}, host = '127.0.0.1') => {
    const method = body === undefined ? 'GET' : 'POST';
    const own = { host: `localhost:${port}`, origin, ...headers };
    const sent = request({ host, port, path, method, headers: own, agent: false });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    return { status: Number(answer.statusCode), headers: answer.headers, text };
  };
  return { page, send, code: shown.code };
}

/** Encrypts a secret as the program of the page does. */
function sealedTo(receiver: string) {
  const own = createECDH('prime256v1');
  const sender = own.generateKeys('base64url');
  const key = own.computeSecret(receiver, 'base64url');
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12));
  const parts = [cipher.update(secret), cipher.final(), cipher.getAuthTag()];
  return { id: 'AAAA', sender, ciphertext: Buffer.concat(parts).toString('base64url') };
}

type Next = { readonly task?: PasskeyTask; readonly receiver: string };

test('the page gets its tasks one after the other, and then the end', async (t) => {
  const { page, send, code } = await openPage(t);
  const first = page.ask(asked);
  const { task, receiver } = JSON.parse((await send('/task', { code })).text) as Next;
  assert.deepEqual(task, { ...asked, number: 1 });
  const sent = send('/result', { code, number: 1, ...sealedTo(receiver) });
  assert.deepEqual(await first, { id: 'AAAA', secret });
  const second = page.ask(asked);
  const next = JSON.parse((await sent).text) as Next;
  assert.deepEqual(next, { task: { ...asked, number: 2 }, receiver });
  const last = send('/result', { code, number: 2, ...sealedTo(receiver) });
  await second;
  await page.stop();
  assert.deepEqual(JSON.parse((await last).text), { receiver });
});

test('programs without the code, and pages of other origins, get nothing', async (t) => {
  const { page, send, code } = await openPage(t);
  const result = page.ask(asked);
  for (const wrong of [undefined, '', 7, 'A'.repeat(10), `${code}A`]) {
    assert.equal((await send('/task', { code: wrong })).status, 403);
    assert.equal((await send('/result', { code: wrong, number: 1 })).status, 403);
  }
  const body = { code };
  assert.equal((await send('/task', body, { origin: 'http://localhost:1' })).status, 403);
  assert.equal((await send('/task', body, { host: 'attacker.example' })).status, 421);
  assert.equal((await send('/other', body)).status, 404);
  assert.equal((await send('/task', { code, fill: 'A'.repeat(20_000) })).status, 413);
  const { status, headers } = await send('/', undefined);
  assert.equal(status, 200);
  assert.match(String(headers['content-security-policy']), /^default-src 'none'/);
  const { receiver } = JSON.parse((await send('/task', body)).text) as Next;
  void send('/result', { code, number: 1, ...sealedTo(receiver) });
  assert.deepEqual((await result)?.secret, secret);
});

test('a result of another task, of other bytes or without a passkey is refused', async (t) => {
  const { page, send, code } = await openPage(t);
  const result = page.ask(asked);
  const { receiver } = JSON.parse((await send('/task', { code })).text) as Next;
  const sealed = sealedTo(receiver);
  const ciphertext = Buffer.from(sealed.ciphertext, 'base64url').reverse().toString('base64url');
  for (const [status, wrong] of [
    [409, { number: 2 }],
    [400, { skipped: true }],
    [400, { ciphertext: 'AAAA' }],
    [400, { ciphertext }],
    [400, { sender: 'AAAA' }],
  ] as const) {
    const sent = await send('/result', { code, number: 1, ...sealed, ...wrong });
    assert.equal(sent.status, status, sent.text);
  }
  void send('/result', { code, number: 1, ...sealed });
  assert.deepEqual((await result)?.secret, secret);
  const optional = page.ask({ ...asked, skippable: true });
  void send('/result', { code, number: 2, skipped: true });
  assert.equal(await optional, undefined);
});

test('the identity of a passkey stays the same in each version of the tool', () => {
  const identity = 'AGE-SECRET-KEY-1PGPHV2WY5VX0ZS79XXM8FCR5H7UUHSPUETY2LKGKU5CVHR9HRVFS79NFV8';
  assert.equal(identityOfPasskey(secret), identity);
});
