// Approvals that open with the amount, the chain and both parties in words: payments, permits, deposits,
// swaps and freezes, right and wrong ones. Takes a picture of each.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem';
import { apiKey, connect } from '../../src/client/index.ts';
import { startLoopbackServer } from '../support/loopback_server.ts';
import {
  assertAccessible,
  before,
  dashboardOfThisFile,
  goTo,
  phoneWidth,
  pictures,
  test,
} from './dashboard.ts';

type Call = {
  readonly id: number;
  readonly method: string;
  readonly params: readonly { readonly data?: string }[];
};

const usdc = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const mainnetUsdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const vault = '0x5555555555555555555555555555555555555555';
const router = '0x6666666666666666666666666666666666666666';
const payroll = '0x7a3f00000000000000000000000000000000b91c';
const lookalike = '0x7a3f11111111111111111111111111111111b91c';
const spender = '0x8888888888888888888888888888888888888888';
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

/** Answers of contracts, by the selector of the call. */
const contractWords: Readonly<Record<string, string>> = {
  // `asset()` of the vault, `allowance(address,address)`, and the quoter.
  '0x38d52e0f': word(BigInt(usdc)),
  '0xdd62ed3e': word(0n),
  '0xc6a5026a': word(8_000_000_000_000_000n),
};
const block = {
  number: '0x64',
  baseFeePerGas: '0x3b9aca00',
  timestamp: '0x6a000000',
  hash: word(1n),
};
const results: Readonly<Record<string, unknown>> = {
  eth_chainId: '0xaa36a7',
  eth_getBalance: '0xde0b6b3a7640000',
  eth_getTransactionCount: '0x0',
  eth_estimateGas: '0x15f90',
  eth_maxPriorityFeePerGas: '0x3b9aca00',
  eth_gasPrice: '0x3b9aca00',
  eth_blockNumber: '0x64',
  eth_getBlockByNumber: block,
  eth_feeHistory: {
    oldestBlock: '0x64',
    baseFeePerGas: ['0x3b9aca00', '0x3b9aca00'],
    reward: [['0x1']],
  },
};
const node = await startLoopbackServer(async (request, response) => {
  const calls: Call | Call[] = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const answerTo = ({ id, method, params }: Call) => {
    const selector = params[0]?.data?.slice(0, 10) ?? '';
    const result = method === 'eth_call' ? (contractWords[selector] ?? word(1n)) : results[method];
    return { jsonrpc: '2.0', id, result };
  };
  response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answerTo) : answerTo(calls)));
});
after(() => node.stop());

const caip2 = 'eip155:11155111';
const dashboard = await dashboardOfThisFile({
  KEYWRIGHT_CHAINS: JSON.stringify({
    [caip2]: {
      rpcUrl: node.origin,
      coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
      confirmations: 1,
      tokens: [{ address: usdc, symbol: 'USDC', name: 'USD Coin', decimals: 6 }],
      vaults: [{ address: vault, asset: usdc, name: 'Prime USDC', provider: 'MORPHO' }],
      swaps: { router, quoter: router, wrappedCoin: '0x7777777777777777777777777777777777777777' },
    },
  }),
});

const transfer = (to: `0x${string}`, amount: bigint) =>
  encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 amount)']),
    args: [to, amount],
  });
const unsigned = (
  chainId: number,
  to: `0x${string}`,
  terms: { value?: bigint; data?: `0x${string}` },
) =>
  serializeTransaction({
    chainId,
    to,
    nonce: 3,
    gas: 60_000n,
    maxFeePerGas: 30_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...terms,
  }).slice(2);

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  const [root, alice] = [await clientOf('root-credentials'), await clientOf('alice')];
  const { wallets } = await root.query('list_wallets');
  const { walletId = '' } = wallets.find(({ walletName }) => walletName === 'treasury') ?? {};
  const { accounts } = await root.query('list_wallet_accounts', { walletId });
  const signWith =
    accounts.find(({ curve }) => curve === 'CURVE_SECP256K1')?.address ?? assert.fail('account');
  await root.submit('create_address_label', {
    label: 'payroll',
    addresses: [{ address: payroll, name: 'Payroll provider' }],
  });
  await root.submit('create_policy', {
    policyName: 'two users freeze',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'FREEZE'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const sign = (unsignedTransaction: string) =>
    alice.ask('sign_transaction', {
      signWith,
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction,
    });
  const waits = async (submitted: Promise<{ readonly outcome: string }>) =>
    assert.equal((await submitted).outcome, 'waiting');
  await waits(sign(unsigned(1, mainnetUsdc, { data: transfer(payroll, 25_000_000_000n) })));
  await waits(sign(unsigned(1, mainnetUsdc, { data: transfer(lookalike, 25_000_000_000n) })));
  await waits(sign(unsigned(8453, payroll, { value: 2_000_000_000_000_000_000n })));
  await waits(
    alice.ask('eth_send_transaction', {
      from: signWith,
      caip2,
      calls: [{ to: payroll, value: '750000000000000000' }],
    }),
  );
  await waits(
    alice.ask('earn_deposit', {
      wrapperAddress: vault,
      signWith,
      assets: '1500000000',
      chainCaip2: caip2,
    }),
  );
  const swap = {
    inputToken: `${caip2}/erc20:${usdc}`,
    outputToken: `${caip2}/slip44:60`,
    inputAmount: '25000000',
  };
  await root.submit('create_policy', {
    policyName: 'alice quotes swaps',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'SWAP_QUOTE'",
    consensus: 'true',
    notes: '',
  });
  const { quotes } = await alice.submit('create_swap_quote', { signWith, ...swap });
  const [quote] = quotes;
  assert(quote !== undefined);
  await waits(
    alice.ask('execute_swap', {
      ...swap,
      sponsor: false,
      quoteId: quote.quoteId,
      quotedOutputAmount: quote.outputAmount,
      minOutputAmount: quote.minOutputAmount,
    }),
  );
  await waits(
    alice.ask('sign_raw_payload', {
      signWith,
      payload: permitOf(2n ** 160n - 1n),
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    }),
  );
  await waits(
    alice.ask('create_freeze', {
      type: 'FREEZE_TYPE_WALLET',
      resourceId: walletId,
      reason: 'The laptop of carol was stolen.',
    }),
  );
});

const members = (...rows: readonly string[]) =>
  rows.map((row) => {
    const [type = '', name = ''] = row.split(' ');
    return { name, type };
  });

const permitOf = (amount: bigint) =>
  JSON.stringify({
    types: {
      EIP712Domain: members('string name', 'uint256 chainId', 'address verifyingContract'),
      PermitSingle: members('PermitDetails details', 'address spender', 'uint256 sigDeadline'),
      PermitDetails: members(
        'address token',
        'uint160 amount',
        'uint48 expiration',
        'uint48 nonce',
      ),
    },
    primaryType: 'PermitSingle',
    domain: { name: 'Permit2', chainId: 1, verifyingContract: permit2 },
    message: {
      details: {
        token: mainnetUsdc,
        amount: String(amount),
        expiration: '281474976710655',
        nonce: 0,
      },
      spender,
      sigDeadline: '1893456000',
    },
  });

/** The approvals, newest first: a name for the picture, the headline or sentence, and a text of the fee. */
const rows = [
  [
    'freeze',
    /^Freezes the wallet treasury: stops its signatures, exports and sends until/i,
    undefined,
  ],
  [
    'unlimited permit',
    /^Unlimited allowance of USDC\s*Chain: Ethereum\s*from treasury \/ account 1\s*for 0x8888…8888/i,
    undefined,
  ],
  [
    'swap',
    /^Swap of 25 USDC for at least 0\.00796 ETH\s*Chain: Sepolia \(test network\)\s*from treasury \/ account 1\s*paid out to the same account/i,
    /at most 0\.5 ETH, for 2 transactions together/,
  ],
  [
    'deposit',
    /^Deposit of 1\s500 USDC\s*Chain: Sepolia \(test network\)\s*from treasury \/ account 1\s*into 0x5555…5555\s*\(the vault Prime USDC, as the service reports it\)/i,
    /at most 0\.5 ETH, for 2 transactions together/,
  ],
  [
    'send',
    /^0\.75 ETH\s*Chain: Sepolia \(test network\)\s*from treasury \/ account 1\s*to 0x7a3f…b91c\s*\(in your address book as Payroll provider \(payroll\)\)/i,
    /The service sets the fees when it sends: at most 0\.25 ETH\./,
  ],
  [
    'another chain',
    /^2 ETH\s*Chain: Base\s*from treasury \/ account 1\s*to 0x7a3f…b91c/i,
    /at most 0\.0018 ETH; the chain may add fees/,
  ],
  [
    'lookalike',
    /^25\s000 USDC\s*Chain: Ethereum\s*from treasury \/ account 1\s*to 0x7a3f1{32}b91c\s*\(WARNING: looks like Payroll provider \(payroll\), but is another address\)/i,
    /at most 0\.0018 ETH\./,
  ],
  [
    'token payment',
    /^25\s000 USDC\s*Chain: Ethereum\s*from treasury \/ account 1\s*to 0x7a3f…b91c\s*\(in your address book as Payroll provider \(payroll\)\)/i,
    /at most 0\.0018 ETH\./,
  ],
] as const;

test('each approval opens with amount, chain and parties in words, and names its fee', async () => {
  const page = await dashboard.openAs('bob', { path: 'approvals' });
  await goTo(page, 'Approvals');
  for (const [name, headline, fee] of rows) {
    const line = page.locator('.headline, .sentence').filter({ hasText: headline }).first();
    await line.waitFor();
    const approval = page.getByRole('article').filter({ has: line });
    const disclosure = approval.getByRole('heading', { level: 2 }).getByRole('button');
    if ((await disclosure.getAttribute('aria-expanded')) !== 'true') await disclosure.click();
    if (fee !== undefined) await approval.getByText(fee).first().waitFor();
    await approval.getByText('1 of 2 approvals, yours completes it.').waitFor();
    await approval.getByText(/Approved by alice\. May still approve: you(,| or) /).waitFor();
    if (name !== 'freeze') await approval.getByText('if 2 of alice, bob, and carol').waitFor();
    await approval.getByText('The root quorum can approve without this policy.').waitFor();
    await assertAccessible(page, name);
    await takeBoth(page, approval, name);
  }
});

/** Takes a picture of one approval at both widths. */
async function takeBoth(page: Page, approval: Locator, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  for (const width of [1280, phoneWidth]) {
    await page.setViewportSize({ width, height: 2000 });
    const file = `approval_${name.replaceAll(' ', '_')}-${width}.png`;
    await approval.screenshot({ path: join(pictures, file) });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
