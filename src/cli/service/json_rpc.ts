// Servers of JSON-RPC 2.0.

import { isJsonObject, type Json, parsedJson } from '../../core/schema/json.ts';

/** Error codes of JSON-RPC 2.0 (section 5.1) and EIP-1193. */
const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unauthorized: 4100,
} as const;

/** An error that the caller receives with its code. Other errors are internal. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: keyof typeof codes | number, message: string) {
    super(message);
    this.code = typeof code === 'number' ? code : codes[code];
  }
}

export type RpcServer = {
  /** Returns the answer to a message; undefined for a notification. Throws internal errors. */
  answer(text: string): Promise<string | undefined>;
};

export type RpcMethods = {
  /** Runs a method. Resolves with undefined for an unknown method. */
  readonly run: (method: string, params: Json | undefined) => Promise<Json | object | undefined>;
  /** Maximum calls in a batch. Default: batches are rejected. */
  readonly maximumBatch?: number;
};

/** Returns a server for these methods. */
export function rpcServer({ run, maximumBatch = 0 }: RpcMethods): RpcServer {
  const answerTo = async (message: Json | undefined): Promise<string | undefined> => {
    if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') {
      return failure(null, codes.invalidRequest, 'expected one object of JSON-RPC 2.0');
    }
    const { id, method, params } = message;
    // A message without an id is a notification; a message without a method is an answer.
    if (id === undefined || method === undefined) return undefined;
    if (typeof id !== 'string' && typeof id !== 'number') {
      return failure(null, codes.invalidRequest, 'expected an id that is a text or a number');
    }
    try {
      const result = typeof method === 'string' ? await run(method, params) : undefined;
      if (result !== undefined) return JSON.stringify({ jsonrpc: '2.0', id, result });
      return failure(id, codes.methodNotFound, `unknown method ${shownText(method)}`);
    } catch (error) {
      if (error instanceof RpcError) return failure(id, error.code, error.message);
      // The stack does not suffice for these values. Another error ends the command.
      if (!(error instanceof RangeError)) throw error;
      return failure(id, codes.invalidParams, 'expected values with less nesting');
    }
  };
  return {
    answer: async (text) => {
      const message = parsedJson(text);
      if (message === undefined) {
        return failure(null, codes.parseError, 'the message is not JSON');
      }
      const isBatch = Array.isArray(message) && message.length > 0;
      if (!isBatch || message.length > maximumBatch) {
        return await answerTo(message);
      }
      const answers = [];
      for (const each of message) answers.push((await answerTo(each)) ?? []);
      const answered = answers.flat();
      return answered.length === 0 ? undefined : `[${answered.join(',')}]`;
    },
  };
}

/** Returns a text for a message. Other values may be nested too deeply for a conversion, or have none. */
export const shownText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : `of type ${typeof value}`;

const failure = (id: string | number | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
