// A service during a rotation of its root key: its load, and the checks afterwards.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readKeyEpochRow } from '../../src/archive/offline_data.ts';
import { rootKeysOf } from '../../src/enclave/records/key_epochs.ts';
import { sqliteSnapshot } from '../../src/store/sqlite/copy.ts';
import { contentsOf, opener, sealedValues } from '../rotation/rotated_world.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { accountParameters, createWallet, serverClient, timestampMs } from './clients.ts';
import type { RunningService } from './service.ts';

/** A wallet, and signatures of texts that were acknowledged. */
export type Made = {
  readonly walletId: string;
  readonly address: string;
  readonly signed: Map<string, string>;
};

export async function makeWallet(service: RunningService): Promise<Made> {
  const { walletId, addresses } = await createWallet(
    service,
    `Wallet ${randomBytes(4).toString('hex')}`,
    [accountParameters.ethereum],
  );
  return { walletId, address: addresses[0] ?? '', signed: new Map() };
}

export async function sign(service: RunningService, { address, signed }: Made, payload: string) {
  const { r, s, v } = await serverClient(service).signRawPayload({
    timestampMs: timestampMs(),
    signWith: address,
    payload,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });
  const signature = `${r}${s}${v}`;
  // Two signatures of the same text by one key are equal.
  assert.equal(signed.get(payload) ?? signature, signature);
  signed.set(payload, signature);
}

/** Signs and changes wallets until it is stopped. Ignores failures of a killed service. */
export function startLoad(
  service: RunningService,
  made: Made,
  {
    mayFail = () => false,
    restMs = 0,
  }: {
    readonly mayFail?: () => boolean;
    /** Pause of each worker after an answer. */
    readonly restMs?: number;
  } = {},
) {
  let isStopped = false;
  let count = 0;
  const run = async (worker: number): Promise<void> => {
    while (!isStopped) {
      count += 1;
      try {
        await sign(service, made, `load ${worker} ${count}`);
        if (count % 10 === 0) {
          await serverClient(service).updateWallet({
            timestampMs: timestampMs(),
            walletId: made.walletId,
            walletName: `Wallet ${worker} ${count}`,
          });
        }
      } catch (error) {
        if (!mayFail()) throw error;
        return;
      }
      if (restMs > 0) await pause(restMs);
    }
  };
  const workers = [run(1), run(2)];
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(workers);
      return count;
    },
  };
}

/** Runs a command, and returns its output. */
export function runCommand(
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { main, environment } = serviceProgram();
  const env = { ...environment, ...more };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [main, ...words], { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr, { cause: error }));
    });
  });
}

/** Requires that the database of a stopped service belongs only to the new key. Returns its row count. */
export async function requireRotated(
  data: string,
  earlier: Uint8Array,
  current: Uint8Array,
): Promise<number> {
  assert.notDeepEqual(Buffer.from(current), Buffer.from(earlier));
  const file = join(data, 'keywright.sqlite');
  const snapshot = sqliteSnapshot(file);
  const row = await readKeyEpochRow(snapshot);
  await snapshot.close();
  const contents = contentsOf(file, rootKeysOf(row, Uint8Array.from(current)));
  const opensBefore = opener(earlier);
  assert.ok(sealedValues(file).every((value) => opensBefore(value) === undefined));
  return contents.size;
}

/** Requires that each acknowledged signature is an activity, and that the key signs as before. */
export async function requireNothingLost(service: RunningService, made: Made): Promise<void> {
  const activities = new Set<string>();
  const client = serverClient(service);
  let after: string | undefined;
  do {
    const { activities: page } = await client.getActivities({
      paginationOptions: { limit: '100', ...(after && { after }) },
      filterByType: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'],
    });
    for (const { result } of page) {
      const { r, s, v } = result.signRawPayloadResult ?? {};
      activities.add(`${r}${s}${v}`);
    }
    after = page.length === 100 ? page.at(-1)?.id : undefined;
  } while (after !== undefined);
  for (const [payload, signature] of made.signed) {
    assert.ok(activities.has(signature), `${payload} was acknowledged`);
  }
  const [first] = made.signed.keys();
  await sign(service, made, first ?? 'first');
}
