// The audit trail of two nodes on one PostgreSQL database. The nodes share the numbers, one of them writes,
// and the other writes the remaining lines of a killed node.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { canStartPostgres, newDatabase, startPostgresServer } from '../store/postgres_server.ts';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { accountParameters, createAddress, httpClient } from './clients.ts';
import { type RunningService, temporaryDirectory, until } from './service.ts';
import { signatureOf, startNodes } from './two_nodes.ts';

type Line = { readonly number: number; readonly activityId: string };

const linesIn = (text: string): readonly Line[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());

  /** Signs on a node until it ends or a count is reached. Returns the acknowledged activities. */
  async function sign(node: RunningService, address: string, count: number): Promise<string[]> {
    const { organizationId } = node.credentials;
    const ids: string[] = [];
    while (ids.length < count) {
      const signature = signatureOf({ organizationId, address });
      const answer = await httpClient(node)
        .signRawPayload(signature)
        .catch(() => undefined);
      if (answer === undefined) return ids;
      ids.push(answer.activity.id);
    }
    return ids;
  }

  test('after a kill during decisions of both, no number is missing, and no line differs', async () => {
    let received = '';
    const collector = await startLoopbackServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received += body;
      response.end();
    });
    after(() => collector.stop());
    const [first, second] = await startNodes(await newDatabase(server.url), undefined, {
      KEYWRIGHT_AUDIT_URL: `${collector.origin}/audit`,
    });
    after(() => second.stop());
    const address = await createAddress(first, 'Told', accountParameters.ethereum);
    const before = linesIn(received).length;
    const signing = [first, first, second, second].map((node, i) =>
      sign(node, address, i < 2 ? 10_000 : 100),
    );
    await until('much is written', () => linesIn(received).length > before + 50);
    await first.kill();
    const ids = (await Promise.all(signing)).flat();
    assert.ok(ids.length >= 200);
    const written = () => new Set(linesIn(received).map(({ activityId }) => activityId));
    await until('all lines are written', () => {
      const known = written();
      return ids.every((id) => known.has(id));
    });
    const texts = new Map<number, string>();
    for (const text of received.trimEnd().split('\n')) {
      const { number }: Line = JSON.parse(text);
      assert.equal(texts.get(number) ?? text, text);
      texts.set(number, text);
    }
    assert.deepEqual(
      [...texts.keys()].toSorted((a, b) => a - b),
      Array.from({ length: texts.size }, (_, n) => n + 1),
    );
    assert.equal(written().size, texts.size);
  });

  test('with files one node writes, and the other continues after its stop', async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'shared.ndjson');
    const [first, second] = await startNodes(await newDatabase(server.url), undefined, {
      KEYWRIGHT_AUDIT_FILE: file,
    });
    const address = await createAddress(first, 'Told', accountParameters.ethereum);
    const ids = (await Promise.all([sign(first, address, 30), sign(second, address, 30)])).flat();
    const lines = () => linesIn(readFileSync(file, 'utf8'));
    const hasAll = () => {
      const written = new Set(lines().map(({ activityId }) => activityId));
      return ids.every((id) => written.has(id));
    };
    await until('all of it is written', hasAll);
    await first.stop();
    ids.push(...(await sign(second, address, 10)));
    await until('what came after the stop is written', hasAll);
    await second.stop();
    assert.deepEqual(
      lines().map(({ number }) => number),
      Array.from({ length: lines().length }, (_, n) => n + 1),
    );
  });
}
