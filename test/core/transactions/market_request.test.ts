// Approvals of deposits, withdrawals, swaps, batches and sponsored transactions start with amount, chain
// and parties, and show the maximum fees.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSentence } from '../../../src/core/transactions/headline/change_sentence.ts';
import { explainRequest } from '../../../src/core/transactions/headline/explain_request.ts';
import { headlineOf, nothingKnown } from '../../../src/core/transactions/headline/headline.ts';
import type { ReportedMarket } from '../../../src/core/transactions/headline/market_terms.ts';
import { isTransactionRequest } from '../../../src/core/transactions/headline/request_types.ts';

const signer = '0x1111111111111111111111111111111111111111';
const vault = '0x2222222222222222222222222222222222222222';
const dead = '0x000000000000000000000000000000000000dEaD';
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const known = { ...nothingKnown, own: new Map([[signer, 'treasury / account 1']]) };
const vaults: ReportedMarket = {
  vaults: [{ wrapperAddress: vault, caip19: `eip155:1/erc20:${usdc}`, name: 'Prime USDC' }],
};

function lineOf(type: string, intent: object, market?: ReportedMarket) {
  const explained =
    explainRequest(`ACTIVITY_TYPE_${type}`, intent as Record<string, unknown>, undefined, {
      market,
    }) ?? assert.fail('the request can be read');
  const { chain } = explained;
  const headline = headlineOf(explained, { chain, signer }, known);
  return { headline, ...explained };
}

const deposit = { wrapperAddress: vault, signWith: signer, assets: '25000000' };

test('a deposit names amount, chain, payer, vault and the maximum cost of both transactions', () => {
  const { headline, fee, warnings } = lineOf(
    'EARN_DEPOSIT',
    { ...deposit, chainCaip2: 'eip155:1' },
    vaults,
  );
  assert.deepEqual(headline, {
    kind: 'deposit',
    amount: '25 USDC',
    asset: 'USDC',
    chain: 'Ethereum',
    from: { address: signer, standing: { kind: 'own', name: 'treasury / account 1' } },
    to: [{ address: vault, standing: { kind: 'vault', name: 'Prime USDC' } }],
    more: 0,
  });
  assert.equal(fee?.maximum, '500000000000000000');
  assert.match(warnings[0]?.text ?? '', /Only the service reports that the vault holds 0xa0b8/);
});

test('a vault that the service does not report, or reports on another chain, has no token', () => {
  for (const [chain, market] of [
    ['eip155:1', undefined],
    ['eip155:10', vaults],
  ] as const) {
    const { headline } = lineOf('EARN_DEPOSIT', { ...deposit, caip2: chain }, market);
    assert.equal(
      headline?.amount,
      '25\u202f000\u202f000 × smallest unit of the token of the vault',
    );
    assert.equal(headline.to[0].standing.kind, 'unknown');
  }
});

test('a withdrawal pays from the vault, and a withdrawal of everything has no amount', () => {
  const at = { wrapperAddress: vault, signWith: signer, caip2: 'eip155:1' };
  const some = lineOf('EARN_WITHDRAW', { ...at, amountValue: '5000000' }, vaults).headline;
  assert.deepEqual([some?.kind, some?.amount, some?.from.address], ['withdraw', '5 USDC', vault]);
  const all = lineOf('EARN_WITHDRAW', { ...at, amountValue: 'MAX' }, vaults);
  assert.equal(all.headline?.amount, undefined);
  assert.match(all.summary, /withdraws everything from the vault/);
  assert.equal(all.fee?.maximum, '250000000000000000');
});

const swap = {
  inputToken: `eip155:1/erc20:${usdc}`,
  outputToken: 'eip155:1/slip44:60',
  inputAmount: '25000000',
  minOutputAmount: '7000000000000000',
};

test('a swap names both amounts and its account, from the request or the reported quote', () => {
  const own = lineOf('EXECUTE_SWAP', { ...swap, walletAccount: signer });
  const quoted = lineOf(
    'EXECUTE_SWAP_V3',
    { ...swap, quoteId: '01a205ac-48e3-74b0-9a8f-4777ece305a4' },
    { quoteSigner: signer },
  );
  for (const { headline } of [own, quoted]) {
    assert.deepEqual(
      [headline?.kind, headline?.amount, headline?.least, headline?.chain],
      ['swap', '25 USDC', '0.007 ETH', 'Ethereum'],
    );
    assert.equal(headline?.from.address, signer);
  }
  assert(!own.effects.some(({ text }) => text.includes('Only the service')));
  assert(quoted.effects.some(({ text }) => text.includes('Only the service')));
});

test('malformed market requests are not explained', () => {
  for (const [type, intent] of [
    ['EARN_DEPOSIT', { ...deposit, caip2: 'solana:1' }],
    ['EARN_DEPOSIT', { ...deposit, caip2: 'eip155:1', assets: 'MAX' }],
    ['EARN_DEPOSIT', { ...deposit, caip2: 'eip155:1', wrapperAddress: '0x22' }],
    ['EARN_WITHDRAW', { wrapperAddress: vault, signWith: signer, caip2: 'eip155:1' }],
    ['EXECUTE_SWAP', { ...swap, outputToken: 'eip155:10/slip44:60.' }],
    ['EXECUTE_SWAP', { ...swap, inputAmount: '-5' }],
  ] as const) {
    const type_ = `ACTIVITY_TYPE_${type}`;
    assert(isTransactionRequest(type_));
    assert.equal(explainRequest(type_, intent, undefined), undefined);
  }
});

const send = { from: signer, caip2: 'eip155:1' };
const call = (value: string) => ({ to: dead, value });

test('several calls of a sponsored transaction are summed, and cost the account no fee', () => {
  const { headline, fee, effects } = lineOf('ETH_SEND_TRANSACTION_V2', {
    ...send,
    sponsor: true,
    calls: [call('500000000000000000'), call('0x6f05b59d3b20000')],
  });
  assert.equal(headline?.amount, '1 ETH');
  assert.equal(effects.length, 2);
  assert.deepEqual(
    [fee?.maximum, fee?.text],
    ['0', 'A sponsor pays the fees, so the account pays no fee.'],
  );
  const mixed = { ...send, calls: [call('1'), { to: 'nobody' }] };
  assert.equal(
    explainRequest('ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2', mixed, undefined),
    undefined,
  );
});

test('the fee of a send is the named one, or the maximum that the service fills in', () => {
  const of = (terms: object) =>
    lineOf('ETH_SEND_TRANSACTION_V2', { ...send, ...terms, calls: [call('1')] }).fee?.text;
  assert.equal(of({}), 'The service sets the fees when it sends: at most 0.25 ETH.');
  assert.equal(of({ gasLimit: '21000' }), of({}));
  assert.equal(
    of({ gasLimit: '21000', maxFeePerGas: '30000000000' }),
    'Fees for gas are at most 0.00063 ETH.',
  );
});

test('a change is one sentence with the reported names, and ids without a name stay', () => {
  const nameOf = (id: string) => (id === 'a' ? 'treasury' : undefined);
  const of = (type: string, intent: object) =>
    changeSentence(`ACTIVITY_TYPE_${type}`, intent as Record<string, unknown>, nameOf);
  assert.equal(
    of('CREATE_FREEZE', { type: 'FREEZE_TYPE_WALLET', resourceId: 'A' }),
    'Freezes the wallet treasury: stops its signatures, exports and sends until the root quorum lifts the freeze.',
  );
  assert.match(
    of('CREATE_FREEZE', { type: 'FREEZE_TYPE_DEPLOYMENT' }) ?? '',
    /the whole deployment:/,
  );
  assert.equal(
    of('DELETE_WALLETS', { walletIds: ['a', 'b'] }),
    'Deletes the wallet treasury, b with all accounts.',
  );
  assert.equal(
    of('CREATE_FREEZE', { type: 'constructor' }),
    'Creates a freeze of an unknown type.',
  );
  assert.equal(of('constructor', {}), undefined);
});
