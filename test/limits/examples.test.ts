// Runs the three examples of docs/limits.md unchanged, and checks its table of limits.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { limits } from '../../src/core/organization/limits.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeControl } from '../operations/velocity_controls/velocity_control_requests.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import {
  allow,
  by,
  day,
  etherTransfer,
  hour,
  sign,
  signTransaction,
  startLimited,
  usdcTransfer,
} from './limited.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/limits.md'), 'utf8');
const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text.trim(),
  );
const controls = blocksOf('control').map((text) => JSON.parse(text));
const conditions = blocksOf('condition');

test('the page has three examples, each a control and a condition', () => {
  assert.deepEqual(
    controls.map(({ identifier }) => identifier),
    ['ether_daily', 'usdc_weekly', 'signatures_hourly'],
  );
  assert.equal(conditions.length, controls.length);
});

test('the page lists every limit of an organization and of a user', () => {
  const [section = ''] = /^## Bounds of an organization\n[\s\S]*?(?=^## )/m.exec(page) ?? [];
  const shown = [...section.matchAll(/^\| (.+) \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(
    ([, name, parent, child]) => [name, parent, child],
  );
  const expected = Object.values(limits).map(({ owner, words, parent, child }) => [
    owner === 'user' ? `${words} of a user` : words,
    parent.toLocaleString('en'),
    child.toLocaleString('en'),
  ]);
  assert.deepEqual(shown.sort(), expected.sort());
});

test('at most 1 ETH a day, for each user', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, controls[0]);
  await allow(service, conditions[0] ?? '');
  const send = (name: string, ether: string, chainId?: number) =>
    signTransaction(service, address, etherTransfer(ether, chainId), by(name));
  assert.equal(await send('alice', '1.000000000000000001'), false);
  assert.equal(await send('alice', '0.6'), true);
  assert.equal(await send('alice', '0.400000000000000001'), false);
  assert.equal(await send('alice', '0.4'), true);
  assert.equal(await send('alice', '0.000000000000000001'), false);
  assert.equal(await send('bob', '1'), true, 'each user has a limit of its own');
  assert.equal(await send('alice', '0.1', 10), false, 'other chains are not allowed');
  const call = etherTransfer('0', 1, '0x12345678');
  assert.equal(await signTransaction(service, address, call, by('alice')), false);
  service.advance(day - 5_000);
  assert.equal(await send('alice', '0.1'), false, 'the day is not over');
  service.advance(day / 60 + 5_000);
  assert.equal(await send('alice', '1'), true);
});

test('at most 10,000 USDC a week, from each wallet', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  const second = (await makeWallet(service, [ethereumAccount()])).addresses[0] ?? '';
  await makeControl(service, controls[1]);
  await allow(service, conditions[1] ?? '');
  const send = (from: string, whole: number, more?: bigint, name = 'alice') =>
    signTransaction(service, from, usdcTransfer(whole, more), by(name));
  assert.equal(await send(address, 9_999), true);
  assert.equal(await send(address, 1, 1n, 'bob'), false, 'users share the limit of a wallet');
  assert.equal(await send(address, 1, 0n, 'bob'), true);
  assert.equal(await send(address, 0, 1n), false);
  assert.equal(await send(second, 10_000), true);
  service.advance(7 * day + (7 * day) / 60);
  assert.equal(await send(address, 10_000), true);
});

test('no more than 20 signatures an hour', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, controls[2]);
  await allow(service, "activity.action == 'SIGN'");
  await makePolicy(service, 'Not too often', {
    effect: 'EFFECT_DENY',
    condition: conditions[2],
    consensus: 'true',
  });
  const transfer = etherTransfer('0.1', 0);
  for (let i = 0; i < 19; i += 1) assert(await sign(service, address, by(i % 2 ? 'bob' : 'alice')));
  assert.equal(await signTransaction(service, address, transfer, by('alice')), true);
  for (const name of ['alice', 'bob']) assert.equal(await sign(service, address, by(name)), false);
  assert.equal(await signTransaction(service, address, transfer, by('bob')), false);
  service.advance(hour + hour / 60);
  assert.equal(await sign(service, address, by('bob')), true);
});
