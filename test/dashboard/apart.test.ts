// `keywright dashboard` serves the page of the installed package for a remote service, and `dashboard verify`
// compares the pages of a service with those of the package.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserOpener } from '../../src/cli/terminal/browser.ts';
import { readBuild } from '../../src/gateway/dashboard/built_files.ts';
import { runIn } from '../cli/terminal.ts';
import { launchBrowser } from '../e2e/browser/browser.ts';
import { type DevService, startDev } from '../e2e/dev_service.ts';
import { temporaryDirectory } from '../e2e/service.ts';
import { dashboardBuild } from './build.ts';
import { before, goTo, test } from './dashboard.ts';

const folder = temporaryDirectory();
let service: DevService;
let build: string;

before(async () => {
  build = await dashboardBuild();
  service = await startDev(folder, '--dashboard-dir', build);
});

test('a page of the package signs in and reads at the service, and sends no request elsewhere', async (t) => {
  const apiUrl = service.baseUrl;
  const interrupt = new AbortController();
  const greeting = Promise.withResolvers<string>();
  const words = ['dashboard', '--url', apiUrl, '--from', build, '--json'];
  const { signal } = interrupt;
  const command = runIn(folder, words, { signal, out: greeting.resolve });
  const { url } = JSON.parse(await greeting.promise);
  const browser = await launchBrowser();
  t.after(async () => {
    await browser.close();
    interrupt.abort();
    assert.equal((await command).code, 0);
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await page.getByText('Passkeys work only at the host of the service').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
  assert.equal(await page.getByRole('group', { name: 'Demo people' }).count(), 0);
  await page
    .getByLabel('API key file')
    .setInputFiles(join(folder, '.keywright', 'root-credentials.json'));
  await goTo(page, 'Wallets');
  await page.getByRole('table', { name: 'Wallets' }).getByRole('rowheader').first().waitFor();
  assert.deepEqual([...origins].toSorted(), [new URL(url).origin, apiUrl].toSorted());
  assert.deepEqual(complaints, []);
});

test('keywright dashboard opens a browser at the address with its secret, unless --no-open is set', async () => {
  const openedBy = async (...flags: readonly string[]) => {
    const interrupt = new AbortController();
    const opened: string[] = [];
    const words = ['dashboard', '--url', service.baseUrl, '--from', build, '--json', ...flags];
    const output = Promise.withResolvers<string>();
    const command = runIn(folder, words, {
      signal: interrupt.signal,
      out: output.resolve,
      openBrowser: async (url) => void opened.push(url),
    });
    const { url } = JSON.parse(await output.promise);
    interrupt.abort();
    assert.equal((await command).code, 0);
    return { opened, url };
  };
  const { opened, url } = await openedBy();
  assert.deepEqual(opened, [url]);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{22}$/);
  assert.deepEqual((await openedBy('--no-open')).opened, []);
});

test('each system opens the browser by its own program, and a terminal without a display opens none', () => {
  assert.deepEqual(browserOpener('darwin', {}), ['open']);
  assert.equal(browserOpener('win32', {})?.[0], 'rundll32');
  assert.deepEqual(browserOpener('linux', { WAYLAND_DISPLAY: 'wayland-0' }), ['xdg-open']);
  assert.equal(browserOpener('linux', { DISPLAY: '' }), undefined);
});

test('the files that the service serves are compared with those of the package', async () => {
  const verify = (from: string) =>
    runIn(folder, ['dashboard', 'verify', service.baseUrl, '--from', from, '--json']);
  const same = await verify(build);
  assert.equal(same.code, 0, same.err);
  const { verified, files } = JSON.parse(same.out);
  assert.equal(verified, true);
  assert.equal(files, readBuild(build).files.size);

  const other = join(folder, 'other');
  const list = JSON.parse(readFileSync(join(build, 'integrity.json'), 'utf8'));
  const [script = ''] = Object.keys(list.files).filter((path) => path.endsWith('.js'));
  for (const [altered, expected] of [
    [() => writeFileSync(join(other, script), 'alert(1)'), `${script} is another file`],
    [
      () => writeFileSync(join(other, 'index.html'), '<!doctype html>'),
      'index.html is another file',
    ],
    [
      () => {
        const text = JSON.stringify({ ...list, importMap: 'sha256-AAAA' });
        writeFileSync(join(other, 'integrity.json'), text);
      },
      'the header content-security-policy differs from this version',
    ],
  ] as const) {
    rmSync(other, { recursive: true, force: true });
    cpSync(build, other, { recursive: true });
    altered();
    const found = await verify(other);
    assert.equal(found.code, 9);
    assert.ok(JSON.parse(found.out).reason.includes(expected), found.out);
  }
});

test('a package is verified only if the release key signed its list, and the list contains its files', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const stranger = generateKeyPairSync('ed25519').publicKey;
  const list = readFileSync(join(build, 'integrity.json'));
  const [key, other, signature] = ['release.pub', 'other.pub', 'integrity.json.sig'].map((name) =>
    join(folder, name),
  );
  assert(key !== undefined && other !== undefined && signature !== undefined);
  writeFileSync(key, publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(other, stranger.export({ type: 'spki', format: 'pem' }));
  writeFileSync(signature, sign(null, list, privateKey));
  const verify = (from: string, ...flags: readonly string[]) =>
    runIn(folder, ['dashboard', 'verify', service.baseUrl, '--from', from, '--json', ...flags]);
  const signed = ['--release-key', key, '--signature', signature];
  assert.equal((await verify(build, ...signed)).code, 0);
  const reasonOf = async (from: string, ...flags: readonly string[]) => {
    const { code, out } = await verify(from, ...flags);
    assert.equal(code, 9);
    return JSON.parse(out).reason;
  };
  assert.match(
    await reasonOf(build, '--release-key', other, '--signature', signature),
    /differs from the signed one/,
  );
  const changed = join(folder, 'changed');
  cpSync(build, changed, { recursive: true });
  writeFileSync(join(changed, 'index.html'), '<!doctype html>');
  assert.match(await reasonOf(changed, ...signed), /index\.html .* is not in the signed list/);
  assert.equal((await verify(build, '--signature', signature)).code, 2);
  assert.equal((await verify(build, '--release-key', signature, '--signature', key)).code, 2);
});
