import type { RpcServer } from '../service/json_rpc.ts';
import { isSameSecret, type LocalServer } from '../service/local_http.ts';

/**
 * Returns an HTTP server with a secret path. Clients of signers can be configured with a URL but not with a
 * token.
 */
export function overHttp(server: RpcServer, path: string): LocalServer {
  return {
    refusal: ({ method, path: asked }) => {
      if (!isSameSecret(asked, path)) return 404;
      return method === 'POST' ? undefined : 405;
    },
    answer: async (_, message) => {
      const body = await server.answer(message);
      return { status: body === undefined ? 204 : 200, body };
    },
  };
}
