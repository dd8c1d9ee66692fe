// Approvals of calls and typed data for which the organization stored a description (ERC-7730).

import assert from 'node:assert/strict';
import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem';
import type { Client } from '../../src/client/connect.ts';
import { apiKey, connect } from '../../src/client/index.ts';
import { permitDescription, usdc, vault, vaultDescription } from '../support/descriptions.ts';
import { before, dashboardOfThisFile, test } from './dashboard.ts';
import { lookAtEach } from './sights.ts';

const dashboard = await dashboardOfThisFile();

/** The account that the description of the vault shows without a name. */
const receiver = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';

const abi = parseAbi([
  'struct Leg { address token; uint256 amount; }',
  'function order(Leg[] legs, address to, uint256 until, uint8 mode, uint256 shares, bytes32 salt)',
]);
const order = encodeFunctionData({
  abi,
  args: [
    [{ token: usdc, amount: 2_500_000n }],
    receiver,
    1_800_000_000n,
    2,
    5_000n,
    `0x${'11'.repeat(32)}`,
  ],
});

let root: Client;
let alice: Client;
let signWith: string;

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  [root, alice] = [await clientOf('root-credentials'), await clientOf('alice')];
  const { activities } = await root.query('list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
  });
  const { intent } = await root.activity(activities[0]?.id ?? '');
  signWith = String(intent['signWith']);
  for (const { id } of activities) await root.reject(await root.activity(id));
});

const store = (smartContractAddress: string, description: object) =>
  root.submit('create_smart_contract_interface', {
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730',
    smartContractAddress,
    smartContractInterface: JSON.stringify(description),
    label: 'Description',
  });

/** Has alice submit a request that waits, and returns what will be signed as the approval shows it. */
async function shown(ask: () => ReturnType<Client['ask']>, name: RegExp) {
  const { outcome } = await ask();
  assert.equal(outcome, 'waiting');
  const page = await dashboard.shared('Root user', 'approvals');
  const approval = page.getByRole('article', { name }).first();
  const content = approval.getByRole('group', { name: 'What will be signed' });
  await content.waitFor();
  return { page, content };
}

const askForOrder = () =>
  alice.ask('sign_transaction', {
    signWith,
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction: serializeTransaction({
      chainId: 1,
      nonce: 3,
      gas: 90_000n,
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      to: vault,
      data: order,
    }),
  });

test('an approval of a call without a description shows no labelled value', async () => {
  const { content } = await shown(askForOrder, /^Sign transaction/);
  await content
    .getByText(/Vault|0x63c0/i)
    .first()
    .waitFor();
  assert.doesNotMatch(await content.innerText(), /says the stored description|Rate: /);
});

test('an approval shows the fields of the stored description below the explanation', async () => {
  await store(vault, vaultDescription);
  const { page, content } = await shown(askForOrder, /^Sign transaction/);
  await content
    .getByText(
      /^Place an order, says the stored description of Example Vault \(sha256 [0-9a-f]{8}\)\.$/,
    )
    .waitFor();
  const text = await content.innerText();
  const lines = text.split('\n').map((line) => line.trim());
  const start = lines.findIndex((line) => line.startsWith('Place an order'));
  assert(start > 0, 'the explanation from the signed bytes comes first');
  for (const field of [
    /^You pay: 2\.5 USDC$/,
    /^To: .*0x7E5F/,
    /^Until: 2027-/,
    /^Rate: variable \(2\)$/,
  ]) {
    const place = lines.findIndex((line) => field.test(line));
    assert(place > start, `${field} stands below: ${text}`);
  }
  assert.match(text, /^Salt: 0x1111/m, 'a value that the description hides is shown raw');
  await lookAtEach(page, [{ what: 'approval with a description', reach: async () => {} }]);
});

test('an approval of typed data shows the fields of its description', async () => {
  await store(usdc, permitDescription);
  const number = (name: string) => ({ name, type: 'uint256' });
  const payload = JSON.stringify({
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        ...['value', 'nonce', 'deadline'].map(number),
      ],
    },
    primaryType: 'Permit',
    domain: { name: 'USD Coin', chainId: 1, verifyingContract: usdc },
    message: { owner: signWith, spender: receiver, value: 25_000_000, nonce: 1, deadline: 9 },
  });
  const { content } = await shown(
    () =>
      alice.ask('sign_raw_payload', {
        signWith,
        payload,
        encoding: 'PAYLOAD_ENCODING_EIP712',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      }),
    /^Sign message or data/,
  );
  await content.getByText(/^Let another account spend, says the stored description/).waitFor();
  await content.getByText('At most: 25 USDC').waitFor();
  await content.getByText(`Spender: ${receiver}`).waitFor();
  assert.match(await content.innerText(), /nonce/i, 'a value that the description hides is shown');
});

test('an approval repeats the warnings about a stored interface, as those of the service', async () => {
  const inputs = [{ name: 'a', type: 'bytes1' }];
  await root.submit('create_smart_contract_interface', {
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
    smartContractAddress: receiver,
    // Its selector is that of transfer(address,uint256).
    smartContractInterface: JSON.stringify([
      { type: 'function', name: 'many_msg_babbage', inputs },
    ]),
    label: 'Misleading',
  });
  const data = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 value)']),
    args: [usdc, 5n],
  });
  const ask = () =>
    alice.ask('sign_transaction', {
      signWith,
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction: serializeTransaction({
        chainId: 1,
        nonce: 4,
        gas: 90_000n,
        maxFeePerGas: 2_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
        to: receiver,
        data,
      }),
    });
  const { page } = await shown(ask, /^Sign transaction/);
  const warning =
    /^The service reports about a stored interface: .* names the called function many_msg_babbage\(bytes1\)/;
  await page.getByText(warning).waitFor();
});
