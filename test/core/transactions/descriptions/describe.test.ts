// Calls and typed data explained by a description, encoded by viem.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { textDigest } from '../../../../src/core/contracts/smart_contract_interfaces.ts';
import type { Descriptions } from '../../../../src/core/transactions/described.ts';
import { explainRequest } from '../../../../src/core/transactions/headline/explain_request.ts';
import { explainPayloads } from '../../../../src/core/transactions/payload_explanation.ts';
import { permitDescription, usdc, vault, vaultDescription } from '../../../support/descriptions.ts';

const from = '0xDD92686B88FAF78c826eC71d23D63d3Db11777bA';
const friend = '0x3fbd991fBcee758776FF50Db984d7C124b62A94E';
const coin = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

const abi = parseAbi([
  'function order((address token, uint256 amount)[] legs, address to, uint256 until, uint8 mode, uint256 shares, bytes32 salt)',
  'function pause(bool on)',
  'function other(uint256 a)',
]);

const stored = (...files: readonly object[]): Descriptions => ({
  texts: files.map((file) => {
    const text = JSON.stringify(file);
    return { text, digest: textDigest(text) };
  }),
  nameOf: (address) => (address === friend ? 'Payroll\u202e' : undefined),
});

function explain(data: Hex, descriptions: Descriptions | undefined, chain = 'eip155:1') {
  const intent = { from, caip2: chain, calls: [{ to: vault, value: '5', data }] };
  const type = 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2';
  const explained = explainRequest(type, intent, undefined, { descriptions });
  assert(explained !== undefined);
  return {
    described: explained.effects.flatMap(({ kind, text }) => (kind === 'DESCRIPTION' ? text : [])),
    warnings: explained.warnings.flatMap(({ code, text }) =>
      code === 'NOT_DESCRIBED' ? text : [],
    ),
    others: explained.effects.filter(({ kind }) => kind !== 'DESCRIPTION'),
    all: explained.warnings.filter(({ code }) => code !== 'NOT_DESCRIBED'),
  };
}

const order = (changes: { mode?: number; shares?: bigint; amount?: bigint } = {}) => {
  const { mode = 2, shares = 1500n, amount = 25_000_000n } = changes;
  const legs = [
    { token: usdc, amount },
    { token: coin, amount: 10n ** 17n },
    { token: friend, amount: 7n },
  ] as const;
  const salt = `0x${'5a'.repeat(32)}` as const;
  const args = [legs, friend, 1_790_000_000n, mode, shares, salt] as const;
  return encodeFunctionData({ abi, functionName: 'order', args });
};
const vaultText = JSON.stringify(vaultDescription);
const source = `the stored description of Example Vault (sha256 ${textDigest(vaultText).slice(0, 8)})`;

test('a call is shown with its intent, labelled values and names', () => {
  const { described, warnings } = explain(order(), stored(vaultDescription));
  assert.deepEqual(described, [
    `Place an order, says ${source}.`,
    'You pay 1: 25 USDC',
    'You pay 2: 0.1 ETH',
    `You pay 3: 7 of the smallest unit of the token ${friend}`,
    `To: Payroll\\u{202e} (${friend})`,
    'Until: 2026-09-21T14:13:20Z',
    'Rate: variable (2)',
    'Shares: 1.5 SHARE, by the description: 1500 of the smallest unit',
    'Coins: 0.000000000000000005 ETH',
    `Salt: 0x${'5a'.repeat(32)}`,
    `legs[0].token (no description): ${usdc}`,
    `legs[1].token (no description): ${coin}`,
    `legs[2].token (no description): ${friend}`,
  ]);
  assert.deepEqual(warnings, ['The description of Example Vault leaves out 3 values, shown raw.']);
});

test('a value that does not fit is shown raw, and a message never hides an amount', () => {
  const { described } = explain(order({ mode: 9, shares: 2n ** 40n }), stored(vaultDescription));
  assert(described.includes('Rate: 9 (raw: it does not fit the description)'));
  const shares = described.find((text) => text.startsWith('Shares: '));
  assert.match(shares ?? '', /^Shares: All \(.*1099511627776 of the smallest unit\)$/);
});

test('a description adds to an explanation and removes nothing', () => {
  const plain = explain(order(), undefined);
  const described = explain(order(), stored(vaultDescription));
  assert.deepEqual([plain.described, plain.warnings], [[], []]);
  assert.deepEqual(described.others, plain.others);
  assert.deepEqual(described.all, plain.all);
});

test('a call without a description is explained as raw', () => {
  const other = encodeFunctionData({ abi, functionName: 'other', args: [1n] });
  const nothing = [
    `The call of ${vault} with the selector ${other.slice(0, 10)} has no description: its values are shown raw.`,
  ];
  for (const [data, descriptions, chain] of [
    [other, stored(vaultDescription), 'eip155:1'],
    [other, stored(), 'eip155:1'],
  ] as const) {
    assert.deepEqual(explain(data, descriptions, chain).warnings, nothing);
  }
  // Another chain, and bytes that contracts read in different ways.
  for (const [data, chain] of [
    [order(), 'eip155:10'],
    [`${order().slice(0, -2)}` as Hex, 'eip155:1'],
  ] as const) {
    const { described, warnings } = explain(data, stored(vaultDescription), chain);
    assert.deepEqual(described, []);
    assert.match(warnings[0] ?? '', /has no description/);
  }
});

test('the newest description of a call is used', () => {
  const newer = structuredClone(vaultDescription);
  newer.metadata.contractName = 'Newer Vault';
  const { described } = explain(order(), stored(newer, vaultDescription));
  assert.match(described[0] ?? '', /^Place an order, says the stored description of Newer Vault/);
});

test('a call with a value that the description forbids is shown raw', () => {
  const file = structuredClone(vaultDescription) as unknown as {
    display: { formats: Record<string, { intent: string; fields: object[] }> };
  };
  file.display.formats['pause(bool on)'] = {
    intent: 'Pause',
    fields: [{ path: 'on', label: 'On', visible: { mustMatch: [true] } }],
  };
  const pause = (on: boolean) => encodeFunctionData({ abi, functionName: 'pause', args: [on] });
  assert.equal(explain(pause(true), stored(file)).described.length, 2);
  const forbidden = explain(pause(false), stored(file));
  assert.deepEqual(forbidden.described, []);
  assert.match(forbidden.warnings[0] ?? '', /^"On" has a value that .* forbids: all values/);
});

test('slices of bytes are shown with the remaining bytes', () => {
  const file = {
    ...vaultDescription,
    display: {
      formats: {
        'order((address token,uint256 amount)[] legs,address to,uint256 until,uint8 mode,uint256 shares,bytes32 salt)':
          {
            intent: 'Order',
            fields: [
              { path: 'salt.[:20]', label: 'Router', format: 'addressName' },
              { path: 'legs.[-1].amount', label: 'Last', format: 'raw' },
              { path: 'legs.[9].amount', label: 'Absent', format: 'raw' },
              { value: 'always', label: 'Note' },
            ],
          },
      },
    },
  };
  const { described } = explain(order(), stored(file));
  const router = described.find((text) => text.startsWith('Router: '));
  assert.equal(router?.toLowerCase(), `router: 0x${'5a'.repeat(20)}`);
  assert(described.includes('Last: 7'));
  assert(described.includes('Absent: missing in the signed data'));
  assert(described.includes('Note: "always"'));
  assert(described.includes(`salt (no description): 0x${'5a'.repeat(32)}`));
});

test('typed data is described only for its domain', () => {
  const ofDomain = (name: string, chainId: number, signWith = from) =>
    explainPayloads(
      {
        signWith,
        payloads: [JSON.stringify(permit(name, chainId))],
        encoding: 'PAYLOAD_ENCODING_EIP712',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      },
      stored(vaultDescription, permitDescription),
    );
  const texts = ofDomain('USD Coin', 1).effects.flatMap(({ kind, text }) =>
    kind === 'DESCRIPTION' ? text : [],
  );
  assert.match(texts[0] ?? '', /^Let another account spend, says the stored description of Circle/);
  assert.deepEqual(texts.slice(1), [
    `Spender: Payroll\\u{202e} (${friend})`,
    'At most: 25 USDC',
    'Valid until: 2026-09-21T14:13:20Z',
    `Owner: ${from}`,
    'Nonce: 4',
  ]);
  for (const other of [ofDomain('Other', 1), ofDomain('USD Coin', 10)]) {
    assert(!other.effects.some(({ kind }) => kind === 'DESCRIPTION'));
    assert(other.warnings.some(({ code }) => code === 'NOT_DESCRIBED'));
  }
});

const permit = (name: string, chainId: number) => ({
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain: { name, chainId, verifyingContract: usdc },
  message: { owner: from, spender: friend, value: '25000000', nonce: 4, deadline: 1_790_000_000 },
});

test('lists that are too long for a description are shown raw', () => {
  const signature = 'pay(uint256[] amounts)';
  const display = {
    formats: { [signature]: { fields: [{ path: 'amounts.[]', label: 'Amount' }] } },
  };
  const many = parseAbi(['function pay(uint256[] amounts)']);
  const pay = (count: number) => {
    const amounts = Array.from({ length: count }, (_, i) => BigInt(i));
    const data = encodeFunctionData({ abi: many, functionName: 'pay', args: [amounts] });
    return explain(data, stored({ ...vaultDescription, display }));
  };
  const { described, warnings } = pay(2_000);
  assert.equal(described[1], 'Amount 1: 0');
  assert.equal(described[101], 'amounts[100] (no description): 100');
  assert.equal(described.at(-1), '… 1800 more values');
  assert.match(warnings.join(), /leave out 1900 values: 100 are shown raw, the others not at all/);
  const long = pay(2_001);
  assert.deepEqual(long.described, []);
  assert.match(long.warnings.join(), /lists are too long .*: all values are shown raw/);
});

/** Explains a call of one function with the fields of a hostile author. */
function explainBridge(fields: readonly object[]) {
  const signature =
    'bridge((uint256[] fees, address to) route, bytes32 receiver, address token, uint256 amount)';
  const display = { formats: { [signature.replaceAll(', ', ',')]: { intent: 'Bridge', fields } } };
  const route = { fees: Array.from({ length: 8 }, (_, i) => BigInt(i)), to: friend } as const;
  const data = encodeFunctionData({
    abi: parseAbi([
      'struct Route { uint256[] fees; address to; }',
      'function bridge(Route route, bytes32 receiver, address token, uint256 amount)',
    ]),
    functionName: 'bridge',
    args: [route, `0x${'7e'.repeat(32)}`, usdc, 1_000_000_000n],
  });
  return explain(data, stored({ ...vaultDescription, display }));
}

test('a field for a whole struct hides none of its members', () => {
  for (const format of ['raw', 'amount']) {
    const { described, warnings } = explainBridge([{ path: 'route', label: 'Route', format }]);
    assert.match(described[1] ?? '', /^Route: \[0, 1, .*, … 1 more\]/);
    assert(described.includes(`route.to (no description): ${friend}`));
    assert.match(warnings.join(), /leaves out 12 values, shown raw/);
  }
});

test('repeated fields displace neither hidden nor undescribed values', () => {
  const fields = [
    ...Array.from({ length: 63 }, () => ({ path: 'route.fees.[0:4]', label: 'Fee' })),
    { path: 'route.to', label: 'To', format: 'addressName', visible: 'never' },
  ];
  const { described } = explainBridge(fields);
  assert(described.includes(`route.to (no description): ${friend}`));
  assert(described.includes(`token (no description): ${usdc}`));
  assert(described.includes('amount (no description): 1000000000'));
});

test('bytes that a description calls call data are shown', () => {
  const { described } = explainBridge([
    { path: 'receiver', label: 'Details', format: 'calldata', params: { calleePath: 'token' } },
  ]);
  assert.equal(
    described[1],
    `Details: 32 bytes of call data, selector 0x7e7e7e7e, for ${usdc}: 0x${'7e'.repeat(32)}`,
  );
});

test('an amount of a known token is never shown as coins', () => {
  const params = { tokenPath: 'token', nativeCurrencyAddress: usdc };
  const { described } = explainBridge([
    { path: 'amount', label: 'Amount', format: 'tokenAmount', params },
  ]);
  assert.equal(described[1], 'Amount: 1000 USDC');
});

test('tokens and units that only the description names are marked as such', () => {
  const shown = (format: string, params: object) =>
    explainBridge([{ path: 'amount', label: 'Amount', format, params }]).described[1];
  assert.equal(shown('tokenAmount', { token: usdc }), 'Amount: 1000 USDC, by the description');
  assert.equal(
    shown('nftName', { collection: friend }),
    `Amount: token 1000000000 of the collection ${friend}, by the description`,
  );
  assert.equal(
    shown('unit', { base: 'USDC', decimals: 9 }),
    'Amount: 1 USDC, by the description: 1000000000',
  );
});

test('only the description calls an address the sender', () => {
  const { described } = explainBridge([
    { path: 'route.to', label: 'To', format: 'addressName', params: { senderAddress: friend } },
  ]);
  assert.equal(described[1], `To: the sender, by the description (${friend})`);
});
