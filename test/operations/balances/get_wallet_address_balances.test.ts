import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { ethereumAccount, makeWallet, solanaAccount } from '../wallets/wallet_requests.ts';

const operation = 'get_wallet_address_balances';
const caip2 = 'eip155:1';
const token = `${caip2}/erc20:0x${'c'.repeat(40)}`;
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

test('get_wallet_address_balances: lists the assets of an account without empty balances', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { addresses } = await makeWallet(service, [ethereumAccount(), solanaAccount()]);
  const [address = '', other = ''] = addresses;
  const { amounts } = service.outside;
  amounts.set(
    `${caip2}/${address.toLowerCase()}`,
    new Map([
      [`${caip2}/slip44:60`, '0'],
      [token, '1500000'],
      ['eip155:1/erc20:unlisted', '7'],
    ]),
  );
  const answer = await checkQuery(service, {
    operation,
    body: { address, caip2 },
    malformed: [{ field: 'address', parameters: { address: '', caip2 } }],
  });
  assert.deepEqual(answer, {
    balances: [
      {
        caip19: token,
        symbol: 'TST',
        name: 'Test',
        decimals: 6,
        balance: '1500000',
        display: { crypto: '1.5', usd: '' },
        tokenProgram: '',
      },
    ],
  });
  // The address and the chain in another spelling.
  const lower = { address: address.toLowerCase(), caip2 };
  assert.deepEqual((await service.query(operation, lower)).body, answer);
  amounts.set(`${solana}/${other}`, new Map([[`${solana}/slip44:501`, '10']]));
  const ofSolana = await service.query(operation, { address: other, caip2: 'solana:mainnet' });
  assert.deepEqual(
    ofSolana.body.balances.map(({ balance, display }: { balance: string; display: object }) => [
      balance,
      display,
    ]),
    [['10', { crypto: '0.00000001', usd: '' }]],
  );
});

test('get_wallet_address_balances: refuses foreign accounts, and chains without such accounts', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const { addresses } = await makeWallet(service, [ethereumAccount()], child);
  const [address = ''] = addresses;
  const foreign = await service.query(operation, { address, caip2 });
  assertRefused(foreign, 404, 5);
  const asParent = { organizationId: child.organizationId };
  assert.equal((await service.query(operation, { address, caip2 }, asParent)).status, 200);
  const wrong = await service.query(operation, { address, caip2: solana }, asParent);
  assertViolation(wrong, 'address');
  const unknown = await service.query(operation, { address, caip2: 'eip155:2' }, asParent);
  assertViolation(unknown, 'caip2');
});

test('get_wallet_address_balances: reports a node that is down or answers nonsense', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  const [address = ''] = addresses;
  const { amounts, chainsDown } = service.outside;
  for (const amount of ['-1', '1.5', '0x1', '01', '9'.repeat(79)]) {
    amounts.set(`${caip2}/${address.toLowerCase()}`, new Map([[token, amount]]));
    assertRefused(await service.query(operation, { address, caip2 }), 503, 14);
  }
  chainsDown.add(caip2);
  const answer = await service.query(operation, { address, caip2 });
  assertRefused(answer, 503, 14);
  assert.equal(answer.body.message, 'the node of chain `eip155:1` is not available; try again');
  assert.equal(answer.body.turnkeyErrorCode, 'RPC_CALL_ERROR');
});
