// The server of the page for passkeys: other programs and pages of the machine get no task,
// and their results are not accepted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { servePasskeyPage } from '../../src/holder_page/serve.ts';

const task = {
  about: { Organization: 'Shop', Holder: 'treasurer' },
  passkey: { name: 'treasurer', isDiscoverable: false },
  salt: 'A'.repeat(22),
  receiver: '04',
  info: 'info',
};
const result = { credentialId: 'AAAA', encryptedSecret: '{}' };

async function openPage(t: TestContext) {
  const page = await servePasskeyPage(task);
  t.after(() => page.stop());
  const { origin, port } = new URL(page.url);
  const send = async (path: string, body: object, headers = {}, method = 'POST') => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: {
        host: `localhost:${port}`,
        origin,
        'content-type': 'application/json',
        ...headers,
      },
      agent: false,
    });
    sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    return { status: Number(answer.statusCode), headers: answer.headers, text };
  };
  return { page, send, code: page.code };
}

test('the page gets its task and returns its result with the code', async (t) => {
  const { page, send, code } = await openPage(t);
  assert.match(code, /^[2-9A-HJ-NP-Z]{10}$/);
  assert.deepEqual(JSON.parse((await send('/task', { code })).text), task);
  assert.equal((await send('/result', { code, ...result })).status, 200);
  assert.deepEqual(await page.result, result);
});

test('an incomplete result is refused, and the page can send another', async (t) => {
  const { page, send, code } = await openPage(t);
  assert.equal((await send('/result', { code, credentialId: 'AAAA' })).status, 400);
  assert.equal((await send('/result', { code, ...result, credentialId: 7 })).status, 400);
  await send('/result', { code, ...result });
  assert.deepEqual(await page.result, result);
});

test('a program without the code gets no task, and its wrong codes do not stop the owner', async (t) => {
  const { page, send, code } = await openPage(t);
  const other = `${code.slice(1)}0`;
  const wrong = [{}, { code: other }, { code: 7 }, { code: `${code}0` }, { code: [code] }];
  for (const body of [...wrong, ...wrong, ...wrong]) {
    const { status, text } = await send('/task', body);
    assert.equal(status, 403);
    assert.doesNotMatch(text, /treasurer/);
  }
  assert.equal((await send('/task', { code })).status, 200);
  assert.equal((await send('/result', { code: other, ...result })).status, 403);
  assert.equal((await send('/result', { code, ...result })).status, 200);
  assert.deepEqual(await page.result, result);
});

test('pages of other origins and names are refused before their code counts', async (t) => {
  const { send, code } = await openPage(t);
  for (let i = 0; i < 10; i += 1) {
    const foreign = await send('/task', { code: '1' }, { origin: 'http://localhost:1' });
    assert.equal(foreign.status, 403);
    const rebound = await send('/task', { code }, { host: 'attacker.example' });
    assert.equal(rebound.status, 421);
  }
  assert.equal((await send('/task', { code })).status, 200);
});

test('a large body is refused', async (t) => {
  const { send, code } = await openPage(t);
  assert.equal((await send('/result', { code, credentialId: 'A'.repeat(20_000) })).status, 413);
});

test('the page runs its own files alone, and no frame or cache keeps it', async (t) => {
  const { send } = await openPage(t);
  const { status, headers, text } = await send('/', {}, {}, 'GET');
  assert.equal(status, 200);
  assert.match(headers['content-security-policy'], /^default-src 'none'; script-src 'self'; /);
  assert.match(headers['content-security-policy'], /frame-ancestors 'none'/);
  assert.equal(headers['cache-control'], 'no-store');
  const [, program = ''] = /<script type="module" src="([^"]+)">/.exec(text) ?? [];
  const paths = [program];
  for (const path of paths) {
    const script = await send(path, {}, {}, 'GET');
    assert.equal(script.status, 200, path);
    assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
    for (const [, imported = ''] of script.text.matchAll(/^import [^;]*from '([^']+)';/gm)) {
      paths.push(new URL(imported, `http://localhost${path}`).pathname);
    }
  }
  assert.equal(new Set(paths).size, 4);
});
