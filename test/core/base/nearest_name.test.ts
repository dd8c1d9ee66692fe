import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from '../../../src/core/base/edit_distance.ts';

const names = ['create_wallet', 'create_wallets', 'list_wallets', 'whoami', 'url', 'a'];

test('the nearest name is found, the first of several', () => {
  const found = {
    creat_wallet: 'create_wallet',
    create_walletz: 'create_wallet',
    list_walets: 'list_wallets',
    Whoami: 'whoami',
    uri: 'url',
    whoami: 'whoami',
  };
  for (const [name, meant] of Object.entries(found)) assert.equal(nearestName(name, names), meant);
});

test('a text far from all names has no nearest name', () => {
  for (const name of ['', 'key', 'nothing', 'wxyzmi', 'create', 'x'.repeat(101)]) {
    assert.equal(nearestName(name, names), undefined, name);
  }
  assert.equal(nearestName('whoami', []), undefined);
});
