// The node behind a signer. It answers methods that need no signature, and broadcasts signed transactions.

import { isJsonObject, type Json, type JsonObject, parsedJson } from '../../core/schema/json.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import { RpcError } from '../service/json_rpc.ts';
import { reasonOf } from '../service/unreachable.ts';
import { quantityOf } from './transaction.ts';

/** Calls a method of a node. Throws the error of the node, or `internalError` if it does not answer. */
export type NodeCall = (method: string, params: readonly Json[]) => Promise<Json>;

/** Returns true for methods that are forwarded: all except those that use accounts of the node. */
export const isOfNode = (method: string): boolean =>
  /^(eth|net|web3)_[A-Za-z0-9]+$/.test(method) &&
  !/^eth_(sign|send(?!RawTransaction$))/.test(method);

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
      throw new RpcError(Number.isInteger(code) ? Number(code) : 'internalError', String(message));
    }
    if (result === undefined) throw new RpcError('internalError', `the node gave no ${method}`);
    return result;
  };
}

/**
 * Fills in a missing chain id, nonce, gas limit and fees from the node. Throws `invalidParams` if the chain
 * id differs from the node.
 */
export async function filled(transaction: JsonObject, call: NodeCall): Promise<JsonObject> {
  const chainId = await call('eth_chainId', []);
  if ((transaction['chainId'] ?? chainId) !== chainId) {
    throw new RpcError('invalidParams', `chainId: the node is of the chain ${String(chainId)}`);
  }
  const { from = null, gas, gasLimit } = transaction;
  const nonce = transaction['nonce'] ?? (await call('eth_getTransactionCount', [from, 'pending']));
  const limit = gas ?? gasLimit ?? (await call('eth_estimateGas', [transaction]));
  const { gasLimit: _, ...others } = transaction;
  return { ...others, ...(await feesOf(transaction, call)), chainId, nonce, gas: limit };
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
