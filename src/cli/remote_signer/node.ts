// The node behind a signer. It answers methods that need no signature, and broadcasts signed transactions.

import { fillLimits } from '../../core/chains/ethereum/fill_limits.ts';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../../core/schema/json.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import { RpcError, shownText } from '../service/json_rpc.ts';
import { reasonOf } from '../service/unreachable.ts';
import { quantityOf } from './transaction.ts';

/** Calls a method of a node. Throws the error of the node, or `internalError` if it does not answer. */
export type NodeCall = (method: string, params: readonly Json[]) => Promise<Json>;

/** Returns true for methods that are forwarded: all except those that use accounts of the node. */
export const isOfNode = (method: string): boolean =>
  /^(eth|net|web3)_[A-Za-z0-9]+$/.test(method) &&
  !/^eth_(sign|resend|send(?!RawTransaction$))/.test(method);

/** Returns a client for the node at a URL. */
export function nodeAt(url: string): NodeCall {
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    let answer: Json | undefined;
    try {
      const response = await fetchDocument(url, { method: 'POST', headers, body });
      answer = parsedJson(await response.text());
    } catch (error) {
      throw new RpcError('internalError', `the node cannot be reached: ${reasonOf(error)}`);
    }
    const { result, error } = isJsonObject(answer) ? answer : {};
    if (isJsonObject(error)) {
      const { code, message } = error;
      throw new RpcError(
        Number.isInteger(code) ? Number(code) : 'internalError',
        shownText(message),
      );
    }
    if (result === undefined) throw new RpcError('internalError', `the node gave no ${method}`);
    return result;
  };
}

/**
 * Creates the function that fills in a missing chain id, nonce, gas limit and fees from the node. It throws
 * `invalidParams` if the transaction names another chain than the node, if it names none and the node has
 * changed its chain, or if the node asks for a higher price than `fillLimits` allows.
 */
export function filling(call: NodeCall): (transaction: JsonObject) => Promise<JsonObject> {
  let first: Json | undefined;
  return async (transaction) => {
    const chainId = await call('eth_chainId', []);
    // A transaction without a chain id must not land on another chain than the transactions before it.
    first ??= chainId;
    if ((transaction['chainId'] ?? first) !== chainId) {
      throw new RpcError(
        'invalidParams',
        `chainId: the node is of the chain ${shownText(chainId)}`,
      );
    }
    const { from = null, gas, gasLimit } = transaction;
    const nonce =
      transaction['nonce'] ?? (await call('eth_getTransactionCount', [from, 'pending']));
    const limit = gas ?? gasLimit ?? (await call('eth_estimateGas', [transaction]));
    const { gasLimit: _, ...others } = transaction;
    const fees = await feesOf(transaction, call);
    const whole = { ...others, ...fees, chainId, nonce, gas: limit };
    requireFairPrice(transaction, whole);
    return whole;
  };
}

/** Throws `invalidParams` if a price from the node exceeds the bounds that the service uses for sends. */
function requireFairPrice(given: JsonObject, whole: JsonObject): void {
  const priced = (name: string) => quantityOf(whole[name]) ?? 0n;
  const isNamed = (...names: readonly string[]) => names.some((name) => given[name] !== undefined);
  const refuse = (name: string, text: string): never => {
    throw new RpcError(
      'invalidParams',
      `${name}: expected a value, since the node suggests ${text}`,
    );
  };
  const { gas: mostGas, maxFeePerGas: mostFee, total } = fillLimits;
  const gas = priced('gas');
  const hasGas = isNamed('gas', 'gasLimit');
  if (!hasGas && gas > mostGas) refuse('gas', `${gas}`);
  for (const name of ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas']) {
    if (!isNamed(name) && priced(name) > mostFee) refuse(name, `${priced(name)} wei`);
  }
  const fee = priced('gasPrice') + priced('maxFeePerGas');
  const hasFee = isNamed('gasPrice', 'maxFeePerGas');
  if (!(hasGas && hasFee) && gas * fee > total) refuse('gas', `${gas} at ${fee} wei`);
}

async function feesOf(transaction: JsonObject, call: NodeCall): Promise<JsonObject> {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, type } = transaction;
  if (gasPrice !== undefined) return {};
  if (type === '0x0' || type === '0x1') return { gasPrice: await call('eth_gasPrice', []) };
  const tip = maxPriorityFeePerGas ?? (await call('eth_maxPriorityFeePerGas', []));
  if (maxFeePerGas !== undefined) return { maxPriorityFeePerGas: tip };
  const block = await call('eth_getBlockByNumber', ['latest', false]);
  const base = quantityOf(isJsonObject(block) ? block['baseFeePerGas'] : undefined);
  const priority = quantityOf(tip);
  if (base === undefined || priority === undefined) {
    throw new RpcError(
      'invalidParams',
      'maxFeePerGas is missing, and the node reports no base fee',
    );
  }
  // Twice the base fee is enough for six full blocks.
  const most = 2n * base + priority;
  return { maxPriorityFeePerGas: tip, maxFeePerGas: `0x${most.toString(16)}` };
}
