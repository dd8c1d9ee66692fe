// A second enclave on the database of a test service: another node, or a restart.

import assert from 'node:assert/strict';
import { createEnclave } from '../../src/enclave/enclave.ts';
import {
  askOver,
  seededRandom,
  stampOf,
  type TestService,
  testRootKey,
} from '../support/harness.ts';

/** Starts a second enclave with random bytes of its own. */
export async function startSecondNode(service: TestService, name = 'second node') {
  const enclave = createEnclave({
    store: service.store.port,
    external: service.outside,
    clock: service.now,
    random: seededRandom(name),
    log: () => undefined,
  });
  const liveness = { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 };
  await enclave.start({ rootKey: testRootKey(), liveness, deployment: service.deployment });
  return enclave;
}

/**
 * Starts a second node. The returned function sends bodies concurrently to both nodes in turn, and returns
 * the error of each refusal, or undefined for success.
 */
export async function askTwoNodes(service: TestService) {
  const second = await startSecondNode(service);
  const nodes = [service.enclave, second].map((enclave) => askOver(enclave, service.store.port));
  return async (operation: string, bodies: readonly Uint8Array[]) => {
    const answers = await Promise.all(
      bodies.map((body, i) =>
        nodes[i % 2]?.({
          requestId: `try ${i}`,
          kind: 'submit',
          operation,
          headers: [stampOf(body, service.root.key)],
          timestampObjects: false,
          remoteAddress: '127.0.0.1',
          body,
        }),
      ),
    );
    return answers.map((answer) => {
      assert(answer !== undefined);
      return answer.errorCode;
    });
  };
}
