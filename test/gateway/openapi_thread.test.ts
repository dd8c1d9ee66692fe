import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { openApiOnThread } from '../../src/gateway/http/openapi_thread.ts';
import { openApiDocument } from '../../src/operations/openapi/openapi.ts';

test('the OpenAPI document is generated outside of the thread that answers requests', async () => {
  const baseUrl = 'http://127.0.0.1:1';
  const before = performance.eventLoopUtilization();
  const bytes = await openApiOnThread(baseUrl);
  // This thread mostly waits, since the other thread does the work.
  const { active, idle } = performance.eventLoopUtilization(before);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes)), openApiDocument(baseUrl));
  assert.ok(active < idle, `${active} ms of work, ${idle} ms of waiting`);
});
