// `keywright migrate --keys` between two services: sub-organizations, wallets and private keys, exports
// that wait for votes, and kills after each request.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startForwardingServer } from './forwarding_server.ts';
import { keyKinds, type Member, oddAccounts, rowsByName, twoServices } from './migrating.ts';

/** The number of the changing request at which a process is killed: the first export. */
const processKilledAt = 2;

const services = await twoServices();
const {
  run,
  runReviewed,
  json,
  api,
  flags,
  addUser,
  addOrganization,
  login,
  folder,
  source,
  target,
} = services;

/** Creates a wallet with accounts at unusual paths, and creates and imports private keys on each curve. */
async function fill(member: Member, name: string) {
  await api(member, 'create_wallet', { walletName: name, accounts: oddAccounts });
  for (const [curve, addressFormats] of Object.entries(keyKinds)) {
    const privateKeyName = `${name} ${curve}`;
    const key = { privateKeyName, curve, addressFormats, privateKeyTags: [] };
    await api(member, 'create_private_keys', { privateKeys: [key] });
    const kind =
      curve === 'CURVE_SECP256K1' ? '--kind ethereum' : `--curve ${curve.slice(6).toLowerCase()}`;
    const words = `import key "imported ${name} ${curve}" --from - ${kind} ${flags(member)} --yes`;
    const input = `00${randomBytes(31).toString('hex')}`;
    const { code, err } = await run(words, { input });
    assert.equal(code, 0, err);
  }
  await api(member, 'create_private_key_tag', {
    privateKeyTagName: 'cold',
    privateKeyIds: (await keysOf(member)).slice(0, 2).map((key) => key['privateKeyId']),
  });
}

const keysOf = async (member: Member): Promise<readonly Record<string, unknown>[]> =>
  (await api(member, 'list_private_keys')).privateKeys;

/** Returns addresses and public keys by name, which must be equal after a migration. */
async function holdings(member: Member) {
  const { wallets } = await api(member, 'list_wallets');
  const accounts = await Promise.all(
    wallets.map(async ({ walletId, walletName }: Record<string, string>) => [
      walletName,
      (await api(member, 'list_wallet_accounts', { walletId })).accounts
        .map(({ path, address }: Record<string, string>) => `${path} ${address}`)
        .toSorted(),
    ]),
  );
  const keys = (await keysOf(member)).map(({ privateKeyName, publicKey, addresses }) => [
    privateKeyName,
    publicKey,
    addresses,
  ]);
  return { accounts: accounts.toSorted(), keys: keys.toSorted() };
}

const completed = async (member: Member, type: string): Promise<number> => {
  const { activities } = await api(member, 'list_activities', {
    filterByType: [`ACTIVITY_TYPE_${type}`],
    filterByStatus: ['ACTIVITY_STATUS_COMPLETED'],
    paginationOptions: { limit: '100' },
  });
  return activities.length;
};

await fill(source, 'shop');
const owners: Member[] = [];
for (const name of ['north', 'south', 'east']) {
  const owner = await addOrganization(source, name);
  await api(owner, 'create_wallet', { walletName: 'purse', accounts: oddAccounts.slice(0, 2) });
  owners.push(owner);
}
await login(source, 'source');
await login(target, 'target');
const pair = '--from source --profile target';

test('a run without keys leaves wallets, keys and their tags, and creates sub-organizations', async () => {
  const dry = rowsByName(await json(`migrate run ${pair} --dry-run`));
  assert.match(dry['sub-organization north']?.['note'] ?? '', /would be created/);
  assert.deepEqual((await api(target, 'list_suborgs')).organizationIds, [], 'a dry run');
  assert.equal((await runReviewed(pair)).code, 3, 'the sub-organizations wait');
  const rows = rowsByName(await json(`migrate plan ${pair}`));
  assert.equal(rows['wallet shop']?.['state'], 'by hand');
  assert.equal(rows['private key tag cold']?.['note'], 'after its keys');
  assert.match(rows['sub-organization north']?.['note'] ?? '', /1 wallet or key for its own users/);
  const { organizationIds } = await api(target, 'list_suborgs');
  assert.equal(organizationIds.length, 3);
});

test('a run with keys moves a wallet, and keys on each curve, to the same addresses', async () => {
  const { code, err } = await runReviewed(`${pair} --keys`);
  assert.equal(code, 3, err);
  assert.deepEqual(await holdings(target), await holdings(source));
  const rows = rowsByName(await json(`migrate plan ${pair} --keys`));
  assert.equal(rows['wallet shop']?.['note'], 'same 5 addresses');
  assert.equal(rows['private key shop CURVE_SECP256K1']?.['note'], 'same 2 addresses');
  assert.equal(rows['private key tag cold']?.['state'], 'done');
});

test('the source seals exports to keys that only the target has, and no secret reaches a file', async () => {
  const { activities } = await api(source, 'list_activities', {
    filterByType: ['ACTIVITY_TYPE_EXPORT_WALLET', 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY'],
  });
  const begun = await api(target, 'list_activities', {
    filterByType: ['ACTIVITY_TYPE_INIT_IMPORT_WALLET', 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY'],
  });
  const targets = begun.activities.map(({ result }: { result: object }) => {
    const [{ importBundle }] = Object.values(result);
    const { data } = JSON.parse(importBundle);
    return JSON.parse(Buffer.from(data, 'hex').toString()).targetPublic;
  });
  for (const { intent } of activities) {
    const [{ targetPublicKey }] = Object.values(intent) as [Record<string, string>];
    assert(targets.includes(targetPublicKey));
  }
  assert.equal(activities.length, 7);
  assert.equal(new Set(targets).size, 7);
  // The files of the commands: profiles, and keys that sign requests.
  const written = readdirSync(join(folder, 'config'), { recursive: true })
    .map((name) => join(folder, 'config', String(name)))
    .filter((file) => statSync(file).isFile());
  assert(written.length > 0);
  for (const file of written) assert.doesNotMatch(readFileSync(file, 'utf8'), /bundle|ciphertext/i);
});

test('a second run moves nothing, and another address in the target is a difference', async () => {
  const { err } = await runReviewed(`${pair} --keys`);
  assert.doesNotMatch(err, /created|moved|exported/);
  assert.equal(await completed(source, 'EXPORT_WALLET'), 1);
  const other = await addOrganization(target, 'other seed');
  await api(other, 'create_wallet', { walletName: 'shop', accounts: oddAccounts.slice(0, 1) });
  const rows = rowsByName(await json(`migrate plan --from source ${flags(other)} --keys`));
  assert.equal(rows['wallet shop']?.['state'], 'differs');
  assert.match(rows['wallet shop']?.['note'] ?? '', /^m\/44'\/60'\/0'\/0\/0 is 0x.*, not 0x/);
});

test('owners of sub-organizations move their wallets with their own keys', async () => {
  const { organizationIds } = await api(target, 'list_suborgs');
  for (const [place, owner] of owners.entries()) {
    await login(owner, `owner-${place}`);
    const mine = [];
    for (const organizationId of organizationIds) {
      const there = { ...owner, organizationId, baseUrl: target.baseUrl };
      const { code } = await run(`whoami ${flags(there)}`);
      if (code === 0) mine.push(there);
    }
    const [there, ...others] = mine;
    assert(there !== undefined && others.length === 0, 'the key opens one organization');
    const { code, err } = await runReviewed(`--from owner-${place} ${flags(there)} --keys`);
    assert.equal(code, 0, err);
    assert.deepEqual(await holdings(there), await holdings(owner));
  }
  const rows = rowsByName(await json(`migrate plan ${pair} --keys`));
  assert.equal(rows['sub-organization north']?.['state'], 'done');
});

test('exports that require consensus wait with the names of the voters, and continue after the votes', async () => {
  const voted = await addOrganization(source, 'voted');
  await fill(voted, 'shop');
  const mover = await addUser(voted, 'mover');
  const voter = await addUser(voted, 'voter');
  const { policyIds } = await api(voted, 'create_policies', {
    policies: [
      {
        policyName: 'two export',
        effect: 'EFFECT_ALLOW',
        condition: "activity.action == 'EXPORT'",
        consensus: 'approvers.count() >= 2',
        notes: '',
      },
    ],
  });
  assert.equal(policyIds.length, 1);
  const there = await addOrganization(target, 'with votes');
  await login(mover, 'mover');
  const words = `--from mover ${flags(there)} --keys`;
  assert.equal((await runReviewed(words)).code, 3);
  const plan = rowsByName(await json(`migrate plan ${words}`));
  assert.equal(plan['wallet shop']?.['state'], 'waits');
  assert.match(plan['wallet shop']?.['note'] ?? '', /waits for the approval of .*voter/);
  assert.equal((await runReviewed(words)).code, 3, 'a second run asks for nothing more');
  const waiting = await api(voted, 'list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
  });
  assert.equal(waiting.activities.length, 7);
  for (const { id, fingerprint } of waiting.activities) {
    const voted = `activity approve ${id} --fingerprint ${fingerprint} ${flags(voter)}`;
    const { code, err } = await run(voted);
    assert.equal(code, 0, err);
  }
  const { code, err } = await runReviewed(words);
  assert.equal(code, 0, err);
  assert.equal(await completed(voted, 'EXPORT_WALLET'), 1);
  assert.deepEqual(await holdings(there), await holdings(voted));
});

test('a row that the target refuses is in the report with the reason, and the others continue', async () => {
  const there = await addOrganization(target, 'without children');
  const words = `--from source ${flags(there)}`;
  const { code, out } = await runReviewed(words);
  assert.equal(code, 4);
  assert.match(out, /sub-organization +north +by hand +.*sub-organization/);
  assert.equal((await api(there, 'list_webhook_endpoints')).webhookEndpoints.length, 0);
});

test('a target key without a signature of the pinned key ends the run before any export', async () => {
  const owner = await addOrganization(source, 'deceived');
  await api(owner, 'create_wallet', { walletName: 'purse', accounts: oddAccounts });
  await login(owner, 'deceived');
  const there = await addOrganization(target, 'deceiver');
  const forged = await startForwardingServer(target.baseUrl, async (name, ask) => {
    const { status, text } = await ask();
    if (!name.startsWith('init_import')) return { status, text };
    // The attacker's point replaces the target, under the original signature.
    const replaced = text.replace(/(data\\": ?\\")([0-9a-f]+)/, (_, before, data) => {
      const content = JSON.parse(Buffer.from(data, 'hex').toString());
      const other = (digit: string) => (digit === '0' ? '1' : '0');
      const forged = { ...content, targetPublic: content.targetPublic.replace(/.$/, other) };
      return `${before}${Buffer.from(JSON.stringify(forged)).toString('hex')}`;
    });
    return { status, text: replaced };
  });
  const words = `--from deceived ${flags({ ...there, baseUrl: forged })} --keys`;
  const { code, err } = await runReviewed(words);
  assert.equal(code, 9, err);
  assert.equal(await completed(owner, 'EXPORT_WALLET'), 0);
});

test('a run that is killed before or after any request continues without duplicates and losses', async () => {
  const owner = await addOrganization(source, 'killed');
  await api(owner, 'create_wallet', { walletName: 'purse', accounts: oddAccounts });
  const key = { privateKeyName: 'key', curve: 'CURVE_ED25519', addressFormats: [] };
  await api(owner, 'create_private_keys', { privateKeys: [{ ...key, privateKeyTags: [] }] });
  const expected = await holdings(owner);

  let steps = 0;
  let killAt = Number.POSITIVE_INFINITY;
  let isAfter = false;
  let kill = (): unknown => undefined;
  const isChange = (name: string) => !/^(list_|get_|whoami|explain_|keys$)/.test(name);
  const before = (baseUrl: string) =>
    startForwardingServer(baseUrl, async (name, ask) => {
      if (!isChange(name)) return ask();
      steps += 1;
      if (steps !== killAt) return ask();
      if (isAfter) await ask();
      kill();
      return 'held';
    });
  const [sourceUrl, targetUrl] = await Promise.all([
    before(source.baseUrl),
    before(target.baseUrl),
  ]);
  await login(owner, 'killed', sourceUrl);
  const runAsProcess = async (words: string) => {
    const environment = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config') };
    const main = join(import.meta.dirname, '../../src/main.ts');
    const child = spawn(process.execPath, [main, ...words.split(' ')], {
      env: environment,
      stdio: 'ignore',
    });
    kill = () => child.kill('SIGKILL');
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
    return { code: 130 };
  };
  let all = Number.POSITIVE_INFINITY;
  let exports = 0;
  let digest: string | undefined;
  for (killAt = 1; killAt <= all; killAt += 1) {
    // The process is killed before or after each request; SOAK tries both.
    for (isAfter of process.env['SOAK'] === 'true' ? [false, true] : [killAt % 2 === 0]) {
      const there = await addOrganization(target, `killed at ${killAt} ${isAfter}`);
      const pair = `--from killed ${flags({ ...there, baseUrl: targetUrl })} --keys`;
      // No export of an earlier run changes the digest.
      digest ??= (await json(`migrate plan ${pair}`)).sourceDigest;
      const words = `migrate run ${pair} --reviewed ${digest}`;
      const controller = new AbortController();
      kill = () => controller.abort();
      steps = 0;
      // One of the runs is a separate process, which SIGKILL ends.
      const { code } = await (killAt === processKilledAt
        ? runAsProcess(words)
        : run(words, { signal: controller.signal }));
      if (steps < killAt) all = steps;
      else assert.equal(code, 130);
      const at = killAt;
      killAt = Number.POSITIVE_INFINITY;
      const { code: again, err } = await run(words);
      killAt = at;
      assert.equal(again, 0, err);
      assert.deepEqual(await holdings(there), expected, `killed at ${at}`);
      exports += 1;
      assert.equal(await completed(owner, 'EXPORT_WALLET'), exports, `killed at ${at}`);
      assert.equal(await completed(owner, 'EXPORT_PRIVATE_KEY'), exports, `killed at ${at}`);
      assert.equal(await completed(there, 'INIT_IMPORT_WALLET'), 1);
    }
  }
  assert(all >= 6, `${all} requests change something`);
});
