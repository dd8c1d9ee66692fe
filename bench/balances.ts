// Measures the speed of matching blocks with many watched addresses, on a real enclave process and the
// embedded database in a file, without a chain.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { hex } from '../src/core/base/bytes.ts';
import { externalHandlers } from '../src/gateway/enclave/external_handlers.ts';
import { startEnclaveProcess } from '../src/gateway/enclave/process.ts';
import { storeHandlers } from '../src/gateway/enclave/store_handlers.ts';
import { superviseEnclave } from '../src/gateway/enclave/supervise.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite.ts';
import { testAnchor } from '../test/support/anchor.ts';
import { testKey } from '../test/support/harness.ts';
import { createTestOutside, testDeployment } from '../test/support/outside.ts';
import { median } from './compare.ts';
import { newDataDirectory, removeDataDirectory } from './service.ts';

const rowsAtOnce = 10_000;
const chain = { caip2: 'eip155:1', fromBlock: undefined };
const asset = { symbol: 'ETH', name: 'Ether', decimals: 18, caip19: 'eip155:1/slip44:60' };
const id = '01900000-0000-7000-8000-000000000000';

/** Measures blocks of the size of Solana's; returns the rates as a text table. */
export async function ratesOfBlocks(): Promise<string> {
  const rates = await measureBlocks({ watched: 100_000, addresses: 5_000, blocks: 20 });
  const [least, middle, most] = [Math.min(...rates), median(rates), Math.max(...rates)];
  return [
    '\nblocks of 5,000 addresses among 100,000 that are watched, in addresses per second',
    `${least.toFixed(0)} to ${most.toFixed(0)}, median ${middle.toFixed(0)}`,
  ].join('\n');
}

/** Returns addresses per second for each of some blocks without watched addresses. */
async function measureBlocks(of: {
  readonly watched: number;
  readonly addresses: number;
  readonly blocks: number;
}): Promise<number[]> {
  const directory = newDataDirectory();
  const store = openSqliteStore({ file: join(directory, 'balances.db') });
  const log = () => undefined;
  const enclave = superviseEnclave({
    launch: () => startEnclaveProcess({ log }),
    withRootKey: (use) => use(new Uint8Array(randomBytes(32))),
    givesNextKey: false,
    liveness: { maximumAgeMs: 1_000, maximumAheadMs: 1_000 },
    deployment: testDeployment,
    handlers: {
      ...storeHandlers(store.port, log),
      ...testAnchor(),
      ...externalHandlers(createTestOutside()),
    },
    callsMaximum: 16,
    log,
    restarted: () => undefined,
  });
  try {
    for (let written = 0; written < of.watched; written += rowsAtOnce) {
      await store.port.commit({
        conditions: [],
        organizations: [],
        records: [],
        deletedRecords: [],
        // Lookups in the form of those of accounts. Their targets are never read, since no block pays them.
        lookups: Array.from({ length: Math.min(rowsAtOnce, of.watched - written) }, () => ({
          index: 'watched_address',
          organizationId: id,
          recordId: id,
          blind: new Uint8Array(randomBytes(32)),
        })),
        deletedLookups: [],
        activities: [],
        events: [],
        redeliveries: [],
        deployment: undefined,
      });
    }
    await enclave.start();
    await enclave.call('bootstrap', {
      organizationName: 'First organization',
      userName: 'Root user',
      apiKeyName: 'Root key',
      apiPublicKey: testKey('root').publicKey,
      enablesAuthProxy: false,
    });
    const observe = async (step: string, number: number, transfers: number) => {
      const { version } = await enclave.call('chainCursor', chain);
      await enclave.call('observe', {
        ...chain,
        version,
        confirmations: 1_000,
        lag: 0,
        step,
        block: {
          number,
          hash: `0x${number}`,
          timestampMs: 1_000,
          parent: { number: number - 1, hash: `0x${number - 1}` },
          transfers: Array.from({ length: transfers }, () => ({
            ...asset,
            txHash: '0x',
            operation: 'deposit',
            amount: '1',
            address: `0x${hex(randomBytes(20))}`,
            counterparty: undefined,
          })),
          transactions: [],
        },
      });
    };
    await observe('begin', 1, 0);
    const rates: number[] = [];
    for (let number = 2; number < 2 + of.blocks; number += 1) {
      const startedMs = performance.now();
      await observe('confirm', number, of.addresses);
      rates.push((of.addresses * 1000) / (performance.now() - startedMs));
    }
    return rates;
  } finally {
    await enclave.stop();
    store.close();
    removeDataDirectory(directory);
  }
}
