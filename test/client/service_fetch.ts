// The client library over a whole service in memory. Its requests reach the enclave unchanged.

import { apiKey, type Client, type Connection, connect } from '../../src/client/index.ts';
import { hex } from '../../src/core/base/bytes.ts';
import type { TestKey, TestService } from '../support/harness.ts';

/** Returns a `fetch` that a test service answers. */
export function fetchOf(service: TestService): typeof fetch {
  return async (url, { headers, body } = {}) => {
    const [, kind, operation] = /\/public\/v1\/(submit|query)\/(\w+)$/.exec(String(url)) ?? [];
    if ((kind !== 'submit' && kind !== 'query') || operation === undefined) {
      throw new TypeError(`no path of the API: ${String(url)}`);
    }
    const sent = Object.entries(headers ?? {}).map(([name, value]) => ({ name, value }));
    const bytes = new TextEncoder().encode(String(body));
    const answer = await service.send(kind, operation, bytes, sent);
    return new Response(JSON.stringify(answer.body), { status: answer.status });
  };
}

/** Creates a client of a test service, by default for its root user and its first organization. */
export async function clientOf(
  service: TestService,
  by: { readonly key?: TestKey } & Partial<Connection> = {},
): Promise<Client> {
  const { key = service.root.key, organizationId = service.root.organizationId, ...world } = by;
  return connect({
    url: 'http://service.test/',
    organizationId,
    stamp: await stampOfTestKey(key),
    fetch: fetchOf(service),
    now: service.now,
    pause: async () => {},
    ...world,
  });
}

/** Returns a stamp with a key that is the same in every run. */
export const stampOfTestKey = ({ publicKey, privateKey }: TestKey) =>
  apiKey({ apiPublicKey: publicKey, apiPrivateKey: hex(privateKey) });
