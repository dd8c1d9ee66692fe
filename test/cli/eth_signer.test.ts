// `keywright eth-signer` with a service: viem and ethers use it like a node with accounts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as ethers from 'ethers';
import * as viem from 'viem';
import { anvil as chain } from 'viem/chains';
import { filling, isOfNode, nodeAt } from '../../src/cli/remote_signer/node.ts';
import { readSigned } from '../../src/cli/remote_signer/signed.ts';
import { readTransaction } from '../../src/cli/remote_signer/transaction.ts';
import type { Json } from '../../src/core/schema/json.ts';
import { startAnvil } from '../e2e/anvil.ts';
import { until } from '../e2e/service.ts';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { commandsOfThisFile } from './running_service.ts';

const { run, json } = await commandsOfThisFile();
const node = await startAnvil();
await run('wallet create shop --account ethereum --account solana');
const ended = new AbortController();
let [out, notes] = ['', ''];
const ran = run(`eth-signer shop --node ${node.url} --json`, {
  signal: ended.signal,
  out: (text) => {
    out += text;
  },
  err: (text) => {
    notes += text;
  },
});
await until('it listens', () => out.endsWith('}\n') || notes !== '');
assert.equal(notes, '');
const { url, accounts } = JSON.parse(out);
const [account = '0x'] = accounts as readonly viem.Address[];
after(async () => {
  ended.abort();
  assert.equal((await ran).code, 0);
  node.stop();
});

const wallet = viem.createWalletClient({
  account,
  chain,
  transport: viem.http(url, { timeout: 0 }),
});
const typed = {
  domain: { name: 'Shop', chainId: 31_337 },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: 7n },
} as const;
const to = '0x000000000000000000000000000000000000dEaD';

async function call(method: string, ...params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(url, { method: 'POST', body });
  return (await answer.json()) as { result?: unknown; error?: { code: number; message: string } };
}

test('accounts are those of the command', async () => {
  assert.deepEqual(await wallet.getAddresses(), [account]);
  assert.equal((await call('account_list')).result?.toString(), account);
  const { code, err } = await run('eth-signer shop/solana --port 0');
  assert.equal(code, 2);
  assert.match(err, /no account that signs for Ethereum/);
});

test('messages of each method verify', async () => {
  const message = { raw: '0x00ff68656c6c6f' } as const;
  const signatures = [
    await wallet.signMessage({ message }),
    (await call('eth_sign', account, message.raw)).result,
    (await call('account_signData', 'text/plain', account, message.raw)).result,
  ];
  for (const signature of signatures) {
    const given = { address: account, message, signature: signature as viem.Hex };
    assert(await viem.verifyMessage(given));
  }
});

test('typed data verifies with viem and ethers', async () => {
  const signature = await wallet.signTypedData(typed);
  assert(await viem.verifyTypedData({ ...typed, address: account, signature }));
  const provider = new ethers.JsonRpcProvider(url, 31_337, { staticNetwork: true });
  const signer = await provider.getSigner(account);
  assert.equal(ethers.verifyMessage('hello', await signer.signMessage('hello')), account);
  const { domain, types, message } = typed;
  const again = await signer.signTypedData(domain, { Order: [...types.Order] }, message);
  assert.equal(again, signature);
  provider.destroy();
});

test('a node accepts transactions of types 0, 1 and 2', async () => {
  await node.call('anvil_setBalance', account, '0xde0b6b3a7640000');
  const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  const accessList = [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }] as const;
  const common = { to, value: 1000n, gas: 60_000n } as const;
  for (const [nonce, more] of [
    { type: 'legacy', gasPrice: 3_000_000_000n },
    { type: 'eip2930', gasPrice: 3_000_000_000n, accessList },
    { type: 'eip1559', ...fees, data: '0x1234' },
  ].entries()) {
    const raw = await wallet.signTransaction({ ...common, ...more, nonce } as never);
    const hash = await node.call('eth_sendRawTransaction', raw);
    await node.mine();
    assert.equal((await node.call('eth_getTransactionReceipt', hash)).status, '0x1');
  }
});

test('eth_sendTransaction fills in missing members, and sends in order', async () => {
  const nonce = Number(await node.call('eth_getTransactionCount', account, 'pending'));
  const sending = [1n, 2n, 3n].map((value) => wallet.sendTransaction({ to, value } as never));
  const hashes = await Promise.all(sending);
  await node.mine();
  const sent = await Promise.all(hashes.map((hash) => node.call('eth_getTransactionByHash', hash)));
  assert.deepEqual(
    sent.map((transaction) => Number(transaction.nonce)),
    [nonce, nonce + 1, nonce + 2],
  );
  const { error } = await call('eth_sendTransaction', { from: account, to, chainId: '0x1' });
  assert.match(error?.message ?? '', /chainId: the node is of the chain 0x7a69/);
});

test('accounts of the node do not sign', async () => {
  const [own] = await node.call('eth_accounts');
  const { error } = await call('eth_sendTransaction', { from: own, to, value: '0x1' });
  assert.match(error?.message ?? '', /is not an account of this signer/);
  assert.equal((await call('eth_signTypedData_v3', own, '{}')).error?.code, -32601);
});

const whole = {
  from: account,
  to,
  gas: '0x5208',
  nonce: '0x0',
  chainId: '0x7a69',
  maxFeePerGas: '0x2',
  maxPriorityFeePerGas: '0x1',
};

test('a signed transaction is returned in the members of a node too', async () => {
  const { result } = await call('account_signTransaction', { ...whole, gasPrice: null });
  const { raw, tx } = result as { raw: viem.Hex; tx: Record<string, string> };
  const parsed = viem.parseTransaction(raw);
  assert.equal(tx['hash'], viem.keccak256(raw));
  assert.deepEqual(
    [tx['r'], tx['s']].map(BigInt as never),
    [parsed.r, parsed.s].map(BigInt as never),
  );
  assert.equal(tx['yParity'], `0x${parsed.yParity}`);
});

for (const [title, change, message] of [
  ['a missing nonce', { nonce: undefined }, /nonce is missing/],
  ['an unknown member', { blobs: [] }, /blobs is not a member/],
  ['fees of two types', { gasPrice: '0x1' }, /is not a member of a transaction of/],
  ['data and another input', { data: '0x01', input: '0x02' }, /data and input differ/],
  ['a number with zeros', { gas: '0x05208' }, /gas: expected a number/],
  ['a short recipient', { to: '0x01' }, /to: expected 0x and 20 bytes/],
  ['an account of another', { from: to }, /is not an account of this signer/],
  ['an inherited name as a type', { type: 'constructor' }, /type: expected 0x0, 0x1 or 0x2/],
] as const) {
  test(`${title} is an error, and nothing is signed`, async () => {
    const { error, result } = await call('eth_signTransaction', { ...whole, ...change });
    assert.match(error?.message ?? '', message);
    assert.equal(result, undefined);
  });
}

test('a service that signs another transaction is detected', async () => {
  const key = new ethers.Wallet(`0x${'11'.repeat(32)}`);
  const call = { ...whole, from: key.address };
  const publicKey = key.signingKey.compressedPublicKey.slice(2);
  const sign = (more: object) =>
    key.signTransaction({
      type: 2,
      to,
      gasLimit: 21_000,
      nonce: 0,
      chainId: 31_337,
      maxFeePerGas: 2,
      maxPriorityFeePerGas: 1,
      ...more,
    });
  const read = async (raw: Promise<string>, own = publicKey) =>
    readSigned(await raw, readTransaction(call), own);
  assert.equal((await read(sign({}))).raw, await sign({}));
  await assert.rejects(read(sign({ value: 1 })), /another transaction/);
  await assert.rejects(read(sign({}), `02${'ab'.repeat(32)}`), /another key/);
});

test('a refusal of the service is an error of the call', async () => {
  await json('api create_freeze --type FREEZE_TYPE_ORGANIZATION --reason drill');
  const { error } = await call('eth_sign', account, '0x00');
  assert.equal(error?.code, 4100);
  assert.match(error?.message ?? '', /freeze|frozen/i);
});

test('other paths and web pages get no answer', async () => {
  const { origin } = new URL(url);
  const status = async (address: string, headers = {}) =>
    (await fetch(address, { method: 'POST', headers, body: '{}' })).status;
  assert.equal(await status(`${origin}/`), 404);
  assert.equal(await status(url, { origin: 'http://127.0.0.1' }), 403);
});

test('a node that reports malformed values is an error of the call', async () => {
  const answers: Record<string, Json> = { eth_chainId: '0x1', eth_estimateGas: '0x5208' };
  for (const [name, value] of [
    ['eth_maxPriorityFeePerGas', null],
    ['eth_getBlockByNumber', { baseFeePerGas: 'many' }],
    ['eth_getBlockByNumber', null],
  ] as const) {
    const usual = { eth_getTransactionCount: '0x0', eth_maxPriorityFeePerGas: '0x1' };
    const given: Record<string, Json> = { ...answers, ...usual, [name]: value };
    const fill = filling(async (method) => given[method] ?? null);
    await assert.rejects(fill({ from: account, to }), /maxFeePerGas is missing/);
  }
});

test('a method or a node error without text does not end the command', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const post = async (method: string) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":${method}}`;
    return (await fetch(url, { method: 'POST', body })).text();
  };
  for (const method of [deep, '{"toString":1,"valueOf":1}']) {
    assert.match(await post(method), /unknown method of type object/);
  }
  const answers = [deep, '{"toString":1}'];
  const server = await startLoopbackServer((_, response) => {
    response.end(`{"error":{"code":-1,"message":${answers.shift()}}}`);
  });
  after(() => server.stop());
  const node = nodeAt(server.origin);
  for (const _ of [...answers]) {
    await assert.rejects(node('eth_chainId', []), { code: -1, message: 'of type object' });
  }
  assert.deepEqual(await wallet.getAddresses(), [account]);
  const deepCall = (method: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":["${account}",${deep}]}`;
  for (const method of ['eth_signTypedData_v4', 'eth_call', 'eth_signTransaction', 'eth_sign']) {
    const answer = await fetch(url, { method: 'POST', body: deepCall(method) });
    assert.match(await answer.text(), /"error"/, method);
  }
  // A node signs this transaction with an account of its own.
  assert.equal(isOfNode('eth_resend'), false);
});

test('eth-signer rejects a price of the node beyond the bounds, and a node that changes its chain', async () => {
  const usual: Record<string, Json> = {
    eth_chainId: '0x1',
    eth_getTransactionCount: '0x0',
    eth_estimateGas: '0x5208',
    eth_gasPrice: '0x1',
    eth_maxPriorityFeePerGas: '0x1',
    eth_getBlockByNumber: { baseFeePerGas: '0x1' },
  };
  const nodeWith = (changes: Record<string, Json>) =>
    filling(async (method) => ({ ...usual, ...changes })[method] ?? null);
  const call = { from: account, to };
  const fee = `0x${(1_000_000_000_001n).toString(16)}`;
  const cases: readonly [object, Record<string, Json>, RegExp][] = [
    [{}, { eth_estimateGas: '0x1c9c381' }, /^gas: .*30000001/],
    [{ type: '0x0' }, { eth_gasPrice: fee }, /^gasPrice: /],
    [{}, { eth_maxPriorityFeePerGas: fee }, /^maxFeePerGas: /],
    [{ maxFeePerGas: '0x1' }, { eth_maxPriorityFeePerGas: fee }, /^maxPriorityFeePerGas: /],
    [{}, { eth_getBlockByNumber: { baseFeePerGas: fee } }, /^maxFeePerGas: /],
    // A gas limit and a fee that are within their bounds, but whose product is not.
    [
      {},
      { eth_estimateGas: '0xf4240', eth_getBlockByNumber: { baseFeePerGas: '0x3a35294400' } },
      /^gas: .* at /,
    ],
  ];
  for (const [more, changes, message] of cases) {
    await assert.rejects(nodeWith(changes)({ ...call, ...more }), { message });
  }
  const named = { ...call, gas: '0xf4240', maxFeePerGas: fee, maxPriorityFeePerGas: fee };
  assert.equal((await nodeWith({})(named))['maxFeePerGas'], fee);
  let chainId = '0x7a69';
  const fill = filling(async (method) =>
    method === 'eth_chainId' ? chainId : (usual[method] ?? null),
  );
  assert.equal((await fill(call))['chainId'], '0x7a69');
  chainId = '0x1';
  await assert.rejects(fill(call), /the node is of the chain 0x1/);
});
