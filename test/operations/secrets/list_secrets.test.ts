import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { makeSecret } from './secret_requests.ts';

const operation = 'list_secrets';

test('list_secrets: lists the properties of each secret, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const staticProperties = [{ key: 'kind', value: 'card' }];
  const first = await makeSecret(service, 'hidden text', { name: 'First', staticProperties });
  const createdAtMs = service.now();
  const second = await makeSecret(service, 'hidden text');
  const paginationOptions = { limit: '2' };
  const malformed = [
    {
      field: 'paginationOptions.limit',
      parameters: { paginationOptions: { limit: '101' } },
    },
  ];
  const optional = ['paginationOptions'];
  const answer = await checkQuery(service, {
    operation,
    body: { paginationOptions },
    optional,
    malformed,
  });
  const [shown, plain] = answer.secrets;
  assert.deepEqual(Object.keys(answer), ['secrets']);
  assert.deepEqual(shown, {
    secretId: first,
    name: 'First',
    staticProperties,
    createdAtUnixMs: String(createdAtMs),
  });
  assert.deepEqual(Object.keys(plain), ['secretId', 'staticProperties', 'createdAtUnixMs']);
  assert.equal(plain.secretId, second);
});

test('list_secrets: lists pages in both directions', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ids: string[] = [];
  for (let i = 0; i < 12; i += 1) ids.push(await makeSecret(service, `${i}`));
  const page = async (paginationOptions?: object) => {
    const body = paginationOptions === undefined ? {} : { paginationOptions };
    const answer = await service.query(operation, body);
    return answer.body.secrets.map(({ secretId }: { secretId: string }) => secretId);
  };
  assert.deepEqual(await page(), ids.slice(0, 10));
  assert.deepEqual(await page({ limit: '5', after: ids[3]?.toUpperCase() }), ids.slice(4, 9));
  assert.deepEqual(await page({ limit: '3', before: ids[8] }), ids.slice(5, 8));
  assert.deepEqual(await page({ after: ids[1], before: ids[4] }), ids.slice(2, 4));
  assert.deepEqual(await page({ after: ids[11] }), []);
});
