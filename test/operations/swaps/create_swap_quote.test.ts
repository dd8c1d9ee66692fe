import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkActivity } from '../checks.ts';
import { makeSender, unsettled } from '../sending/send_requests.ts';
import { describedQuote, makeQuote, poolGives, quoteType, token } from './swap_requests.ts';

const operation = 'create_swap_quote';

test('create_swap_quote: quotes the best pool, less the slippage', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const signWith = await makeSender(service);
  poolGives(service, 500, 2_000n);
  poolGives(service, 3_000, 2_010n);
  const parameters = describedQuote(signWith, { slippageBps: '100' });
  const malformed = (field: string, value: string) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, [field]: value },
  });
  const before = service.now();
  const { quotes } = await checkActivity(service, {
    operation,
    type: quoteType,
    intent: 'createSwapQuoteIntentV2',
    result: 'createSwapQuoteResult',
    parameters,
    optional: ['slippageBps'],
    malformed: [
      malformed('inputAmount', 'MAX'),
      malformed('slippageBps', '5001'),
      malformed('inputToken', 'eip155:5/slip44:60'),
      malformed('inputToken', `eip155:1/erc20:0x${'01'.repeat(20)}`),
      malformed('outputToken', token),
      malformed('destinationAddress', `0x${'01'.repeat(20)}`),
    ],
  });
  const [{ quoteId, expiresAt, ...quote }, ...more] = quotes;
  assert.equal(more.length, 0);
  assert.match(quoteId, /^[0-9a-f-]{36}$/);
  assert(Number(expiresAt) >= before + 600_000);
  assert.deepEqual(quote, {
    provider: 'UNISWAP_V3',
    outputAmount: '2010',
    minOutputAmount: '1989',
    slippageBps: '100',
    clientFeeBps: '0',
  });
  assert.deepEqual(await unsettled(service), []);
  const usual = await makeQuote(service, signWith);
  assert.equal(usual.minOutputAmount, '1999');
});

test('create_swap_quote: refuses without a pool, a setting or a node', async (t) => {
  const none = await startTestService({ deployment: { chains: [] } });
  const service = await startTestService();
  t.after(() => Promise.all([none.close(), service.close()]));
  const signWith = await makeSender(service);
  const quote = (of = service) => of.submit(operation, quoteType, describedQuote(signWith));
  const unset = await quote(none);
  assertRefused(unset, 400, 9);
  assert.match(unset.body.message, /the operator configured no swaps/);
  for (const fee of [500, 3_000]) poolGives(service, fee, 0n);
  const missing = await quote();
  assertRefused(missing, 400, 9);
  assert.match(missing.body.message, /no pool on chain/);
  service.outside.chainsDown.add('eip155:1');
  assertRefused(await quote(), 503, 14);
});
