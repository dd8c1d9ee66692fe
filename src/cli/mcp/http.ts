// The HTTP transport: each POST contains one message, and its response contains the answer. There are no
// server messages, so it needs no streams.

import type { RpcServer } from '../service/json_rpc.ts';
import { isSameSecret, type LocalServer } from '../service/local_http.ts';
import { protocolVersions } from './protocol.ts';

export const mcpPath = '/mcp';

/** Returns an HTTP server that requires the bearer token in each request. */
export function mcpOverHttp(server: RpcServer, token: string): LocalServer {
  return {
    refusal: ({ method, path, headers }) => {
      if (!isSameSecret(headers.authorization ?? '', `Bearer ${token}`)) return 401;
      if (path !== mcpPath) return 404;
      if (method !== 'POST') return 405;
      const version = headers['mcp-protocol-version'];
      const isKnown = version === undefined || protocolVersions.some((known) => known === version);
      return isKnown ? undefined : 400;
    },
    answer: async (_, message) => {
      const body = await server.answer(message);
      return { status: body === undefined ? 202 : 200, body };
    },
  };
}
