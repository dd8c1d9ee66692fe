// Solana nodes that lie, lag or forget about an unsettled transaction.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58 } from '@scure/base';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import type { JsonRpc } from '../../../src/gateway/chains/json_rpc.ts';
import type { UnsettledSend } from '../../../src/gateway/sends/look.ts';
import { lookAtSolana } from '../../../src/gateway/sends/solana_watch.ts';

const since = { sinceSlot: 300, isPaidByOthers: false };
const send: UnsettledSend = {
  organizationId: 'o',
  sendId: 's',
  address: 'A',
  signedTransaction: 'AQ==',
  isFrozen: false,
  givenUp: undefined,
  station: undefined,
  transactionHash: 'signature',
  status: 'BROADCASTING',
  block: undefined,
  nonce: undefined,
  solana: { hash: 'H', lastBlockHeight: 500, nonceAccount: undefined, ...since },
};
const nonceSend: UnsettledSend = {
  ...send,
  solana: { hash: '', lastBlockHeight: undefined, nonceAccount: 'N', ...since },
};
const at = (slot: number, value: unknown) => ({ context: { slot }, value });
const status = (confirmationStatus: string, err: unknown = null, slot = 900) => ({
  slot,
  confirmations: 1,
  err,
  confirmationStatus,
});

/** The answers of a node for which the transaction never landed and never can. */
const over: Readonly<Record<string, unknown>> = {
  getSignatureStatuses: at(1_000, [null]),
  getEpochInfo: { absoluteSlot: 990, blockHeight: 501 },
  isBlockhashValid: at(990, false),
  getFirstAvailableBlock: 0,
  sendTransaction: 'signature',
};

/** Answers by method; functions are called, and faults are thrown. */
function nodeWith(answers: Readonly<Record<string, unknown>>): JsonRpc {
  return async (method) => {
    const found = { ...over, ...answers }[method];
    const answer = typeof found === 'function' ? found() : found;
    if (answer instanceof ChainFault) throw answer;
    if (answer === undefined) throw new ChainFault('no such method', -32601);
    return answer;
  };
}

async function shown(nodes: readonly JsonRpc[], of = send, sends = false) {
  const chain = { caip2: 'solana:c', confirmations: 32 };
  const log = () => undefined;
  const { news, isIncluded } = await lookAtSolana({ chain, nodes, log }, of, async () => sends);
  return { news: news?.solana, isIncluded };
}
const isOver = async (...nodes: JsonRpc[]) => (await shown(nodes)).news?.end !== undefined;

test('a node with all blocks that searched them again reports that the transaction can no longer land', async () => {
  assert.equal(await isOver(nodeWith({})), true);
  const weaker: readonly Readonly<Record<string, unknown>>[] = [
    { getEpochInfo: { absoluteSlot: 990, blockHeight: 500 } },
    { isBlockhashValid: at(990, true) },
    { getFirstAvailableBlock: 301 },
    { getSignatureStatuses: at(989, [null]) },
    { getEpochInfo: { absoluteSlot: 299, blockHeight: 501 } },
  ];
  for (const answers of weaker) {
    assert.equal(await isOver(nodeWith(answers)), false, JSON.stringify(answers));
  }
});

test('a transaction that lands between the two searches is included', async () => {
  let looks = 0;
  const getSignatureStatuses = () => {
    looks += 1;
    return at(1_000, [looks === 1 ? null : status('finalized')]);
  };
  const { news } = await shown([nodeWith({ getSignatureStatuses })]);
  assert.deepEqual(news?.inclusion, {
    slot: 900,
    level: 'finalized',
    signature: undefined,
    failure: undefined,
  });
});

test('malformed answers are ignored', async () => {
  const nonsense: readonly Readonly<Record<string, unknown>>[] = [
    { getSignatureStatuses: null },
    { getSignatureStatuses: { value: [null] } },
    { getSignatureStatuses: at(1_000, [status('finalized'), status('finalized')]) },
    { getSignatureStatuses: at(1_000, [status('rooted')]) },
    { getSignatureStatuses: at(1_000, [status('finalized', null, -1)]) },
    { getSignatureStatuses: at(1_000, ['finalized']) },
    { getSignatureStatuses: new ChainFault('no history', -32011) },
    { getEpochInfo: { absoluteSlot: 990 } },
    { getEpochInfo: { absoluteSlot: 990, blockHeight: 2n ** 60n } },
    { isBlockhashValid: at(990, 'false') },
    { getFirstAvailableBlock: '0' },
  ];
  for (const answers of nonsense) {
    assert.equal((await shown([nodeWith(answers)])).news, undefined, String(Object.keys(answers)));
  }
});

test('a nonce account is parsed strictly, and other accounts have no nonce', async () => {
  const account = (bytes: Uint8Array, owner = '1'.repeat(32)) =>
    at(990, { owner, data: [Buffer.from(bytes).toString('base64'), 'base64'] });
  const held = Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, ...Array(72).fill(5));
  const hash = base58.encode(held.subarray(40, 72));
  const of = { ...nonceSend, solana: { ...nonceSend.solana, hash } } as UnsettledSend;
  const endWith = async (getAccountInfo: unknown) =>
    (await shown([nodeWith({ getAccountInfo })], of)).news?.end?.nonce;
  assert.equal(await endWith(account(held)), undefined, 'it holds the nonce');
  assert.equal(await endWith(account(held.with(79, 6))), undefined, 'fees do not matter');
  assert.notEqual(await endWith(account(held.with(71, 6))), undefined);
  assert.equal(await endWith(at(990, null)), '', 'it is gone');
  assert.equal(await endWith(account(held.with(0, 0))), '', 'of a version that nothing can use');
  assert.equal(await endWith(account(held, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')), '');
  assert.equal(await endWith(at(990, { owner: '1'.repeat(32), data: ['%', 'base64'] })), undefined);
});

test('a node accepted the transaction if it returns its signature, and no other', async () => {
  const fresh = { ...send, status: 'INITIALIZED' };
  const taken = async (sendTransaction: unknown) =>
    (await shown([nodeWith({ sendTransaction, isBlockhashValid: at(990, true) })], fresh, true))
      .news?.isTaken;
  assert.equal(await taken('signature'), true);
  assert.equal(await taken('another'), undefined);
  assert.equal(await taken(new ChainFault('refused', -32002)), undefined);
});

test('logs of programs about a failure are cut, and missing logs are accepted', async () => {
  const failed = at(1_000, [status('confirmed', { InstructionError: [0, { Custom: 1 }] })]);
  const logMessages = Array.from({ length: 500 }, () => `\u0007${'y'.repeat(5_000)}`);
  const meta = { err: {}, logMessages, computeUnitsConsumed: 2n ** 63n };
  for (const getTransaction of [{ meta }, null, new ChainFault('gone'), { meta: 5 }]) {
    const node = nodeWith({ getSignatureStatuses: failed, getTransaction });
    const { failure } = (await shown([node])).news?.inclusion ?? {};
    assert.equal(failure?.transactionErrorJson, '{"InstructionError":[0,{"Custom":1}]}');
    assert((failure.logs ?? []).every((line) => /^[ -~]{1,512}$/.test(line)));
    assert((failure.logs ?? []).length <= 64);
  }
});

test('of three nodes, one that lies or two that are silent decide nothing', async () => {
  const honest = nodeWith({ isBlockhashValid: at(990, true) });
  const silent = nodeWith({ getSignatureStatuses: new ChainFault('timeout') });
  const included = nodeWith({ getSignatureStatuses: at(1_000, [status('finalized')]) });
  assert.equal((await shown([honest, nodeWith({}), honest])).news, undefined, 'not over');
  assert.equal((await shown([honest, included, honest])).news, undefined, 'not included');
  assert.equal((await shown([included, silent, silent])).news, undefined);
  assert.equal((await shown([included, silent, included])).news?.inclusion?.level, 'finalized');
});

test('a node has the transaction if most of the nodes accepted it, not just one', async () => {
  const fresh = { ...send, status: 'INITIALIZED' };
  const of = (sendTransaction: unknown) =>
    nodeWith({ sendTransaction, isBlockhashValid: at(990, true) });
  const [takes, refuses] = [of('signature'), of(new ChainFault('refused', -32002))];
  assert.equal((await shown([refuses, takes, refuses], fresh, true)).news, undefined);
  assert.equal((await shown([takes, refuses, takes], fresh, true)).news?.isTaken, true);
});
