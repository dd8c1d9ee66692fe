// The service that benchmarks measure is started as `npm start` starts it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../bench/service.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';

test('a benchmark starts its service', async (t) => {
  const directory = temporaryDirectory();
  t.after(() => directory.remove());
  const service = await startService(directory.path);
  assert((await fetch(`http://127.0.0.1:${service.port}/health/ready`)).ok);
  await service.stop();
});
