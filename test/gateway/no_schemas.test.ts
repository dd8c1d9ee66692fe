import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { fastify } from 'fastify';
import { noSchemas } from '../../src/gateway/base/no_schemas.ts';

/** Starts a server in a thread, which has its own modules; returns the loaded schema packages. */
async function packagesLoadedWith(options: string): Promise<readonly string[]> {
  const thread = `
    import { createRequire } from 'node:module';
    import { parentPort } from 'node:worker_threads';
    import { fastify } from ${JSON.stringify(import.meta.resolve('fastify'))};
    import { noSchemas } from ${JSON.stringify(import.meta.resolve('../../src/gateway/base/no_schemas.ts'))};
    const app = fastify(${options});
    app.get('/', async () => ({}));
    await app.inject('/');
    const files = Object.keys(createRequire(${JSON.stringify(import.meta.url)}).cache);
    const names = files.flatMap((file) => /\\/(ajv|fast-json-stringify-compiler)\\//.exec(file)?.[1] ?? []);
    parentPort.postMessage([...new Set(names)].sort());`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(thread)}`);
  const [names] = await once(new Worker(url), 'message');
  return names;
}

test('a server without schemas loads no schema compiler', async () => {
  assert.deepEqual(await packagesLoadedWith('{ schemaController: noSchemas }'), []);
  assert.deepEqual(await packagesLoadedWith('{}'), ['ajv', 'fast-json-stringify-compiler']);
});

test('a server without schemas rejects a route with a schema', async () => {
  const app = fastify({ schemaController: noSchemas });
  app.post('/', { schema: { body: { type: 'object' } } }, async () => ({}));
  await assert.rejects(async () => await app.ready(), /a route has a schema/);
});
