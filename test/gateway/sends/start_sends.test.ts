// The status of an unsettled transaction from the reports of its nodes, some of which misbehave.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChainFault } from '../../../src/core/balances/node_answer.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { EthereumSend } from '../../../src/core/organization/records/sends.ts';
import { progressAfter, type SendProgress } from '../../../src/core/sends/progress.ts';
import { noMetrics } from '../../../src/gateway/observability/metrics.ts';
import type { UnsettledSend } from '../../../src/gateway/sends/look.ts';
import { createStep } from '../../../src/gateway/sends/start_sends.ts';
import type { EnclaveMessages, RequestOf } from '../../../src/ipc/messages.ts';
import {
  type Behavior,
  type Chain,
  createChain,
  createNode,
  otherHash,
  ownHash,
  sender,
  silent,
} from './ethereum_nodes.ts';

const confirmations = 3;

/** Watches one transaction with nonce 0, with an enclave that records its messages. */
function follow(
  chain: Chain,
  behaviors: readonly (Behavior | undefined)[],
  { givenUp, station }: { readonly givenUp?: string; readonly station?: object } = {},
) {
  let send: SendProgress & Pick<EthereumSend, 'nonce'> = { status: 'INITIALIZED', nonce: '0' };
  const history: SendProgress[] = [];
  const outcomes: string[] = [];
  const nodes = behaviors.map((behavior) => createNode(chain, behavior));
  let isBusy = false;
  let isFrozen = false;
  let isFrozenMeanwhile = false;
  let time = 0;
  const underway = (): UnsettledSend =>
    ({
      organizationId: 'organization',
      sendId: 'send',
      address: sender,
      nonce: send.nonce,
      signedTransaction: isFrozen ? '' : '0x02',
      isFrozen,
      transactionHash: ownHash,
      status: send.status,
      givenUp,
      station,
      block: send.block,
      family: 'eip155',
      solana: undefined,
      lifetime: undefined,
    }) as unknown as UnsettledSend;
  function told({ ethereum }: RequestOf<EnclaveMessages['sendSeen']>): void {
    if (isBusy) throw new ServiceError('organization_busy', { attempts: 5 });
    assert(ethereum !== undefined);
    const { usedAtFinal, inclusion, ...rest } = ethereum;
    const shown = {
      ...rest,
      usedAtFinal: usedAtFinal === undefined ? undefined : BigInt(usedAtFinal),
      inclusion: inclusion && {
        number: inclusion.number,
        hash: inclusion.hash,
        ...(inclusion.error === undefined ? {} : { error: { message: inclusion.error } }),
      },
    };
    const progress = progressAfter({ ...send, givenUp }, shown, confirmations);
    if (progress === undefined) return;
    send = { nonce: send.nonce, ...progress };
    history.push(progress);
  }
  const call = async (message: string, request: unknown) => {
    if (message === 'unsettledSends') return send.isSettled === true ? [] : [underway()];
    if (message === 'maySend') return !isFrozenMeanwhile;
    return told(request as RequestOf<EnclaveMessages['sendSeen']>);
  };
  const step = createStep({
    chain: { caip2: 'eip155:1', confirmations, family: 'eip155' },
    nodes: nodes.map((node) => node.call),
    enclave: { call } as Parameters<typeof createStep>[0]['enclave'],
    log: () => {},
    clock: () => time,
    metrics: { ...noMetrics, sendLookedAt: (_chain, outcome) => outcomes.push(outcome) },
  });
  return {
    look: async () => {
      time += 1;
      await step();
    },
    wait: (ms: number) => {
      time += ms;
    },
    busy: (is: boolean) => {
      isBusy = is;
    },
    /** Freezes from the list of transactions on, or only at the check right before the send. */
    freeze: (is: boolean, { meanwhile = false } = {}) => {
      isFrozen = is && !meanwhile;
      isFrozenMeanwhile = is;
    },
    status: () => send.status,
    isSettled: () => send.isSettled === true,
    history,
    outcomes,
    nodes,
  };
}

test('a frozen transaction is sent to no node, even if the freeze comes during the round', async () => {
  for (const meanwhile of [false, true]) {
    const chain = createChain();
    const sent = follow(chain, [undefined, undefined]);
    sent.freeze(true, { meanwhile });
    await sent.look();
    assert.equal(chain.pending.has(ownHash), false);
    assert.equal(sent.status(), 'INITIALIZED');
    sent.freeze(false);
    sent.wait(30_000);
    await sent.look();
    assert.equal(chain.pending.has(ownHash), true);
    sent.freeze(true, { meanwhile });
    chain.mine([ownHash]);
    await sent.look();
    assert.equal(sent.status(), 'INCLUDED');
  }
});

test('a transaction that waits too long is set aside once most nodes have it in no block', async () => {
  const chain = createChain();
  const sent = follow(chain, [undefined, silent, silent], { givenUp: 'given up' });
  await sent.look();
  assert.equal(sent.isSettled(), false);
  const known = follow(chain, [undefined, undefined, silent], { givenUp: 'given up' });
  await known.look();
  assert.deepEqual([known.status(), known.isSettled()], ['INITIALIZED', true]);
  assert.equal(known.history.at(-1)?.isSetAside, true);
});

test('an abandoned transaction is sent to no node, and is included if a block has it', async () => {
  const chain = createChain();
  const abandoned = follow(chain, [undefined], { givenUp: 'given up' });
  await abandoned.look();
  assert.equal(abandoned.history.at(-1)?.isSetAside, true);
  assert.equal(chain.pending.has(ownHash), false);
  chain.mine([ownHash]);
  const landed = follow(chain, [undefined], { givenUp: 'given up' });
  await landed.look();
  assert.deepEqual([landed.status(), landed.isSettled()], ['INCLUDED', false]);
  chain.drop(1);
  await landed.look();
  assert.equal(landed.status(), 'BROADCASTING');
  await landed.look();
  assert.equal(landed.history.at(-1)?.isSetAside, true);
});

test('a transaction is sent to each node once, included, removed from its block, and final', async () => {
  const chain = createChain();
  const sent = follow(chain, [undefined, undefined, undefined]);
  await sent.look();
  assert.equal(sent.status(), 'BROADCASTING');
  await sent.look();
  const sends = sent.nodes.map(({ asked }) => asked.filter((m) => m === 'eth_sendRawTransaction'));
  assert.deepEqual(
    sends.map((each) => each.length),
    [1, 1, 1],
  );
  chain.mine([ownHash]);
  await sent.look();
  assert.equal(sent.status(), 'INCLUDED');
  chain.drop(1);
  await sent.look();
  assert.equal(sent.status(), 'BROADCASTING');
  assert.ok(chain.pending.has(ownHash), 'sent again at once');
  chain.mine([ownHash]);
  for (let i = 0; i < confirmations; i += 1) {
    await sent.look();
    assert.equal(sent.isSettled(), false);
    chain.mine();
  }
  await sent.look();
  assert.deepEqual([sent.status(), sent.isSettled()], ['INCLUDED', true]);
  assert.ok(sent.outcomes.every((outcome) => outcome === 'agreed'));
});

test('a transaction fails once another used its nonce in a final block, and not before', async () => {
  const chain = createChain();
  const sent = follow(chain, [undefined]);
  await sent.look();
  chain.mine([otherHash]);
  for (let i = 0; i < confirmations; i += 1) {
    await sent.look();
    assert.equal(sent.status(), 'BROADCASTING');
    chain.mine();
  }
  await sent.look();
  assert.deepEqual([sent.status(), sent.isSettled()], ['FAILED', true]);
});

/** This node has lost all receipts. */
const forgetful: Behavior = (method) =>
  method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash'
    ? { answer: null }
    : undefined;

test('a node without receipts fails no transaction that is in a block', async () => {
  for (const later of [0, 1, 2, 7, 300]) {
    const chain = createChain();
    const sent = follow(chain, [forgetful]);
    await sent.look();
    for (let i = 0; i < later; i += 1) chain.mine();
    chain.mine([ownHash]);
    for (let i = 0; i < later + confirmations; i += 1) chain.mine();
    await sent.look();
    assert.deepEqual([sent.status(), sent.isSettled()], ['INCLUDED', true], `${later} blocks`);
  }
});

test('a node without old states is believed', async () => {
  const chain = createChain();
  const sent = follow(chain, [
    (method, [, block]) => {
      const isOld = Number(String(block)) < chain.blocks.length - 1 - confirmations;
      if (method !== 'eth_getTransactionCount' || !isOld) return undefined;
      throw new ChainFault('missing trie node', -32_000);
    },
  ]);
  chain.mine([otherHash]);
  for (let i = 0; i <= confirmations; i += 1) chain.mine();
  await sent.look();
  assert.equal(sent.status(), 'FAILED');
});

test('without a majority of nodes no status changes, and the reason is counted', async () => {
  const chain = createChain();
  const unanswered = follow(chain, [silent, undefined, silent]);
  await unanswered.look();
  assert.equal(unanswered.status(), 'INITIALIZED');
  assert.deepEqual(unanswered.outcomes, ['unanswered']);
  chain.mine([ownHash]);
  // One of the two nodes is a block behind.
  const disagreed = follow(chain, [undefined, forgetful]);
  await disagreed.look();
  assert.deepEqual([disagreed.status(), disagreed.outcomes], ['INITIALIZED', ['disagreed']]);
});

test('progress that could not be reported is reported again in the next round', async () => {
  const chain = createChain();
  const sent = follow(chain, [undefined]);
  sent.busy(true);
  await assert.rejects(sent.look(), ServiceError);
  sent.busy(false);
  // The node already has it, and refuses the same bytes.
  await sent.look();
  assert.equal(sent.status(), 'BROADCASTING');
});

test('one node of three does not decide that a transaction waits in a pool', async () => {
  const refuses: Behavior = (method) => {
    if (method === 'eth_getTransactionByHash') return { answer: null };
    if (method === 'eth_sendRawTransaction') throw new ChainFault('underpriced', -32_000);
    return undefined;
  };
  const claims: Behavior = (method) =>
    method === 'eth_sendRawTransaction' ? { answer: ownHash } : undefined;
  const alone = follow(createChain(), [refuses, claims, refuses]);
  await alone.look();
  assert.deepEqual([alone.status(), alone.outcomes], ['INITIALIZED', ['agreed']]);
  const most = follow(createChain(), [refuses, claims, claims]);
  await most.look();
  assert.equal(most.status(), 'BROADCASTING');
});

/** Random false answers of a node, or no answer. */
const lies = fc.record({
  newest: fc.integer({ min: 0, max: 40 }),
  count: fc.integer({ min: 0, max: 3 }),
  receipt: fc.constantFrom('none', 'made up', 'failed'),
  isSilent: fc.boolean(),
});

const liar =
  ({
    newest,
    count,
    receipt,
    isSilent,
  }: typeof lies extends fc.Arbitrary<infer L> ? L : never): Behavior =>
  (method, parameters) => {
    if (isSilent) return silent(method, parameters);
    if (method === 'eth_blockNumber') return { answer: `0x${newest.toString(16)}` };
    if (method === 'eth_getTransactionCount') return { answer: `0x${count.toString(16)}` };
    if (method !== 'eth_getTransactionReceipt') return undefined;
    if (receipt === 'none') return { answer: null };
    const status = receipt === 'failed' ? '0x0' : '0x1';
    const blockHash = `0x${'99'.repeat(32)}`;
    return { answer: { transactionHash: ownHash, blockNumber: '0x1', blockHash, status } };
  };

test('one of three nodes that lies, lags, forgets or is silent changes no reported status', async () => {
  const events = fc.array(fc.constantFrom('mine', 'own', 'other', 'drop', 'look'), {
    minLength: 5,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(events, fc.array(lies, { minLength: 1, maxLength: 4 }), async (all, told) => {
      const chain = createChain();
      let at = 0;
      const worst: Behavior = (method, parameters) => {
        if (method === 'eth_blockNumber') at += 1;
        const lie = told[at % told.length];
        return lie === undefined ? undefined : liar(lie)(method, parameters);
      };
      const alone = follow(chain, [undefined, undefined]);
      const sent = follow(chain, [undefined, worst, undefined]);
      const isUsed = () => chain.blocks.some(({ transactions }) => transactions.length > 0);
      const settledAt: number[] = [];
      for (const event of [...all, 'look']) {
        if (event === 'mine') chain.mine();
        // No chain removes a final block.
        if (event === 'drop' && settledAt.length === 0) chain.drop(2);
        if (event === 'own' && !isUsed()) chain.mine([ownHash]);
        if (event === 'other' && !isUsed()) chain.mine([otherHash]);
        if (event !== 'look') continue;
        await sent.look();
        await alone.look();
        if (alone.isSettled() || sent.isSettled()) settledAt.push(chain.blocks.length);
      }
      assert.deepEqual(sent.history, alone.history);
      assert.ok(!sent.outcomes.includes('unanswered'));
    }),
    { numRuns: 300 },
  );
});

test('the error of a reverted sponsored transaction states whether its calls may have run or may still run', async () => {
  const station = { sender, nonce: '4' };
  const next = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
  /** The storage at the block of the transaction, and at the newest block. */
  const reverting =
    (atBlock: number | 'gone', latest: number): Behavior =>
    (method, [first, , at]) => {
      if (method === 'eth_getTransactionReceipt') {
        const blockHash = chain.blocks[1]?.hash;
        return { answer: { transactionHash: first, blockNumber: '0x1', blockHash, status: '0x0' } };
      }
      if (method !== 'eth_getStorageAt') return undefined;
      if (at === 'latest') return { answer: next(latest) };
      if (atBlock === 'gone') throw new ChainFault('missing state', -32_000);
      return { answer: next(atBlock) };
    };
  const chain = createChain();
  chain.mine([ownHash]);
  const cases: readonly [Behavior, RegExp][] = [
    [reverting(5, 5), /another transaction used the nonce of the calls, and may have run them/],
    [reverting(4, 4), /anyone can still deliver the signed calls until their deadline/],
    // Later calls of the sender used the nonce.
    [reverting(4, 5), /anyone can still deliver/],
    [reverting('gone', 5), /may have run them/],
  ];
  for (const [behavior, message] of cases) {
    const sent = follow(chain, [behavior, behavior], { station });
    await sent.look();
    assert.equal(sent.status(), 'INCLUDED');
    assert.match(sent.history.at(-1)?.error?.message ?? '', message);
  }
  const plain = follow(chain, [reverting(5, 5)]);
  await plain.look();
  assert.deepEqual(plain.history.at(-1)?.error, { message: 'execution reverted' });
});
