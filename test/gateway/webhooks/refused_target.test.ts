import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedTarget } from '../../../src/gateway/webhooks/refused_target.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'receiver.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inner.example': ['93.184.215.14', '10.0.0.7'],
  'empty.example': [],
};
const lookup = async (host: string) => names[host] ?? Promise.reject(new Error('ENOTFOUND'));
const asked = (url: string, allowPrivateTargets = false) =>
  refusedTarget(url, { allowPrivateTargets }, lookup);

const refused: Readonly<Record<string, RegExp>> = {
  'http://receiver.example/': /scheme is not https/,
  'https://127.0.0.1/': /address is loopback/,
  'https://2130706433/': /address is loopback/,
  'https://[::ffff:127.0.0.1]/': /address is/,
  'https://169.254.169.254/latest/meta-data': /address is link-local/,
  'https://10.0.0.7:8443/hook': /address is private/,
  'https://localhost/': /./,
  'https://me@receiver.example/': /user info/,
  'https://inner.example/': /address is private/,
  'https://empty.example/': /name has no address/,
  'https://unknown.example/': /name has no address/,
};

for (const [url, reason] of Object.entries(refused)) {
  test(`webhooks do not go to ${url}`, async () => {
    assert.match((await asked(url)) ?? '', reason);
  });
}

test('webhooks go to public addresses, and to private ones if a setting allows it', async () => {
  for (const url of ['https://93.184.215.14/hook', 'https://receiver.example:8443/hook?a=b']) {
    assert.equal(await asked(url), undefined, url);
  }
  for (const url of ['http://127.0.0.1:9000/', 'https://10.0.0.7/', 'http://inner.example/']) {
    assert.equal(await asked(url, true), undefined, url);
  }
});

test('the setting is named only in refusals that it would change', async () => {
  const named = /KEYWRIGHT_ALLOW_PRIVATE_TARGETS=true/;
  for (const url of [
    ...['http://receiver.example/', 'https://127.0.0.1/', 'https://localhost/'],
    'https://inner.example/',
  ]) {
    assert.match((await asked(url)) ?? '', named, url);
  }
  for (const url of ['https://me@receiver.example/', 'ftp://receiver.example/', 'nothing']) {
    assert.doesNotMatch((await asked(url)) ?? assert.fail(url), named, url);
  }
  assert.doesNotMatch((await asked('https://empty.example/')) ?? assert.fail(), named);
  assert.doesNotMatch((await asked('ftp://a/', true)) ?? assert.fail(), named);
});
