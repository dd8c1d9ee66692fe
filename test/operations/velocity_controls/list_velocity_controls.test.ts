import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { describedControl, makeControl } from './velocity_control_requests.ts';

const operation = 'list_velocity_controls';

test('list_velocity_controls: lists controls as they were created, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ids = [await makeControl(service), await makeControl(service, { identifier: 'second' })];
  const answer = await checkQuery(service, {
    operation,
    body: { paginationOptions: { limit: '2' } },
    optional: ['paginationOptions'],
    malformed: [
      { field: 'paginationOptions.limit', parameters: { paginationOptions: { limit: '101' } } },
    ],
  });
  const [first, second] = answer.velocityControls;
  const { name, identifier, dataSource, aggregation } = first;
  assert.deepEqual({ name, identifier, dataSource, aggregation }, describedControl());
  assert.deepEqual(
    [first, second].map(({ velocityControlId }) => velocityControlId),
    ids,
  );
  assert.deepEqual(answer.pageInfo, {
    hasNextPage: false,
    hasPreviousPage: false,
    startCursor: ids[0],
    endCursor: ids[1],
  });
});

test('list_velocity_controls: lists controls in pages', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const page = async (paginationOptions: object) => {
    const { body } = await service.query(operation, { paginationOptions });
    return {
      ids: body.velocityControls.map((one: { velocityControlId: string }) => one.velocityControlId),
      pageInfo: body.pageInfo,
    };
  };
  assert.deepEqual(await page({}), {
    ids: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false },
  });
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.push(await makeControl(service, { identifier: `c${i}` }));
  assert.deepEqual(await page({ limit: '1', after: ids[0] }), {
    ids: [ids[1]],
    pageInfo: {
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: ids[1],
      endCursor: ids[1],
    },
  });
});
