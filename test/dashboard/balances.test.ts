// The overview of a service with nodes: balances by chain, the health of the service, and a node that never
// answers.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { dashboardOfThisFile, missing, test } from './dashboard.ts';
import { lookAtEach } from './sights.ts';

type Call = { readonly id: number; readonly method: string };

const results: Readonly<Record<string, string>> = {
  eth_chainId: '0xaa36a7',
  eth_getBalance: '0xde0b6b3a7640000',
};
const node = await startLoopbackServer(async (request, response) => {
  const calls: Call | Call[] = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const answerTo = ({ id, method }: Call) => ({ jsonrpc: '2.0', id, result: results[method] });
  response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answerTo) : answerTo(calls)));
});
after(() => node.stop());
const stuck = await startLoopbackServer(() => {});
after(() => stuck.stop());

const dashboard = await dashboardOfThisFile({
  KEYWRIGHT_CHAINS: JSON.stringify({
    'eip155:11155111': {
      rpcUrl: node.origin,
      coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
      confirmations: 1,
    },
    'eip155:1': {
      rpcUrl: stuck.origin,
      coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
      confirmations: 1,
    },
  }),
});

test('the overview shows balances by chain, and a slow node delays only its own line', async () => {
  const page = await dashboard.openAs('Root user');
  // The rest of the overview shows although one node does not answer.
  await page.getByRole('table', { name: 'Recent activities' }).waitFor();
  const balances = page.getByRole('region', { name: 'Balances' });
  // Two wallets have an Ethereum account each.
  await balances.getByText('2 ETH').waitFor();
  const text = (await balances.innerText()).replaceAll(/\s+/g, ' ');
  assert.match(text, /Sepolia \(test network\) 2 ETH/);
  assert.match(text, /Ethereum The node does not answer\./);
  const health = page.getByRole('region', { name: 'Health of the service' });
  await health.getByText('No node answers for Ethereum.').waitFor();
  await health.getByText('No backup is known.').waitFor();
  await health.getByRole('link', { name: 'Events are delivered.' }).waitFor();
  await lookAtEach(page, [{ what: 'overview with balances', reach: async () => {} }]);
});

test('a user outside of the root quorum sees balances, but not the health of the service', async () => {
  const page = await dashboard.shared('bob');
  await page.getByRole('region', { name: 'Balances' }).getByText('2 ETH').waitFor();
  await missing(page, page.getByRole('region', { name: 'Health of the service' }));
});

test('the list of wallets and each account show balances by chain, and name a chain whose nodes do not answer', async () => {
  const page = await dashboard.shared('bob', 'wallets');
  const wallets = page.getByRole('table', { name: 'Wallets' });
  const row = wallets.getByRole('row', { name: /^treasury/ });
  await row
    .getByRole('list', { name: 'Balances on Sepolia (test network)' })
    .getByText('1 ETH')
    .waitFor();
  await row.getByText('The balance on Ethereum could not be fetched.').waitFor();
  await row.getByRole('link', { name: 'treasury' }).click();
  await page
    .getByRole('list', { name: 'Balances on Sepolia (test network)' })
    .getByText('1 ETH')
    .waitFor();
});
