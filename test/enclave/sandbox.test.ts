import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { after, describe, test } from 'node:test';
import * as launching from '../../src/gateway/enclave/process.ts';
import { expectedOutcomes, startProbed } from './probed_sandbox.ts';

const { enclave, report } = startProbed(launching);
const { outcomes, environment, hasProto, globals } = await report;

describe('the enclave is refused', () => {
  after(() => enclave.kill());

  for (const [name, outcome] of Object.entries(expectedOutcomes)) {
    test(name, () => assert.equal(outcomes[name], outcome));
  }

  test('and every attempt has an expectation', () => {
    assert.deepEqual(Object.keys(outcomes).toSorted(), Object.keys(expectedOutcomes).toSorted());
    assert.equal(existsSync('/tmp/keywright-probe'), false);
  });

  test('an environment, but for the number of its threads', () => {
    assert.deepEqual(environment.toSorted(), ['MALLOC_ARENA_MAX', 'UV_THREADPOOL_SIZE']);
  });

  test('__proto__ and the globals of networks and storage', () => {
    assert.equal(hasProto, false);
    assert.deepEqual(globals, []);
  });

  test('a debugger by signal', () => {
    // With a handler of its own for SIGUSR1, Node would open a debugger at this signal.
    const status = readFileSync(`/proc/${enclave.pid}/status`, 'utf8');
    const caught = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1]}`);
    const bitOf = (signal: number) => 1n << BigInt(signal - 1);
    assert.equal(caught & bitOf(constants.signals.SIGUSR1), 0n);
    // The mask is read correctly: Node catches this signal.
    assert.notEqual(caught & bitOf(constants.signals.SIGINT), 0n);
  });
});

test('the enclave may read only the program of the project and random bytes of the kernel', () => {
  const allowed = launching.enclaveFlags('/p').filter((flag) => flag.startsWith('--allow'));
  assert.deepEqual(allowed, [
    '--allow-fs-read=/p/src',
    '--allow-fs-read=/p/node_modules',
    '--allow-fs-read=/p/package.json',
    '--allow-fs-read=/p/package-lock.json',
    '--allow-fs-read=/dev/urandom',
  ]);
});
