import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { openApiOnThread } from '../../src/gateway/http/openapi_thread.ts';
import { openApiDocument } from '../../src/operations/openapi/openapi.ts';

test('the OpenAPI document is made beside the thread that answers requests', async () => {
  const baseUrl = 'http://127.0.0.1:1';
  const before = performance.eventLoopUtilization();
  const bytes = await openApiOnThread(baseUrl);
  // Most of the time this thread waits: all of the work is the other's.
  const { active, idle } = performance.eventLoopUtilization(before);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes)), openApiDocument(baseUrl));
  assert.ok(active < idle, `${active} ms of work, ${idle} ms of waiting`);
});
