// The enclave and its store in one process that kills itself at a named step of a commit.
// `commit_steps.test.ts` starts it with the database file and the step; requests and answers are messages.

import { randomBytes } from 'node:crypto';
import { createEnclave } from '../../src/enclave/enclave.ts';
import type { StorePort } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { askOver, testKey, testRootKey } from '../support/harness.ts';
import { createTestOutside, testDeployment } from '../support/outside.ts';
import type { OneRequest } from './commit_steps.ts';

const [file = '', step = ''] = process.argv.slice(2);
const store = openSqliteStore({ file });
let isArmed = false;

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Commits that die, by their step. */
const dyingCommits: Readonly<Record<string, StorePort['commit']>> = {
  'before the commit': async (change) => {
    die();
    return store.port.commit(change);
  },
  'when the commit was handed over': (change) => {
    const outcome = store.port.commit(change);
    die();
    return outcome;
  },
  'a turn later': (change) => {
    setImmediate(die);
    return store.port.commit(change);
  },
  'when the commit is durable': async (change) => {
    const outcome = await store.port.commit(change);
    die();
    return outcome;
  },
};

const port: StorePort = {
  ...store.port,
  commit: (change) => ((isArmed && dyingCommits[step]) || store.port.commit)(change),
};
const enclave = createEnclave({
  store: port,
  external: createTestOutside(),
  clock: () => Date.now(),
  random: (length) => Uint8Array.from(randomBytes(length)),
  log: () => undefined,
});
await enclave.start({
  rootKey: testRootKey(),
  liveness: { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 },
  deployment: testDeployment,
});
const root = await enclave.bootstrap({
  organizationName: 'Test organization',
  userName: 'Root user',
  apiKeyName: 'Root key',
  apiPublicKey: testKey('root').publicKey,
  enablesAuthProxy: false,
});

const ask = askOver(enclave, port);
process.on('message', async ({ kind, operation, body, stamp, isLast }: OneRequest) => {
  isArmed = isLast;
  const answer = await ask({
    requestId: operation,
    kind,
    operation,
    headers: [{ name: 'x-stamp', value: stamp }],
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
    body: Buffer.from(body),
  });
  const text = Buffer.from(answer.body).toString();
  // The parent has read the answer before the process ends.
  process.send?.({ status: answer.status, body: JSON.parse(text) }, () => {
    if (isArmed && step === 'when the answer was given') die();
  });
});
process.send?.(root);
