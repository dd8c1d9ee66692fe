// A service starts sealed and opens by the shares of its operators: real processes from the ceremony to a
// signature, and after a kill of the enclave.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { serviceProgram } from '../support/compiled_service.ts';
import { freePort } from '../support/free_port.ts';
import {
  childrenOf,
  isRunning,
  launch,
  startInVain,
  temporaryDirectory,
  until,
} from './service.ts';

const { main, environment: variables } = serviceProgram();
const folder = temporaryDirectory();
const dataDirectory = join(folder, 'data');
const file = (name: string): string => join(folder, name);
const identities = await Promise.all([1, 2, 3].map(() => generateIdentity()));
const recipients = await Promise.all(identities.map(identityToRecipient));
const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const environment = {
  KEYWRIGHT_PORT: String(port),
  KEYWRIGHT_ROOT_KEY_PROVIDER: 'shares',
  KEYWRIGHT_LOG_LEVEL: 'trace',
};

/** Runs a command, and returns its end. */
async function keywright(...words: readonly string[]) {
  const child = spawn(process.execPath, [main, ...words], {
    env: { ...variables, KEYWRIGHT_DATA_DIR: dataDirectory },
    cwd: folder,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

/** Sends the share of an operator, or of a file with the identity of another one. */
const unseal = (operator: number, share = `shares/share-${operator}.age`, ...more: string[]) =>
  keywright(
    ...['unseal', 'share', share, '--identity', `identity-${operator}.txt`],
    ...['--url', baseUrl, ...more],
  );

async function health() {
  const response = await fetch(`${baseUrl}/health/ready`);
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const isSealed = (reason: RegExp) =>
  until(`the service is sealed: ${reason}`, async () => {
    const { status, body } = await health();
    return status === 503 && body.status === 'sealed' && reason.test(body.reasons[0]);
  });
const isReady = () => until('the service is ready', async () => (await health()).status === 200);

describe('a service whose provider is shares', () => {
  let service: ReturnType<typeof launch>;
  before(async () => {
    for (const [index, identity] of identities.entries()) {
      writeFileSync(file(`identity-${index + 1}.txt`), identity, { mode: 0o600 });
    }
    const made = await keywright(
      ...['root-key', 'init', '--shares', '3', '--threshold', '2', '--to', 'shares'],
      ...recipients.flatMap((recipient) => ['--recipient', recipient]),
    );
    assert.equal(made.code, 0, made.err);
    service = launch({ dataDirectory, environment });
  });
  after(() => service.child.kill('SIGKILL'));

  test('has no file with its key from the start', () => {
    assert.deepEqual(readdirSync(dataDirectory).includes('root.key'), false);
    assert.deepEqual(
      readdirSync(file('shares')),
      [1, 2, 3].map((n) => `share-${n}.age`),
    );
  });

  test('is sealed until two operators sent their shares, and names each wrong one', async () => {
    await isSealed(/^sealed: waits for shares of the root key: 0 of 2 were given/);
    const refused = await fetch(`${baseUrl}/public/v1/query/whoami`, {
      method: 'POST',
      body: '{}',
    });
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /the service is sealed because it has no root key/);

    const first = await unseal(1);
    assert.equal(first.code, 0, first.err);
    assert.match(
      first.out,
      /Service\s+sealed\nShares\s+1 of 2\nProgram\s+\S+, sources [0-9a-f]{64}/,
    );
    await isSealed(/: 1 of 2 were given/);
    assert.match((await unseal(1)).err, /share 1 was given twice: each share counts once/);
    assert.match(
      (await unseal(2, 'shares/share-3.age')).err,
      /no identity of \S+ opens \S+share-3/,
    );
    const digest = 'ab'.repeat(32);
    const other = await unseal(2, undefined, '--sources-digest', digest);
    assert.equal(other.code, 9);
    assert.match(other.err, /the enclave states the sources [0-9a-f]{64}, not (ab)+/);

    const second = await unseal(2);
    assert.equal(second.code, 0, second.err);
    assert.match(second.out, /Service\s+open\nShares\s+2 of 2/);
    await isReady();
    assert.equal(existsSync(join(dataDirectory, 'root-credentials.json')), true);
    const late = await unseal(3);
    assert.equal(late.code, 4);
    assert.match(late.err, /the service does not wait for shares of its root key/);
  });

  test('is sealed again after its enclave dies, and other operators open it', async () => {
    const credentials = readFileSync(join(dataDirectory, 'root-credentials.json'), 'utf8');
    const [enclave = assert.fail()] = childrenOf(service.child.pid ?? assert.fail());
    process.kill(enclave, 'SIGKILL');
    await until('the enclave has ended', () => !isRunning(enclave));
    await isSealed(/: 0 of 2 were given/);
    const refused = await fetch(`${baseUrl}/public/v1/query/whoami`, {
      method: 'POST',
      body: '{}',
    });
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /the service is sealed/);
    for (const operator of [3, 1]) {
      const { code, err } = await unseal(operator);
      assert.equal(code, 0, err);
    }
    await isReady();
    const { organizationId } = JSON.parse(credentials);
    const shown = await keywright(
      ...['whoami', '--json', '--credentials', join(dataDirectory, 'root-credentials.json')],
    );
    assert.equal(JSON.parse(shown.out).organizationId, organizationId, shown.err);
  });

  test('accepts only the shares of a new sharing after operators shared the same key again', async () => {
    writeFileSync(file('both.txt'), identities.slice(0, 2).join('\n'), { mode: 0o600 });
    writeFileSync(file('new.txt'), recipients.join('\n'));
    const again = await keywright(
      ...['root-key', 'split', '--threshold', '3', '--recipients', 'new.txt'],
      ...['--from', 'shares', '--identities', 'both.txt', '--to', 'new-shares'],
    );
    assert.equal(again.code, 0, again.err);
    const [enclave = assert.fail()] = childrenOf(service.child.pid ?? assert.fail());
    process.kill(enclave, 'SIGKILL');
    await isSealed(/: 0 of 3 were given/);
    assert.match((await unseal(1)).err, /share 1 comes from another sharing of the root key/);
    for (const operator of [1, 2, 3]) {
      const { code, err } = await unseal(operator, `new-shares/share-${operator}.age`);
      assert.equal(code, 0, err);
    }
    await isReady();
  });

  test('writes no share and no key to its log', async () => {
    const { stdout, stderr } = service.output();
    for (const [index, identity] of identities.entries()) {
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      const share = await decrypter.decrypt(readFileSync(file(`shares/share-${index + 1}.age`)));
      const value = Buffer.from(share.subarray(-33)).toString('hex');
      assert.equal(`${stdout}${stderr}`.includes(value), false);
    }
    assert.match(stdout, /the service has its root key/);
    service.child.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
  });
});

test('without the file of a sharing, or with several enclaves, the start ends with a sentence', async () => {
  const empty = await startInVain({ dataDirectory: temporaryDirectory(), environment });
  assert.match(empty.stderr, /there is no sharing of a root key at \S+root\.key\.shares: create/);
  const several = { ...environment, KEYWRIGHT_ENCLAVES: '2' };
  const two = await startInVain({ dataDirectory, environment: several });
  assert.match(two.stderr, /with KEYWRIGHT_ROOT_KEY_PROVIDER=shares there is one enclave/);
});
