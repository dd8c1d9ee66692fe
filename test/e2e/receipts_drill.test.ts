// The drills of docs/receipts.md: a receipt with a witness, and a refused old database.

import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiKey, connect } from '../../src/client/index.ts';
import { folderOfTests, runIn } from '../cli/terminal.ts';
import { startInVain, startService, temporaryDirectory, until } from './service.ts';

const page = readFileSync('docs/receipts.md', 'utf8');
const drill = page.slice(page.indexOf('## Drill: a receipt with a witness'));
/** Returns the command of the drill with these first words, without `keywright`, for files of a folder. */
const commandOf = (words: string, folder: string): readonly string[] => {
  const [, typed] = new RegExp(`^ *keywright (${words}.*)$`, 'm').exec(drill) ?? [];
  assert.ok(typed, `the drill has the command ${words}`);
  return typed.split(' ').map((word) => (/\.(txt|json)$/.test(word) ? join(folder, word) : word));
};

test('the drills of docs/receipts.md end as the page describes', async (context) => {
  const folder = folderOfTests();
  const data = temporaryDirectory();
  const start = (environment = {}) =>
    startService({
      dataDirectory: data,
      environment: { KEYWRIGHT_RECEIPTS: 'true', ...environment },
    });
  const first = await start();
  const log = await (await fetch(`${first.baseUrl}/log/policy`)).text();
  writeFileSync(join(folder, 'policy.txt'), log);
  await first.stop();
  const copy = temporaryDirectory();
  cpSync(data, copy, { recursive: true });

  const end = new AbortController();
  const printed = Promise.withResolvers<string>();
  const witness = runIn(folder, [...commandOf('witness', folder), '--port', '0', '--json'], {
    signal: end.signal,
    out: printed.resolve,
  });
  witness.then(({ err }) => printed.reject(new Error(err)), printed.reject);
  context.after(async () => {
    end.abort();
    await witness;
  });
  const { line } = JSON.parse(await printed.promise);
  const [, name] = line.split(' ');
  const policy = join(folder, 'policy.txt');
  writeFileSync(policy, `${log.replace('quorum none\n', '')}${line}\nquorum ${name}\n`);

  const service = await start({ KEYWRIGHT_WITNESS_POLICY: policy });
  const { organizationId, baseUrl: url } = service.credentials;
  assert.equal(await (await fetch(`${url}/log/policy`)).text(), readFileSync(policy, 'utf8'));
  const client = connect({ url, organizationId, stamp: await apiKey(service.credentials) });
  const submitted = await client.ask('create_wallet', { walletName: 'Witnessed', accounts: [] });
  assert.equal(submitted.outcome, 'done');
  const verify = () => runIn(folder, commandOf('verify receipt', folder));
  let verified = { code: -1, out: '', err: '' };
  await until('the receipt has a cosignature', async () => {
    const receipt = await client.query('get_receipt', { activityId: submitted.activity.id });
    writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receipt));
    verified = await verify();
    return verified.code === 0;
  });
  assert.match(verified.out, new RegExp(`^Witnesses +${name}$`, 'm'));
  await service.stop();

  for (const file of readdirSync(copy).filter((each) => !/^log-anchor/.test(each))) {
    cpSync(join(copy, file), join(data, file), { recursive: true });
  }
  const { stderr } = await startInVain({
    dataDirectory: data,
    environment: { KEYWRIGHT_RECEIPTS: 'true' },
  });
  assert.match(stderr, /the database is older than the log anchor: its log has 0 entries/);
});
