// The Model Context Protocol: JSON-RPC 2.0 messages about tools. These messages are the same in revisions
// 2024-11-05 to 2025-11-25.

import { isJsonObject, type JsonObject } from '../../core/schema/json.ts';
import { RpcError, type RpcServer, rpcServer } from '../service/json_rpc.ts';

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

export type ToolResult = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
};

export type Tools = {
  readonly list: readonly Tool[];
  /** Calls a tool. Resolves with undefined for an unknown tool, and with `isError` for a failed call. */
  call(name: string, parameters: JsonObject): Promise<ToolResult | undefined>;
};

export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Returns a server for these tools. */
export function mcpServer({
  tools,
  version,
  instructions,
}: {
  readonly tools: Tools;
  readonly version: string;
  readonly instructions: string;
}): RpcServer {
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
        throw new RpcError('invalidParams', 'expected a name and an object of arguments');
      }
      const result = await tools.call(name, parameters);
      if (result === undefined) throw new RpcError('invalidParams', `unknown tool ${name}`);
      return result;
    },
  };
  return rpcServer({
    run: async (method, params = {}) => {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (run === undefined) return undefined;
      if (!isJsonObject(params))
        throw new RpcError('invalidParams', 'expected an object of params');
      return run(params);
    },
  });
}
