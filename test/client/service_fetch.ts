// The client library over a whole service in memory: what it would send goes to the enclave as it is.

import { apiKey, type Client, type Connection, connect } from '../../src/client/index.ts';
import { hex } from '../../src/core/base/bytes.ts';
import type { TestKey, TestService } from '../support/harness.ts';

/** A `fetch` that a test service answers. */
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

/** A client of a test service, as its root user or by another key, in its first organization or another. */
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

/** A stamp of a key that is the same in every run. */
export const stampOfTestKey = ({ publicKey, privateKey }: TestKey) =>
  apiKey({ apiPublicKey: publicKey, apiPrivateKey: hex(privateKey) });
