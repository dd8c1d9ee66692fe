// Callers that wait for news (`Prefer: wait`) at one of two nodes while the other causes the news.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { canStartPostgres, newDatabase, startPostgresServer } from '../store/postgres_server.ts';
import { type ApiKeyPair, httpClient, newApiKey, serverClient, timestampMs } from './clients.ts';
import { type RunningService, until } from './service.ts';
import { newCustomer, post, stampSignature, startNodes } from './two_nodes.ts';

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());
  const nodes = await startNodes(await newDatabase(server.url), undefined, {
    KEYWRIGHT_METRICS_PORT: '0',
  });
  const [first, second] = nodes;
  after(() => Promise.all(nodes.map((node) => node.stop())));

  type Waited = { status: number; applied: string | null; activities: readonly { id: string }[] };

  /** Requests activities newer than one, and waits for them. */
  async function waitAt(
    node: RunningService,
    client: ReturnType<typeof httpClient>,
    query: { readonly organizationId: string; readonly before: string },
  ): Promise<Waited> {
    const { organizationId, before } = query;
    const { body, stamp } = await client.stampGetActivities({
      organizationId,
      paginationOptions: { before },
    });
    const response = await fetch(`${node.baseUrl}/public/v1/query/list_activities`, {
      method: 'POST',
      headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue, prefer: 'wait=25' },
      body,
    });
    const { activities = [] } = (await response.json()) as Partial<Waited>;
    const { status, headers } = response;
    return { status, applied: headers.get('preference-applied'), activities };
  }

  /** Waits until a node holds one request. Later activities are news for its caller. */
  async function untilHeld({ output }: RunningService): Promise<void> {
    await until('a request is held', async () => {
      const metrics = /"metricsUrl":"([^"]+)"/.exec(output().stdout)?.[1];
      const text = await (await fetch(`${metrics}/metrics`)).text();
      return /^keywright_requests_held 1$/m.test(text);
    });
  }

  const newest = async (organizationId: string, node: RunningService, key?: ApiKeyPair) => {
    const { activities } = await httpClient(node, key).getActivities({ organizationId });
    return activities[0]?.id ?? '';
  };

  test('a waiting caller at either node gets signatures of both', async () => {
    const customer = await newCustomer(first);
    const { organizationId, owner } = customer;
    for (const [here, there] of [
      [first, first],
      [first, second],
      [second, first],
    ] as const) {
      const before = await newest(organizationId, here, owner);
      const waiting = waitAt(here, httpClient(here, owner), { organizationId, before });
      await untilHeld(here);
      const signed = await post(await stampSignature(there, customer), there);
      assert.equal(signed.status, 200, signed.text);
      const { id } = JSON.parse(signed.text).activity;
      const answer = await waiting;
      assert.equal(answer.applied, 'wait');
      assert.deepEqual(
        answer.activities.map((activity) => activity.id),
        [id],
      );
    }
  });

  test('a caller whose credential the other node deletes gets no news', async () => {
    const { organizationId } = first.credentials;
    const key = newApiKey();
    const { userIds } = await serverClient(first).createUsers({
      timestampMs: timestampMs(),
      users: [
        {
          userName: 'Waits',
          userTags: [],
          apiKeys: [
            {
              apiKeyName: 'Key',
              publicKey: key.apiPublicKey,
              curveType: 'API_KEY_CURVE_P256',
            },
          ],
          authenticators: [],
          oauthProviders: [],
        },
      ],
    });
    const before = await newest(organizationId, first);
    const waiting = waitAt(first, httpClient(first, key), { organizationId, before });
    await untilHeld(first);
    await serverClient(second).deleteUsers({ timestampMs: timestampMs(), userIds });
    const { status, activities } = await waiting;
    assert.equal(status, 401);
    assert.deepEqual(activities, []);
  });
}
