import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { nothing, text } from '../../src/ipc/codec.ts';
import { enclaveMessages } from '../../src/ipc/messages.ts';
import { acceptInPhase } from '../../src/ipc/phases.ts';

const messages = {
  start: { phase: 'before_start', request: nothing, answer: text },
  greet: { phase: 'running', request: text, answer: text },
} as const;

test('each message is accepted in its phase alone', () => {
  let running: { greet: (name: string) => string } | undefined;
  const start = () => {
    running = { greet: (name) => `hello ${name}` };
    return 'started';
  };
  const handlers = acceptInPhase(messages, { start }, () => running);
  assert.throws(
    () => handlers.greet('early'),
    (error: unknown) => error instanceof ServiceError && error.code === 'enclave_unavailable',
  );
  assert.equal(handlers.start(undefined), 'started');
  assert.equal(handlers.greet('friend'), 'hello friend');
  assert.throws(() => handlers.start(undefined), /start is accepted once/);
});

test('an enclave that serves requests looks after no copy, and the other way round', () => {
  const messages = {
    start: { phase: 'before_start', request: nothing, answer: nothing },
    serve: { phase: 'running', request: nothing, answer: nothing },
    look: { phase: 'custody', request: nothing, answer: nothing },
  } as const;
  const done = () => undefined;
  const accepted = acceptInPhase(messages, { start: done }, () => ({ serve: done }));
  accepted.serve(undefined);
  assert.throws(() => accepted.look(undefined), { code: 'enclave_unavailable' });
});

test('the enclave accepts nothing but its start, and shares of its key, before it runs', () => {
  const accepted = Object.entries(enclaveMessages).filter(
    ([, row]) => row.phase === 'before_start',
  );
  assert.deepEqual(
    accepted.map(([name]) => name),
    ['start', 'startCustody', 'expectShares', 'giveShare'],
  );
});
