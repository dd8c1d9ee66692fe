// Queries of clients about chains, sent to nodes that answer well, badly or not at all.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { base58, base64 } from '@scure/base';
import { readChains } from '../../../src/core/balances/chains.ts';
import { createChainQueries } from '../../../src/gateway/chains/chain_queries.ts';
import { httpServer } from '../outbound/loopback.ts';

type Call = {
  readonly id: number;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: looked into by path in tests
  readonly params: readonly any[];
};
/** The answer of a node to a batch of calls: JSON, or text as it is. */
type Node = (calls: readonly Call[]) => unknown;

const coin = { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 };
const token = { symbol: 'TST', name: 'Test', decimals: 6 };
const address = `0x${'ab'.repeat(20)}`;
const evm = 'eip155:31337';
const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const solana = `solana:${genesisHash.slice(0, 32)}`;
const mint = base58.encode(new Uint8Array(32).fill(7));
const owner = base58.encode(new Uint8Array(32).fill(8));

async function queriesOver(t: TestContext, node: Node, tokens = 1) {
  const requests: Call[][] = [];
  const port = await httpServer(t, async (request, response) => {
    const calls = JSON.parse(Buffer.concat(await request.toArray()).toString());
    requests.push(calls);
    const answer = node(calls);
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  const rpcUrl = `http://127.0.0.1:${port}/key-of-the-operator`;
  const contracts = Array.from({ length: tokens }, (_, i) => ({
    ...token,
    address: `0x${(i + 1).toString(16).padStart(40, '0')}`,
  }));
  const read = readChains(
    JSON.stringify({
      [evm]: { rpcUrl, coin, confirmations: 1, tokens: contracts },
      [solana]: { rpcUrl, tokens: [{ ...token, address: mint }] },
    }),
  );
  assert('chains' in read);
  const lines: string[] = [];
  const log = (_level: string, message: string, fields: object = {}) =>
    lines.push(JSON.stringify({ message, ...fields }));
  const queries = createChainQueries(read.chains, log);
  t.after(() => queries.close());
  return { queries, requests, lines };
}

const answersOf =
  (results: Readonly<Record<string, (call: Call) => unknown>>): Node =>
  (calls) =>
    calls.map((call) => ({ jsonrpc: '2.0', id: call.id, result: results[call.method]?.(call) }));

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const evmNode = {
  eth_chainId: () => '0x7a69',
  eth_getBalance: () => '0xde0b6b3a7640000',
  eth_call: ({ params: [{ to }] }: Call) => (to.endsWith('2') ? '0x' : word(Number(to) * 10)),
  eth_getTransactionCount: ({ params }: Call) =>
    params[0] === address && params[1] === 'latest' ? '0x1f' : '0x0',
};
const accountOf = (amount: bigint, ofMint = mint, ofOwner = owner) => {
  const data = new Uint8Array(72);
  data.set(base58.decode(ofMint));
  data.set(base58.decode(ofOwner), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  return { account: { data: [base64.encode(data), 'base64'] }, pubkey: mint };
};
const solanaNode = {
  getGenesisHash: () => genesisHash,
  getBalance: () => ({ context: { slot: 1 }, value: 5 }),
  getTokenAccountsByOwner: () => ({
    context: { slot: 1 },
    value: [accountOf(2n), accountOf(2n ** 64n - 1n)],
  }),
};

const unavailable = { name: 'ServiceError', code: 'chain_node_unavailable' };

test('the coin and all tokens of an Ethereum address are read in few requests', async (t) => {
  const { queries, requests } = await queriesOver(
    t,
    (calls) => (answersOf(evmNode)(calls) as unknown[]).reverse(),
    120,
  );
  const amounts = await queries.chainAmounts(evm, address);
  assert.equal(amounts.size, 121);
  assert.equal(amounts.get(`${evm}/slip44:60`), '1000000000000000000');
  assert.equal(amounts.get(`${evm}/erc20:0x${'1'.padStart(40, '0')}`), '10');
  // An address without a contract has no token balances.
  assert.equal(amounts.get(`${evm}/erc20:0x${'2'.padStart(40, '0')}`), '0');
  assert.equal(amounts.get(`${evm}/erc20:0x${'78'.padStart(40, '0')}`), '1200');
  assert.equal(requests.length, 3);
  const call = requests[0]?.find(({ method }) => method === 'eth_call');
  assert.deepEqual(call?.params, [
    { to: `0x${'1'.padStart(40, '0')}`, data: `0x70a08231${'0'.repeat(24)}${address.slice(2)}` },
    'latest',
  ]);
  assert.equal(await queries.transactionCount(evm, address), '31');
});

test('SOL and the sums of all accounts of a mint are read for a Solana address', async (t) => {
  const { queries, requests } = await queriesOver(t, answersOf(solanaNode));
  assert.deepEqual(
    [...(await queries.chainAmounts(solana, owner))],
    [
      [`${solana}/slip44:501`, '5'],
      [`${solana}/token:${mint}`, String(2n ** 64n + 1n)],
    ],
  );
  assert.equal(requests.length, 1);
});

test('amounts beyond safe integers stay exact', async (t) => {
  const { queries } = await queriesOver(t, (calls) =>
    JSON.stringify(answersOf(solanaNode)(calls)).replace('"value":5}', '"value":9007199254740993}'),
  );
  const amounts = await queries.chainAmounts(solana, owner);
  assert.equal(amounts.get(`${solana}/slip44:501`), '9007199254740993');
});

test('a node that is down, wrong or of another chain is not used, and no caller learns its address', async (t) => {
  const evmCase = (members: object) => answersOf({ ...evmNode, ...members });
  const solanaCase = (members: object) => answersOf({ ...solanaNode, ...members });
  const listing = (value: unknown) =>
    solanaCase({ getTokenAccountsByOwner: () => ({ context: {}, value }) });
  const cases: readonly (readonly [string, string, Node])[] = [
    [evm, address, () => 'no JSON'],
    [evm, address, () => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message: '' } })],
    [evm, address, () => []],
    [evm, address, (calls) => calls.map(({ id }) => ({ id, error: { code: 3 } }))],
    [evm, address, (calls) => calls.map(({ id }) => ({ id: id + 1, result: '0x1' }))],
    [evm, address, evmCase({ eth_chainId: () => '0x1' })],
    [evm, address, evmCase({ eth_getBalance: () => '-0x1' })],
    [evm, address, evmCase({ eth_call: () => `${word(1)}00` })],
    [evm, address, () => `["${'x'.repeat(5 * 1024 * 1024)}"]`],
    [solana, owner, solanaCase({ getGenesisHash: () => '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z' })],
    [solana, owner, solanaCase({ getGenesisHash: () => ({ toString: 1 }) })],
    [solana, owner, solanaCase({ getBalance: () => ({ value: -1 }) })],
    [solana, owner, solanaCase({ getBalance: () => ({ value: 1.5 }) })],
    [solana, owner, solanaCase({ getBalance: () => 5 })],
    [solana, owner, listing(null)],
    [solana, owner, listing([accountOf(1n, owner)])],
    [solana, owner, listing([accountOf(1n, mint, mint)])],
    [solana, owner, listing([{ account: { data: ['', 'base64'] } }])],
  ];
  for (const [i, [caip2, who, node]] of cases.entries()) {
    const { queries, lines } = await queriesOver(t, node);
    await assert.rejects(queries.chainAmounts(caip2, who), unavailable, `case ${i}`);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /a chain did not answer/);
    assert.doesNotMatch(lines[0] ?? '', /key-of-the-operator|127\.0\.0\.1/);
  }
  const { queries } = await queriesOver(t, evmCase({ eth_getTransactionCount: () => '' }));
  await assert.rejects(queries.transactionCount(evm, address), unavailable);
});

/** Starts nodes that report different numbers for one address. */
async function severalNodes(t: TestContext, nodes: readonly (number | 'gone' | 'reverts')[]) {
  const asked = nodes.map(() => 0);
  const urls = await Promise.all(
    nodes.map(async (said, i) => {
      const port = await httpServer(t, async (request, response) => {
        asked[i] = (asked[i] ?? 0) + 1;
        const calls: Call[] = JSON.parse(Buffer.concat(await request.toArray()).toString());
        if (said === 'gone') return request.socket.destroy();
        const quantity = `0x${(said === 'reverts' ? 1 : said).toString(16)}`;
        const results: Readonly<Record<string, unknown>> = {
          eth_chainId: '0x7a69',
          eth_getTransactionCount: quantity,
          eth_feeHistory: { baseFeePerGas: [quantity, quantity], reward: [[quantity]] },
          eth_estimateGas: quantity,
        };
        const answers = calls.map(({ id, method }) =>
          said === 'reverts' && method === 'eth_estimateGas'
            ? { id, error: { code: 3, message: 'execution reverted' } }
            : { id, result: results[method] },
        );
        response.end(JSON.stringify(answers));
      });
      return `http://127.0.0.1:${port}`;
    }),
  );
  const read = readChains(JSON.stringify({ [evm]: { rpcUrl: urls, coin, confirmations: 1 } }));
  assert('chains' in read);
  let time = 0;
  const queries = createChainQueries(read.chains, () => {}, { clock: () => time });
  t.after(() => queries.close());
  const call = { caip2: evm, from: address, to: address, value: 0n, data: '0x' };
  return {
    fill: () => queries.fetchEthereumFields({ ...call, estimatesGas: true }),
    count: () => queries.transactionCount(evm, address),
    asked,
    wait: (ms: number) => {
      time += ms;
    },
  };
}

test('of several nodes the middle value is used', async (t) => {
  const rows = [
    { nodes: [5, 7, 900], middle: 7n },
    { nodes: [0, 5, 7], middle: 5n },
    // The lower of two nonces: if it is too low, the service skips its own nonces anyway.
    { nodes: ['gone', 5, 7], middle: 5n },
  ] as const;
  for (const { nodes, middle } of rows) {
    const { fill, count } = await severalNodes(t, nodes);
    const all = { used: middle, baseFee: middle, tip: middle, gas: middle };
    assert.deepEqual(await fill(), all, nodes.join());
    assert.equal(await count(), String(middle));
  }
  const { gas } = await (await severalNodes(t, [5, 'reverts', 7])).fill();
  assert.equal(gas, 5n);
});

test('most nodes must answer, and most must agree that a call reverts', async (t) => {
  const alone = await severalNodes(t, ['gone', 5, 'gone']);
  await assert.rejects(alone.fill(), unavailable);
  await assert.rejects(alone.count(), unavailable);
  const reverting = await severalNodes(t, ['reverts', 'reverts', 7]);
  await assert.rejects(reverting.fill(), { code: 'transaction_would_revert' });
});

test('a node that did not answer is skipped for some time', async (t) => {
  const { count, asked, wait } = await severalNodes(t, [5, 5, 'gone']);
  for (let i = 0; i < 3; i += 1) await count();
  assert.deepEqual(asked, [3, 3, 1]);
  wait(15_000);
  await count();
  assert.deepEqual(asked, [4, 4, 2]);
});

test('many contract values go to a node in few requests, and each call can be refused', async (t) => {
  const target = (i: number) => `0x${(i + 1).toString(16).padStart(40, '0')}`;
  const { queries, requests } = await queriesOver(t, (calls) =>
    calls.map(({ id, method, params }) => {
      if (method === 'eth_chainId') return { id, result: '0x7a69' };
      const isRevert = params[0].to === target(6);
      if (isRevert) return { id, error: { code: 3, message: 'execution reverted', data: '0x' } };
      if (method === 'eth_call') return { id, result: word(Number(params[0].to)) };
      return { id, result: evmNode[method as keyof typeof evmNode]?.({} as never) ?? '0x5208' };
    }),
  );
  const calls = Array.from({ length: 60 }, (_, i) => ({ to: target(i), data: '0x' }));
  const values = await queries.fetchContractValues({ caip2: evm, calls });
  assert.deepEqual(
    values,
    calls.map((_, i) => (i === 6 ? undefined : BigInt(i + 1))),
  );
  assert.equal(requests.length, 2);
});

test('requests beyond the places of a node wait instead of failing', async (t) => {
  const answered = Promise.withResolvers<void>();
  let [underWay, most] = [0, 0];
  const port = await httpServer(t, async (request, response) => {
    const calls: Call[] = JSON.parse(Buffer.concat(await request.toArray()).toString());
    underWay += 1;
    most = Math.max(most, underWay);
    if (most === 16) answered.resolve();
    await answered.promise;
    underWay -= 1;
    response.end(JSON.stringify(answersOf(evmNode)(calls)));
  });
  const read = readChains(
    JSON.stringify({ [evm]: { rpcUrl: `http://127.0.0.1:${port}`, coin, confirmations: 1 } }),
  );
  assert('chains' in read);
  const waiting: number[] = [];
  let refused = 0;
  const metrics = {
    lookupsWaiting: (server: string, count: number) => {
      assert.equal(server, 'chain_node');
      waiting.push(count);
    },
    lookupRefused: () => {
      refused += 1;
    },
  };
  const queries = createChainQueries(read.chains, () => {}, { metrics });
  t.after(() => queries.close());
  const asked = Array.from({ length: 40 }, () => queries.transactionCount(evm, address));
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['31']));
  assert.equal(most, 16);
  assert.equal(Math.max(...waiting), 24);
  assert.equal(waiting.at(-1), 0);
  assert.equal(refused, 0);
  const many = Array.from({ length: 16 + 512 + 3 }, () => queries.transactionCount(evm, address));
  const outcomes = await Promise.allSettled(many);
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 3);
  assert.equal(refused, 3);
  assert.equal(waiting.at(-1), 0);
});
