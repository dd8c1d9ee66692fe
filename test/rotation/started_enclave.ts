// An enclave on a copy of a data folder, in the process of the tests.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { seededRandom } from '../support/harness.ts';
import { createTestOutside } from '../support/outside.ts';

/** Starts an enclave on a copy of the data with this key only. Returns the code of a refusal. */
export async function startOn(
  data: string,
  rootKey: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  const copy = `${data}.started`;
  cpSync(data, copy, { recursive: true });
  const store = openSqliteStore({ file: join(copy, 'keywright.sqlite') });
  try {
    const enclave = createEnclave({
      store: store.port,
      external: createTestOutside(),
      clock: Date.now,
      random: seededRandom('started'),
      log: () => undefined,
    });
    await enclave.startCustody({ rootKey });
    await enclave.fence({ backupAtMs: 0 });
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  } finally {
    await store.close();
    rmSync(copy, { recursive: true });
  }
}
