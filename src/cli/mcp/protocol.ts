// The Model Context Protocol: JSON-RPC 2.0 messages about tools. Revisions 2024-11-05 to 2025-11-25 agree on
// the messages of this file.

import { isJsonObject, type JsonObject, parsedJson } from '../../core/schema/json.ts';

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
};

/** The result of a tool. Models read the text, and programs read the same value as JSON. */
export type ToolResult = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
};

export type Tools = {
  readonly list: readonly Tool[];
  /** Returns undefined for an unknown tool. Failures of a tool are results with `isError`. */
  call(name: string, parameters: JsonObject): Promise<ToolResult | undefined>;
};

/** The server of one client. */
export type McpServer = {
  /** Returns the answer to a message, or undefined for a notification. */
  answer(text: string): Promise<string | undefined>;
};

export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Codes of JSON-RPC 2.0, section 5.1. */
const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
} as const;

class ProtocolError extends Error {
  readonly code: keyof typeof codes;
  constructor(code: keyof typeof codes, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns a server that offers tools under the name and version of this program. */
export function mcpServer({
  tools,
  version,
  instructions,
}: {
  readonly tools: Tools;
  readonly version: string;
  readonly instructions: string;
}): McpServer {
  const methods: Readonly<Record<string, (params: JsonObject) => Promise<object> | object>> = {
    initialize: ({ protocolVersion: asked }) => ({
      protocolVersion: protocolVersions.find((known) => known === asked) ?? protocolVersions[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'keywright', title: 'Keywright', version },
      instructions,
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: tools.list }),
    'tools/call': async ({ name, arguments: parameters = {} }) => {
      if (typeof name !== 'string' || !isJsonObject(parameters)) {
        throw new ProtocolError('invalidParams', 'expected a name and an object of arguments');
      }
      const result = await tools.call(name, parameters);
      if (result === undefined) throw new ProtocolError('invalidParams', `unknown tool ${name}`);
      return result;
    },
  };
  return {
    answer: async (text) => {
      const message = parsedJson(text);
      if (message === undefined) return failure(null, 'parseError', 'the message is not JSON');
      if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') {
        return failure(null, 'invalidRequest', 'expected one object of JSON-RPC 2.0');
      }
      const { id, method, params = {} } = message;
      // A message without an id is a notification, and one without a method is an answer.
      if (id === undefined || method === undefined) return undefined;
      if (typeof id !== 'string' && typeof id !== 'number') {
        return failure(null, 'invalidRequest', 'expected an id that is a text or a number');
      }
      const run = typeof method === 'string' && Object.hasOwn(methods, method) && methods[method];
      if (!run) return failure(id, 'methodNotFound', `unknown method ${String(method)}`);
      if (!isJsonObject(params))
        return failure(id, 'invalidParams', 'expected an object of params');
      try {
        return JSON.stringify({ jsonrpc: '2.0', id, result: await run(params) });
      } catch (error) {
        if (error instanceof ProtocolError) return failure(id, error.code, error.message);
        throw error;
      }
    },
  };
}

const failure = (id: string | number | null, code: keyof typeof codes, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: codes[code], message } });
