// Cached answers of nodes for a request that waits repeatedly in the line of its organization.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExternalServices } from '../../src/core/external/external_services.ts';
import {
  type ChainLookups,
  createBoundedServices,
  createChainLookups,
  LookupNeededError,
} from '../../src/pipeline/chain_lookups.ts';
import { createChangeLines } from '../../src/pipeline/change_lines.ts';
import { createConcurrency } from '../../src/pipeline/concurrency.ts';

type Asked = Parameters<ChainLookups['fetchContractValues']>[0];

const asked: Asked = { caip2: 'eip155:1', calls: [] };

test('an answer lives longer after each wait in the line, so a long line ends', async () => {
  let now = 0;
  let questions = 0;
  const external = {
    fetchContractValues: () => {
      questions += 1;
      return Promise.resolve([BigInt(questions)]);
    },
  } as unknown as ChainLookups;
  const limits = { clock: () => now, lifeMs: 1_000, maximum: 16 };
  const { remembered } = createChainLookups(external, limits);
  // Each wait in the line takes five seconds.
  for (const expected of [1, 2, 3]) {
    const needed = await remembered.fetchContractValues(asked).catch((error: unknown) => error);
    assert.ok(needed instanceof LookupNeededError);
    await needed.ask();
    assert.equal(questions, expected);
    now += 5_000;
  }
  assert.deepEqual(await remembered.fetchContractValues(asked), [3n]);
  assert.equal(questions, 3);
});

test('a request that needs three answers of slow nodes is decided', async () => {
  let now = 0;
  const slow = async () => {
    now += 30_000;
    return [];
  };
  const external = {
    fetchRewards: slow,
    fetchContractValues: slow,
    fetchEthereumFields: slow,
  } as unknown as ChainLookups;
  const limits = { clock: () => now, lifeMs: 1_000, maximum: 16 };
  const { remembered } = createChainLookups(external, limits);
  const changeLines = createChangeLines(() => now);
  const runConcurrently = createConcurrency({ holdTurnOf: () => () => undefined, changeLines });
  const request = { organizationId: 'own', dryRun: false, checkNotCancelled: undefined };
  const decided = await runConcurrently(request, async (mode, turn) => {
    turn.place = { rank: 'users', userId: 'alice', source: '' };
    if (mode === 'optimistic') return 'must_serialize';
    try {
      await remembered.fetchRewards({ caip2: 'eip155:1', address: '' });
      await remembered.fetchContractValues(asked);
      await remembered.fetchEthereumFields({} as never);
      return { isDecided: true };
    } catch (error) {
      assert.ok(error instanceof LookupNeededError);
      return { asksFirst: error.ask };
    }
  });
  assert.deepEqual(decided, { isDecided: true });
});

test('outside of the line an answer lives for its normal time', async () => {
  let now = 0;
  let questions = 0;
  const external = {
    fetchContractValues: () => {
      questions += 1;
      return Promise.resolve([]);
    },
  } as unknown as ChainLookups;
  const limits = { clock: () => now, lifeMs: 1_000, maximum: 16 };
  const { fetchContractValues } = createChainLookups(external, limits);
  await fetchContractValues(asked);
  now = 999;
  await fetchContractValues(asked);
  assert.equal(questions, 1);
  now = 1_000;
  await fetchContractValues(asked);
  assert.equal(questions, 2);
});

test('an organization has at most eight node calls and eight orders under way, and delays no other', async () => {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const waits = (name: string) => () => {
    begun.push(name);
    return new Promise<never>((resolve) => ends.push(() => resolve(undefined as never)));
  };
  const external = {
    chainAmounts: waits('amounts'),
    transactionCount: waits('count'),
    fetchContractValues: waits('values'),
    orderSignatures: waits('order'),
  } as unknown as ExternalServices;
  const boundTo = createBoundedServices();
  const own = boundTo(external, 'own');
  const order = { order: '', signature: new Uint8Array(0) };
  const calls: Promise<unknown>[] = [];
  for (let i = 0; i < 10; i += 1) {
    calls.push(own.chainAmounts('eip155:1', ''), own.transactionCount('eip155:1', ''));
    calls.push(own.fetchContractValues(asked), own.orderSignatures(order));
  }
  const countOf = (name: string) => begun.filter((each) => each === name).length;
  assert.equal(begun.length, 16);
  assert.equal(countOf('order'), 8);
  calls.push(boundTo(external, 'neighbour').transactionCount('eip155:1', ''));
  assert.equal(begun.length, 17);
  for (let ended = 0; ended < calls.length; ended += 1) {
    const end = ends[ended];
    assert(end !== undefined, 'a finished call starts the next call');
    end();
    await new Promise(setImmediate);
  }
  await Promise.all(calls);
  assert.equal(countOf('order'), 10);
});
