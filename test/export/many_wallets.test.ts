import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOfTests } from '../cli/terminal.ts';
import { roundTrip } from './many_wallets.ts';

const folder = folderOfTests();

test('a few hundred wallets come back byte for byte; `npm run drill -- exit` tries 10,000', async (t) => {
  const { wallets, same, ...cost } = await roundTrip(folder, 220);
  t.diagnostic(JSON.stringify(cost));
  assert.equal(same, wallets);
});
