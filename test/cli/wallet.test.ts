// Accounts, addresses, balances and the deletion of wallets.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import jsqr from 'jsqr';
import { startAnvil } from '../e2e/anvil.ts';
import { commandsOfThisFile } from './running_service.ts';

const chain = 'eip155:31337';
const anvil = await startAnvil();
after(() => anvil.stop());
const { run, json } = await commandsOfThisFile({
  KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
  KEYWRIGHT_CHAINS: JSON.stringify({
    [chain]: {
      rpcUrl: anvil.url,
      confirmations: 1,
      pollMs: 1000,
      coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
    },
  }),
});

const { walletId, addresses } = await json(
  'wallet create shop --account ethereum --account solana',
);
const [ethereum, solana] = addresses;

test('accounts are added with the next number, a number, a path and a name', async () => {
  const next = await run('wallet account add shop ethereum');
  assert.match(next.out, /^Address +0x\w{40}\nPath +m\/44'\/60'\/0'\/0\/1\n$/);
  const fifth = await json('wallet account add shop ethereum --number 5 --name fifth');
  assert.match((await run('wallet account add shop ethereum')).out, /0\/2\n$/);
  const named = await json(`wallet account add ${walletId} solana --path m/44/501/9`);
  const table = await run('wallet account list shop');
  const lines = table.out.trim().split('\n');
  assert.match(lines[0] ?? '', /^Kind +Address +Path +Name$/);
  assert.equal(lines.length, 7);
  assert.match(table.out, new RegExp(`${fifth.addresses[0]} +m/44'/60'/0'/0/5 +fifth\n`));
  assert.match(table.out, new RegExp(`solana +${named.addresses[0]} +m/44/501/9\n`));
  const { accounts } = await json('wallet account list shop');
  const ids = accounts.map(({ address }: { address: string }) => `${address}\n`).join('');
  assert.equal((await run('wallet account list shop --quiet')).out, ids);
  const shown = await run('wallet show shop');
  for (const { address } of accounts) assert.match(shown.out, new RegExp(address));
});

for (const [words, exit, said] of [
  ['wallet account add shop etherium', 2, /did you mean ethereum\?/],
  ['wallet account add shop ethereum --number -1', 2, /needs a value|not an account number/],
  ['wallet account add shop ethereum --number 2147483648', 2, /expected 0 to 2147483647/],
  ['wallet account add shop ethereum --number 1 --path m/1', 2, /not both/],
  ['wallet account add shop ethereum --number 0', 7, /account/],
  ['wallet account add shp ethereum', 5, /Did you mean shop\?/],
  ['wallet account add shop ethereum --path m/x', 6, /path/],
  ['wallet address shop/bitcoin', 5, /shop has no account bitcoin/],
  ['wallet balances shop --chain bip122:00', 2, /no account has an address/],
  ['wallet balances shop --chain eip155:5', 6, /eip155:31337/],
  ['wallet delete shop', 4, /never exported.*\n.*export wallet shop --to FILE/],
  ['wallet delete shop --without-export', 10, /lost for good.*\n.*--yes/],
  ['wallet delete shop --without-export --yes --no-such', 2, /unknown option/],
] as const) {
  test(`keywright ${words} ends with ${exit}`, async () => {
    const { code, out, err } = await run(words);
    assert.equal(code, exit, err);
    assert.equal(out, '');
    assert.match(err, said);
  });
}

test('addresses are printed for people, scripts and pipes', async () => {
  const table = await run(['wallet', 'address', `shop/m/44'/501'/0'/0'`]);
  assert.equal(table.out, `Kind    Address\nsolana  ${solana}\n`);
  const one = await run(['wallet', 'address', `shop/m/44'/60'/0'/0/0`, '--quiet']);
  assert.equal(one.out, `${ethereum}\n`);
  const { addresses: rows } = await json('wallet address shop/solana');
  assert.deepEqual(rows[0].address, solana);
});

for (const color of ['never', 'always']) {
  test(`another QR reader reads the code, with colours ${color}`, async () => {
    const words = ['wallet', 'address', `shop/m/44'/60'/0'/0/0`, '--qr', '--color', color];
    const { out } = await run(words);
    const picture = pixelsOf(out, color === 'always');
    assert.equal(jsqr.default(...picture, { inversionAttempts: 'dontInvert' })?.data, ethereum);
  });
}

test('balances come from the node of the chain', async () => {
  await anvil.call('anvil_setBalance', ethereum, '0x14d1120d7b160000');
  const words = ['wallet', 'balances', `shop/${ethereum}`, '--chain', chain];
  const table = await run(words);
  assert.equal(table.code, 0, table.err);
  assert.match(table.out, new RegExp(`^Kind .*\nethereum +${chain} +1\\.5 ETH +${ethereum}\n$`));
  const document = JSON.parse((await run([...words, '--json'])).out);
  assert.deepEqual(document.balances[0].balance, '1500000000000000000');
  assert.equal((await run([...words, '--quiet'])).out, '1.5 ETH\n');
  // The service has no node of the main networks here.
  const none = await run('wallet balances shop');
  assert.equal(none.code, 0, none.err);
  assert.match(none.err, /no node of eip155:1; name its chains with --chain/);
});

test('a wallet is deleted only after its name is typed', async () => {
  await run('wallet create old');
  const questions: string[] = [];
  const answer = (text: string) => ({
    ask: async (question: string) => {
      questions.push(question);
      return text;
    },
  });
  const other = await run('wallet delete old --without-export', answer('new'));
  assert.equal(other.code, 10, other.err);
  assert.match(
    questions[0] ?? '',
    /everything that its addresses hold is lost for good\.\nType old to/,
  );
  assert.match((await run('wallet list')).out, /^old /m);
  const done = await run('wallet delete old --without-export', answer('old'));
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /^Deleted +old\n/);
  assert.doesNotMatch((await run('wallet list')).out, /^old /m);
});

test('a dry run of a deletion deletes nothing and asks nothing', async () => {
  const { code, out } = await run('wallet delete shop --without-export --dry-run');
  assert.equal(code, 0);
  assert.match(out, /It would be done/);
  assert.match((await run('wallet list')).out, /^shop /m);
});

/** Returns the pixels of the picture in a terminal, four per module and side. */
function pixelsOf(out: string, isColored: boolean): [Uint8ClampedArray, number, number] {
  const lines = stripVTControlCharacters(out)
    .split('\n')
    .filter((line) => /[█▀▄]/.test(line));
  const rows = lines.flatMap((line) => [
    [...line].map((letter) => letter === '█' || letter === '▀'),
    [...line].map((letter) => letter === '█' || letter === '▄'),
  ]);
  const scale = 4;
  const width = Math.max(...rows.map((row) => row.length));
  const pixels = new Uint8ClampedArray(width * scale * rows.length * scale * 4).fill(255);
  for (let y = 0; y < rows.length * scale; y += 1) {
    for (let x = 0; x < width * scale; x += 1) {
      const isBlock = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] ?? false;
      // Blocks have the colour of text: black if colours are used, light otherwise.
      if (isBlock === isColored)
        pixels.fill(0, (y * width * scale + x) * 4, (y * width * scale + x) * 4 + 3);
    }
  }
  return [pixels, width * scale, rows.length * scale];
}
