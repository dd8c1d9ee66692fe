// JSON-RPC 2.0 over HTTP to the operator's nodes.

import { ChainFault, type Question, type RpcCall } from '../../core/balances/node_answer.ts';
import { textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import type { Outbound } from '../outbound/outbound.ts';

export type Limits = { readonly timeoutMs: number; readonly maximumBytes: number };

/** For a full block of the largest chains with its receipts, which takes a few megabytes. */
const blockLimits: Limits = { timeoutMs: 30_000, maximumBytes: 64 * 1024 * 1024 };
/** For balances, which are small, while a client waits. */
const questionLimits: Limits = { timeoutMs: 10_000, maximumBytes: 4 * 1024 * 1024 };
/** For receipts of transactions, which may be long. A slower node is queried again later. */
export const lookLimits: Limits = { timeoutMs: 5_000, maximumBytes: 32 * 1024 * 1024 };
/** Maximum calls in one request; some nodes reject more than a hundred. */
export const callsAtOnce = 50;
/** Maximum size of one request; nodes reject large ones. */
const mostCharacters = 512 * 1024;

/** Returns the result of a call. Raises `ChainFault` with the problem, without the address. */
export type JsonRpc = (method: string, parameters: readonly unknown[]) => Promise<unknown>;

export function createJsonRpc(
  url: string,
  send: Outbound['send'],
  limits: Limits = blockLimits,
): JsonRpc {
  let serial = 0;
  return async (method, params) => {
    serial += 1;
    const id = serial;
    const answer = await post({ url, send, limits, method }, { id, method, params });
    return resultOf(method, membersOf(answer), id);
  };
}

/** Sends a question in as few requests as possible. Raises `ChainFault`. */
export async function ask<Answer>(
  { calls, read }: Question<Answer>,
  url: string,
  send: Outbound['send'],
): Promise<Answer> {
  return read((await askEach(calls, url, send)).map((resultOfCall) => resultOfCall()));
}

/**
 * Sends calls in batches. Returns a function for each call, which returns its result or raises the
 * `ChainFault` of its refusal. Raises `ChainFault` if the node does not answer.
 */
export async function askEach(
  calls: readonly RpcCall[],
  url: string,
  send: Outbound['send'],
): Promise<readonly (() => unknown)[]> {
  const results: (() => unknown)[] = [];
  const sized = calls.map((call) => ({ ...call, characters: JSON.stringify(call).length }));
  for (const list of listsOf(sized, callsAtOnce)) {
    const some = list.map(({ method, params }) => ({ method, params }));
    results.push(...(await answersTo(some, url, send)));
  }
  return results;
}

/** Splits calls into batches that nodes accept in one request. */
export function listsOf<Call extends { readonly characters: number }>(
  calls: readonly Call[],
  most: number,
): readonly (readonly Call[])[] {
  const lists: Call[][] = [];
  let characters = 0;
  for (const call of calls) {
    const last = lists.at(-1);
    characters += call.characters;
    if (last === undefined || last.length >= most || characters > mostCharacters) {
      lists.push([call]);
      characters = call.characters;
    } else last.push(call);
  }
  return lists;
}

/** Sends one batch; returns the same as `askEach`. */
async function answersTo(
  calls: readonly RpcCall[],
  url: string,
  send: Outbound['send'],
): Promise<readonly (() => unknown)[]> {
  const method = calls[0]?.method ?? '';
  const bodies = calls.map((call, id) => ({ id, ...call }));
  const answer = await post({ url, send, limits: questionLimits, method }, bodies);
  // A node without batch support rejects the whole batch with one error.
  if (!Array.isArray(answer)) return [() => resultOf(method, membersOf(answer), undefined)];
  // Answers may come in any order.
  const byId = new Map(answer.map(membersOf).map((each) => [each?.['id'], each]));
  return calls.map((call, id) => () => resultOf(call.method, byId.get(id), id));
}

/** The response of a node, whole and by call id; or the reason for its absence. */
export type Reply =
  | {
      readonly answer: unknown;
      readonly byId: ReadonlyMap<unknown, Readonly<Record<string, unknown>> | undefined>;
    }
  | string;

/** Sends one request: a batch, or a single call. */
export async function postCalls(
  { url, send, limits }: { url: string; send: Outbound['send']; limits: Limits },
  calls: readonly RpcCall[],
): Promise<Reply> {
  const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
  const [first] = bodies;
  const answer = await send({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: utf8(JSON.stringify(bodies.length === 1 ? first : bodies)),
    ...limits,
  });
  if ('failure' in answer) return answer.failure;
  if (answer.status !== 200) return answer.status === 413 ? 'too_large' : `status ${answer.status}`;
  const read = jsonOf(answer.body);
  const each = Array.isArray(read) ? read.map(membersOf) : [membersOf(read)];
  // Answers may come in any order.
  return { answer: read, byId: new Map(each.map((one) => [one?.['id'], one])) };
}

async function post(
  to: { url: string; send: Outbound['send']; limits: Limits; method: string },
  calls: (RpcCall & { id: number }) | readonly (RpcCall & { id: number })[],
): Promise<unknown> {
  const { url, send, limits, method } = to;
  const versioned = (call: object) => ({ jsonrpc: '2.0', ...call });
  const body = Array.isArray(calls) ? calls.map(versioned) : versioned(calls);
  const answer = await send({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: utf8(JSON.stringify(body)),
    ...limits,
  });
  if ('failure' in answer) throw new ChainFault(`${method}: ${answer.failure}`);
  if (answer.status !== 200) throw new ChainFault(`${method}: status ${answer.status}`);
  return jsonOf(answer.body);
}

export function resultOf(
  method: string,
  answer: Readonly<Record<string, unknown>> | undefined,
  id: number | undefined,
): unknown {
  const error = answer?.['error'] ?? undefined;
  if (answer === undefined || (answer['id'] !== id && error === undefined)) {
    throw new ChainFault(`${method}: the answer is not JSON-RPC`);
  }
  if (error !== undefined) {
    const code = codeOf(error);
    throw new ChainFault(`${method}: refused with code ${code ?? 'unknown'}`, code, dataOf(error));
  }
  return answer['result'];
}

function jsonOf(body: Uint8Array): unknown {
  try {
    const text = textOfUtf8(body) ?? '';
    // The reviver is slow and rarely needed.
    return longNumber.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const longNumber = /[[:,]\s*[0-9]{16}/;

/** Returns integers outside of the safe range as `bigint`. */
function exactly(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return isRounded && /^[0-9]{1,20}$/.test(source ?? '') ? BigInt(source ?? '') : value;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

/** Returns the data of an error if it is hex; nodes also use other forms. */
function dataOf(error: unknown): string | undefined {
  const data = membersOf(error)?.['data'];
  return typeof data === 'string' && /^0x[0-9a-fA-F]{0,8192}$/.test(data) ? data : undefined;
}

function codeOf(error: unknown): number | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'number' ? code : undefined;
}
