// Batches concurrent JSON-RPC calls, so that many transactions take few requests.

import { ChainFault, type RpcCall } from '../../core/balances/node_answer.ts';
import type { Outbound } from '../outbound/outbound.ts';
import {
  callsAtOnce,
  type JsonRpc,
  type Limits,
  listsOf,
  postCalls,
  type Reply,
  resultOf,
} from './json_rpc.ts';

/** Maximum concurrent requests to a node without batch support. */
const singlesAtOnce = 8;

type Waiting = RpcCall & {
  readonly characters: number;
  readonly outcome: PromiseWithResolvers<unknown>;
};

/**
 * Creates batched calls to a node: calls of one turn of the event loop are sent together, and equal calls
 * once. A node without batch support receives single calls. Batches become smaller after a timeout or a
 * response that is too large.
 */
export function createGatheredJsonRpc(
  url: string,
  send: Outbound['send'],
  limits: Limits,
): JsonRpc {
  let gathered = new Map<string, Waiting>();
  let most = callsAtOnce;
  let takesLists = true;

  const post = (calls: readonly RpcCall[]) => postCalls({ url, send, limits }, calls);

  async function askTogether(calls: readonly Waiting[]): Promise<void> {
    if (calls.length === 1 || !takesLists) return await askEach(calls);
    const reply = await post(calls);
    if (reply === 'too_large') {
      most = Math.max(1, Math.floor(calls.length / 2));
      return await askAll(calls);
    }
    if (reply === 'timeout') most = Math.max(1, Math.floor(calls.length / 2));
    else most = Math.min(callsAtOnce, most + 1);
    if (typeof reply === 'object' && !Array.isArray(reply.answer)) {
      takesLists = false;
      return await askEach(calls);
    }
    answerCalls(calls, reply);
  }

  async function askEach(calls: readonly Waiting[]): Promise<void> {
    for (let first = 0; first < calls.length; first += singlesAtOnce) {
      const some = calls.slice(first, first + singlesAtOnce);
      await Promise.all(some.map(async (call) => answerCalls([call], await post([call]))));
    }
  }

  async function askAll(calls: readonly Waiting[]): Promise<void> {
    for (const list of listsOf(calls, most)) await askTogether(list);
  }

  function flush(): void {
    const calls = [...gathered.values()];
    gathered = new Map();
    askAll(calls).catch((error) => {
      for (const call of calls) call.outcome.reject(error);
    });
  }

  return (method, params) => {
    const key = JSON.stringify([method, params]);
    if (gathered.size === 0) setImmediate(flush);
    const outcome = Promise.withResolvers<unknown>();
    const made = { method, params, characters: key.length, outcome };
    return gathered.getOrInsertComputed(key, () => made).outcome.promise;
  };
}

/** Passes its own result or fault to each call. */
function answerCalls(calls: readonly Waiting[], reply: Reply): void {
  for (const [id, { method, outcome }] of calls.entries()) {
    try {
      if (typeof reply === 'string') throw new ChainFault(`${method}: ${reply}`);
      outcome.resolve(resultOf(method, reply.byId.get(id), id));
    } catch (error) {
      outcome.reject(error);
    }
  }
}
