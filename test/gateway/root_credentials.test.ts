import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  type Bootstrapped,
  bootstrapRoot,
  rootCredentialsFiles,
  saveRootCredentials,
} from '../../src/gateway/enclave/root_credentials.ts';

/** Creates the relevant part of the enclave and its database: the first key creates the organization. */
function fakeDatabase() {
  const organizations: Bootstrapped[] = [];
  const bootstrap = async ({ apiPublicKey }: { apiPublicKey: string }): Promise<Bootstrapped> => {
    const existing = organizations[0];
    if (existing !== undefined) return existing;
    const made = {
      organizationId: 'organization',
      userId: 'user',
      apiKeyId: 'key',
      apiPublicKey,
      authProxyConfigId: 'proxy',
    };
    organizations.push(made);
    return made;
  };
  return { organizations, bootstrap };
}

function directory(t: { after(cleanUp: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'keywright-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

const baseUrl = 'http://127.0.0.1:1';
const authProxyUrl = 'http://127.0.0.1:2';
const addresses = { baseUrl, authProxyUrl };
const jsonOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

async function start(path: string, { bootstrap } = fakeDatabase()): Promise<string | undefined> {
  return saveRootCredentials(path, await bootstrapRoot(path, bootstrap), addresses);
}

describe('root credentials', () => {
  test('a first start writes them: a working key pair, readable only by the owner', async (t) => {
    const path = directory(t);
    const database = fakeDatabase();
    const { final } = rootCredentialsFiles(path);
    assert.equal(await start(path, database), final);
    const { apiPublicKey, apiPrivateKey, ...rest } = jsonOf(final);
    assert.deepEqual(rest, {
      baseUrl,
      authProxyUrl,
      authProxyConfigId: 'proxy',
      organizationId: 'organization',
      userId: 'user',
      apiKeyId: 'key',
    });
    const pair = createECDH('prime256v1');
    assert.match(apiPrivateKey, /^[0-9a-f]{64}$/);
    pair.setPrivateKey(apiPrivateKey, 'hex');
    assert.equal(pair.getPublicKey('hex', 'compressed'), apiPublicKey);
    assert.equal(database.organizations[0]?.apiPublicKey, apiPublicKey);
    assert.equal(statSync(final).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(path), ['root-credentials.json']);
  });

  test('a start on another port of this machine updates its address, and keeps an address elsewhere', async (t) => {
    const path = directory(t);
    const database = fakeDatabase();
    const { final } = rootCredentialsFiles(path);
    await start(path, database);
    const before = jsonOf(final);
    const moved = { baseUrl: 'http://127.0.0.1:9', authProxyUrl: 'http://127.0.0.1:9' };
    const again = async () =>
      saveRootCredentials(path, await bootstrapRoot(path, database.bootstrap), moved);
    assert.equal(await again(), undefined);
    assert.deepEqual(jsonOf(final), { ...before, ...moved });
    writeFileSync(final, JSON.stringify({ ...before, baseUrl: 'https://keys.example' }));
    await again();
    assert.equal(jsonOf(final).baseUrl, 'https://keys.example');
  });

  test('later starts do not change the file', async (t) => {
    const path = directory(t);
    const database = fakeDatabase();
    await start(path, database);
    const { final } = rootCredentialsFiles(path);
    writeFileSync(final, `${readFileSync(final, 'utf8')}\n`);
    const before = readFileSync(final);
    assert.equal(await start(path, database), undefined);
    assert.deepEqual(readFileSync(final), before);
    writeFileSync(final, 'notes of its owner');
    assert.equal(await start(path, database), undefined);
    assert.equal(readFileSync(final, 'utf8'), 'notes of its owner');
    assert.deepEqual(readdirSync(path), ['root-credentials.json']);
  });

  test('a file that its owner deleted is not written again', async (t) => {
    const path = directory(t);
    const database = fakeDatabase();
    await start(path, database);
    rmSync(rootCredentialsFiles(path).final);
    assert.equal(await start(path, database), undefined);
    assert.deepEqual(readdirSync(path), []);
  });

  test('the file of another database is kept next to the new one', async (t) => {
    const path = directory(t);
    await start(path);
    const before = readFileSync(rootCredentialsFiles(path).final);
    assert.equal(await start(path), rootCredentialsFiles(path).final);
    const old = readdirSync(path).find((name) => name.endsWith('.old'));
    assert.deepEqual(readFileSync(join(path, old ?? '')), before);
    assert.notDeepEqual(readFileSync(rootCredentialsFiles(path).final), before);
  });

  test('unreadable pending credentials stop the start', async (t) => {
    const path = directory(t);
    const { pending } = rootCredentialsFiles(path);
    for (const content of ['', '{}', 'null', '{"apiPublicKey":"00","apiPrivateKey":"00"}']) {
      writeFileSync(pending, content);
      await assert.rejects(start(path), /has no credentials: move it away/);
      assert.equal(readFileSync(pending, 'utf8'), content);
    }
  });
});

describe('a crash loses no key and creates no second organization', () => {
  const crash = new Error('crash');
  type Path = string;
  type Database = ReturnType<typeof fakeDatabase>;

  // Each runs a first start up to a point and ends it there.
  const crashes: Record<string, (path: Path, database: Database) => Promise<void>> = {
    'after the pending file was written': async (path) => {
      await bootstrapRoot(path, () => Promise.reject(crash));
    },
    'after the organization was made, before the answer arrived': async (path, database) => {
      await bootstrapRoot(path, async (request) => {
        await database.bootstrap(request);
        throw crash;
      });
    },
    'after the answer arrived': async (path, database) => {
      await bootstrapRoot(path, database.bootstrap);
      throw crash;
    },
    'after the final file was written': async (path, database) => {
      const { pending } = rootCredentialsFiles(path);
      const bootstrapped = await bootstrapRoot(path, database.bootstrap);
      const before = readFileSync(pending);
      saveRootCredentials(path, bootstrapped, addresses);
      writeFileSync(pending, before, { mode: 0o600 });
      throw crash;
    },
  };
  for (const [point, crashAt] of Object.entries(crashes)) {
    test(point, async (t) => {
      const path = directory(t);
      const database = fakeDatabase();
      await assert.rejects(crashAt(path, database), crash);
      const { pending, final } = rootCredentialsFiles(path);
      const key = jsonOf(pending).apiPublicKey;
      assert.equal(statSync(pending).mode & 0o077, 0);

      await start(path, database);
      assert.equal(database.organizations.length, 1);
      assert.equal(database.organizations[0]?.apiPublicKey, key);
      assert.equal(jsonOf(final).apiPublicKey, key);
      assert.equal(jsonOf(final).organizationId, 'organization');
      assert.deepEqual(readdirSync(path), ['root-credentials.json']);
    });
  }

  test('after another start found an organization, before it removed its pending file', async (t) => {
    const path = directory(t);
    const database = fakeDatabase();
    await start(path, database);
    rmSync(rootCredentialsFiles(path).final);
    await bootstrapRoot(path, database.bootstrap);
    assert.equal(await start(path, database), undefined);
    assert.deepEqual(readdirSync(path), []);
  });
});
