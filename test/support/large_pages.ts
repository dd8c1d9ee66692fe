// Creates many activities of several megabytes, and requests all of them at once: pages of deliveries with
// bodies, pages of activities, and single activities whose responses are not read.

import { connect as connectTo, type Socket } from 'node:net';
import { type Client, connect } from '../../src/client/connect.ts';
import { apiKey } from '../../src/client/stamps.ts';

/** The service, and a user who may sign. */
export type LargePagesTarget = {
  readonly url: string;
  readonly organizationId: string;
  readonly key: { readonly apiPublicKey: string; readonly apiPrivateKey: string };
};

const payloadCharacters = 3_800_000;

export type LargePages = {
  /** Activity ids, oldest first. */
  readonly activityIds: readonly string[];
  /** Fetches all deliveries with bodies and headers, page by page. Returns their numbers. */
  readDeliveries(): Promise<readonly number[]>;
  /** Lists the activities in this number of concurrent requests. Returns the response statuses. */
  listAtOnce(times: number): Promise<readonly number[]>;
  /** Lists all activities, page by page. Returns their ids, newest first. */
  listAll(): Promise<readonly string[]>;
  /** Requests one activity on each connection, and reads no response. */
  leaveUnread(connections: number): Promise<readonly Socket[]>;
};

/** Signs `count` payloads of 3.8 MB in an organization with a webhook endpoint. */
export async function createLargePages(
  { url, organizationId, key }: LargePagesTarget,
  count: number,
): Promise<LargePages> {
  const client = connect({ url, organizationId, stamp: await apiKey(key) });
  const { endpointId } = await client.submit('create_webhook_endpoint', {
    name: 'large pages',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
  const signWith = await addressOf(client);
  const activityIds: string[] = [];
  for (let i = 0; i < count; i += 1) activityIds.push(await signLarge(client, signWith, i));
  return {
    activityIds,
    readDeliveries: async () => {
      const numbers: number[] = [];
      for (;;) {
        const { deliveries, lastSequence } = await client.query('list_webhook_deliveries', {
          endpointId,
          afterSequence: String(numbers.at(-1) ?? 0),
          limit: '100',
          withBodies: true,
          withHeaders: true,
        });
        numbers.push(...deliveries.map(({ sequence }) => Number(sequence)));
        if (deliveries.length === 0 || numbers.at(-1) === Number(lastSequence)) return numbers;
      }
    },
    listAtOnce: async (times) => {
      const page = { paginationOptions: { limit: '100' } };
      const { url: to, headers, body } = await client.stamped('query', 'list_activities', page);
      const ask = async () => {
        const { status, body: answer } = await fetch(to, { method: 'POST', headers, body });
        for await (const _ of answer ?? []);
        return status;
      };
      return Promise.all(Array.from({ length: times }, ask));
    },
    listAll: async () => {
      const ids: string[] = [];
      for (let after: string | undefined; ; ) {
        const paginationOptions = { limit: '100', ...(after === undefined ? {} : { after }) };
        const page = await client.query('list_activities', { paginationOptions });
        ids.push(...page.activities.map(({ id }) => String(id)));
        if (page.truncated !== true) return ids;
        after = page.nextCursor;
      }
    },
    leaveUnread: async (connections) => {
      const activityId = activityIds.at(-1) ?? '';
      const sent = await client.stamped('query', 'get_activity', { activityId });
      return Promise.all(Array.from({ length: connections }, () => leaveUnread(url, sent)));
    },
  };
}

async function addressOf(client: Client): Promise<string> {
  const { addresses } = await client.submit('create_wallet', {
    walletName: `large pages ${Date.now()}`,
    accounts: [client.account('ethereum')],
  });
  return addresses[0] ?? '';
}

/** Signs with a request whose response is dropped, so that only the service holds it in memory. */
async function signLarge(client: Client, signWith: string, i: number): Promise<string> {
  const { url, headers, body } = await client.stamped('submit', 'sign_raw_payload', {
    signWith,
    payload: `${i}`.padStart(payloadCharacters, '0'),
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  });
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`a signature was refused: ${text.slice(0, 200)}`);
  return /"id":"([^"]+)"/.exec(text)?.[1] ?? '';
}

/** Sends a request and reads no response. Resolves once the response has begun. */
function leaveUnread(
  url: string,
  sent: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  },
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const { pathname } = new URL(sent.url);
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Content-Length: ${Buffer.byteLength(sent.body)}`,
    ...Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return new Promise((resolve) => {
    const socket = connectTo({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(socket));
    socket.once('readable', () => resolve(socket));
    socket.write(`${lines.join('\r\n')}\r\n\r\n${sent.body}`);
  });
}
