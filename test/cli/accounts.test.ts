// Accounts by address: hexadecimal addresses match in any letter case, all others exactly.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountFinder } from '../../src/cli/approvals/accounts.ts';
import type { Client } from '../../src/client/connect.ts';

const ethereum = '0x52908400098527886E0F7030069857D2E4169EE7';
const tron = 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW';

/** Creates a client of an organization with one account and one private key, each with one address. */
function clientWith(address: string): Client {
  const publicKey = '02'.padEnd(66, '1');
  const rows = {
    list_wallet_accounts: [{ address, addressFormat: 'ADDRESS_FORMAT_TRON', publicKey }],
    list_private_keys: [
      { privateKeyId: 'id', publicKey, addresses: [{ address, format: 'ADDRESS_FORMAT_TRON' }] },
    ],
  };
  return {
    pages: async function* (name: 'list_wallet_accounts') {
      yield* rows[name];
    },
    query: async () => ({ privateKeys: rows.list_private_keys }),
  } as unknown as Client;
}

test('an Ethereum address is found in any letter case', async () => {
  const find = accountFinder(clientWith(ethereum));
  assert.equal((await find(ethereum.toLowerCase()))?.address, ethereum);
});

test('the letter case of a base58 address matters', async () => {
  const find = accountFinder(clientWith(tron));
  assert.equal((await find(tron))?.address, tron);
  assert.equal(await find(tron.toLowerCase()), undefined);
});
