import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { type ErrorCode, ServiceError } from '../../src/core/errors/errors.ts';
import { externalHandlers } from '../../src/gateway/enclave/external_handlers.ts';
import { onLines, startEnclaveProcess } from '../../src/gateway/enclave/process.ts';
import { storeHandlers } from '../../src/gateway/enclave/store_handlers.ts';
import type { SuperviseOptions } from '../../src/gateway/enclave/supervise.ts';
import { superviseEnclave } from '../../src/gateway/enclave/supervise.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { testAnchor } from '../support/anchor.ts';
import { createTestOutside, testDeployment } from '../support/outside.ts';
import type { FakeEnclave } from './fake_enclave.ts';
import { fakeEnclave } from './fake_enclave.ts';

const request = {
  requestId: 'r',
  kind: 'query' as const,
  operation: 'whoami',
  headers: [],
  timestampObjects: false,
  remoteAddress: '127.0.0.1',
  body: new Uint8Array(),
};
const unavailable = (error: unknown) =>
  error instanceof ServiceError && error.code === ('enclave_unavailable' satisfies ErrorCode);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function supervised(launches: (() => FakeEnclave)[], overrides: Partial<SuperviseOptions> = {}) {
  const started: FakeEnclave[] = [];
  const keysGiven: Uint8Array[] = [];
  const lines: string[] = [];
  const events = { restarts: 0 };
  const store = openSqliteStore({ file: ':memory:' });
  const log: SuperviseOptions['log'] = (level, message, fields) =>
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const supervisor = superviseEnclave({
    launch: () => {
      const enclave = (launches[started.length] ?? fakeEnclave)();
      started.push(enclave);
      return enclave.process;
    },
    withRootKey: (use) => {
      const key = new Uint8Array(32).fill(keysGiven.length + 1);
      keysGiven.push(key);
      return use(key);
    },
    givesNextKey: false,
    liveness: { maximumAgeMs: 1, maximumAheadMs: 2 },
    deployment: testDeployment,
    handlers: {
      ...storeHandlers(store.port, log),
      ...testAnchor(),
      ...externalHandlers(createTestOutside()),
    },
    callsMaximum: 10,
    log,
    restarted: () => {
      events.restarts += 1;
    },
    pauses: { firstRestartMs: 1, lastRestartMs: 2 },
    ...overrides,
  });
  return { supervisor, started, keysGiven, lines, events };
}

describe('supervision of the enclave', () => {
  test('sends the root key and wipes it', async () => {
    const { supervisor, started, keysGiven } = supervised([]);
    assert.equal(supervisor.isRunning(), false);
    await assert.rejects(supervisor.call('request', request), unavailable);
    await supervisor.start();
    assert.equal(supervisor.isRunning(), true);
    assert.deepEqual(started[0]?.rootKeys, [new Uint8Array(32).fill(1)]);
    assert.deepEqual(keysGiven, [new Uint8Array(32)]);
    const answer = await supervisor.call('request', request);
    assert.equal(Buffer.from(answer.body).toString(), 'whoami');
    await supervisor.stop();
  });

  test('announces whether the gateway can read the next root key of a rotation', async () => {
    for (const givesNextKey of [true, false]) {
      const announced: unknown[] = [];
      const announces = () =>
        fakeEnclave({
          start: (request) => {
            announced.push(request.givesNextKey);
            return undefined;
          },
        });
      const { supervisor } = supervised([announces], { givesNextKey });
      await supervisor.start();
      assert.deepEqual(announced, [givesNextKey]);
      await supervisor.stop();
    }
  });

  test('requests in progress are refused when the enclave ends, and another one serves the next', async () => {
    const silent = () => fakeEnclave({ request: () => new Promise(() => {}) });
    const { supervisor, started, keysGiven, lines, events } = supervised([silent]);
    await supervisor.start();
    const inFlight = [1, 2, 3].map(() => supervisor.call('request', request));
    const settled = Promise.allSettled(inFlight);
    await turn();
    started[0]?.process.channel.close();
    for (const result of await settled) {
      assert.ok(result.status === 'rejected' && unavailable(result.reason));
    }
    while (!supervisor.isRunning()) await turn();
    assert.equal((await supervisor.call('request', request)).status, 200);
    assert.equal(events.restarts, 1);
    // The key was read, sent and wiped again.
    assert.deepEqual(started[1]?.rootKeys, [new Uint8Array(32).fill(2)]);
    assert.deepEqual(keysGiven, [new Uint8Array(32), new Uint8Array(32)]);
    assert.match(lines.join('\n'), /error the enclave ended/);
    await supervisor.stop();
  });

  test('continues after a failed restart', async () => {
    const failing = () =>
      fakeEnclave({
        start: () => {
          throw new Error('not today');
        },
      });
    const { supervisor, started, events } = supervised([fakeEnclave, failing, failing]);
    await supervisor.start();
    started[0]?.process.kill();
    while (started.length < 4 || !supervisor.isRunning()) await turn();
    assert.equal(events.restarts, 3);
    assert.deepEqual(
      started.slice(0, 3).map((enclave) => enclave.wasKilled()),
      [true, true, true],
    );
    await supervisor.stop();
  });

  test('a failed first start is reported to the caller, and the key is wiped', async () => {
    const refusing = () =>
      fakeEnclave({
        start: () => {
          throw new Error('wrong key');
        },
      });
    const { supervisor, started, keysGiven } = supervised([refusing]);
    await assert.rejects(supervisor.start());
    assert.equal(started[0]?.wasKilled(), true);
    assert.deepEqual(keysGiven, [new Uint8Array(32)]);
    await supervisor.stop();
  });

  test('an enclave that does not answer its start in time is terminated', async () => {
    const mute = () => fakeEnclave({ start: () => new Promise(() => {}) });
    const { supervisor, started } = supervised([mute], { pauses: { startMs: 1 } });
    await assert.rejects(supervisor.start(), unavailable);
    assert.equal(started[0]?.wasKilled(), true);
  });

  test('an enclave that breaks the protocol is terminated and replaced', async () => {
    const broken = () => {
      const enclave = fakeEnclave();
      const { channel } = enclave.process;
      const onData: typeof channel.onData = (receive) => {
        channel.onData((chunk) => {
          // The first chunk answers the start; anything later gets a frame of an unknown kind.
          receive(isStarted ? Buffer.from('0000000509000000ff', 'hex') : chunk);
          isStarted = true;
        });
      };
      let isStarted = false;
      return { ...enclave, process: { ...enclave.process, channel: { ...channel, onData } } };
    };
    const { supervisor, started } = supervised([broken]);
    await supervisor.start();
    await assert.rejects(supervisor.call('request', request), unavailable);
    while (!supervisor.isRunning()) await turn();
    assert.equal(started[0]?.wasKilled(), true);
    assert.equal((await supervisor.call('request', request)).status, 200);
    await supervisor.stop();
  });

  test('a stop ends the enclave without force, and for good', async () => {
    const { supervisor, started, events } = supervised([]);
    await supervisor.start();
    await supervisor.stop();
    assert.equal(started[0]?.wasKilled(), false);
    assert.equal(await started[0]?.process.exited, 'ended');
    assert.equal(supervisor.isRunning(), false);
    await assert.rejects(supervisor.call('request', request), unavailable);
    assert.equal(events.restarts, 0);
    assert.equal(started.length, 1);
  });

  test('a stop also cancels the wait for a restart', async () => {
    const { supervisor, started, lines } = supervised([], {
      pauses: { firstRestartMs: 3_600_000 },
    });
    await supervisor.start();
    started[0]?.process.kill();
    while (!lines.some((line) => line.includes('the enclave ended'))) await turn();
    await supervisor.stop();
    assert.equal(started.length, 1);
  });

  test('requests of the enclave reach the store and the log', async () => {
    const { supervisor, started, lines } = supervised([]);
    await supervisor.start();
    const link = started[0]?.link ?? assert.fail();
    assert.deepEqual(await link.call('deployment', undefined), { body: undefined });
    const asked = { organizationId: 'none', kinds: [], knownVersion: 0, fingerprint: undefined };
    assert.deepEqual(await link.call('organization', asked), {
      version: undefined,
      guard: undefined,
      organization: undefined,
      records: [],
      activity: undefined,
    });
    const one = { organizationId: 'none', id: 'none', maximumBytes: undefined };
    assert.deepEqual(await link.call('activity', one), { activity: undefined });
    await link.call('log', { level: 'warn', message: 'm', fields: '{"a":1,"b":{"c":2},"d":"e"}' });
    await link.call('log', { level: 'loud', message: 'm', fields: 'no JSON' });
    assert.ok(lines.includes('warn m {"from":"enclave","a":1,"d":"e"}'));
    assert.ok(lines.includes('error m {"fields":"no JSON"}'));
    await supervisor.stop();
  });
});

describe('the process of the enclave', () => {
  test('a process that cannot be started counts as ended', async () => {
    const enclave = startEnclaveProcess({ log: () => {}, flags: ['--no-such-flag'] });
    assert.match(await enclave.exited, /^exit code 9/);
  });

  test('its error output becomes lines of bounded length', async () => {
    const lines: string[] = [];
    const stream = new PassThrough();
    onLines(stream, (line) => lines.push(line));
    const ended = new Promise((resolve) => stream.once('end', resolve));
    stream.write('one\ntw');
    stream.write('o\n\n');
    stream.write('x'.repeat(100_000));
    stream.write(`${'x'.repeat(100_000)}\nthree`);
    stream.end();
    await ended;
    assert.deepEqual(lines, ['one', 'two', 'x'.repeat(8_192), 'three']);
  });
});
