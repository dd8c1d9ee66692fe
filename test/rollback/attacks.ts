// The attacks, the outcome that each must have, and a service that starts on the altered data.

import assert from 'node:assert/strict';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { RecordRefusedError } from '../../src/enclave/records/record_codec.ts';
import { type Snapshot, startTestService } from '../support/harness.ts';
import {
  change,
  type Moment,
  type Rows,
  rowsOfLog,
  rowsOfOrganization,
  singleRows,
  sizeOf,
  type World,
  withRowsOf,
} from './world.ts';

/** The stage at which a service on altered data stops, and the log line that names the row. */
export type Outcome = {
  readonly stage: 'start' | 'load' | 'append' | 'served';
  readonly named: string;
};

type Expected = {
  readonly database: Uint8Array;
  readonly anchor: string | undefined;
  /** The permitted stages. */
  readonly stages: readonly Outcome['stage'][];
  /** The text that a refusal names. */
  readonly names: string;
};

type Attack = (
  world: World,
  moments: { readonly older: Moment; readonly newer: Moment },
  choose: (below: number) => number,
) => Expected;

/** Returns true if the older log has all entries that the newer anchor covers. */
const isAnchored = (older: Moment, newer: Moment): boolean => older.logSize >= sizeOf(newer.anchor);

/**
 * Returns true if the log of the newer moment has a later version of an organization than the older moment.
 */
function isKnown(id: string, older: Moment, newer: Moment): boolean {
  const [had, logged] = [older.versions.get(id) ?? 0, newer.logged.get(id) ?? 0];
  const [before, after] = [older.entries.get(id) ?? 0, newer.entries.get(id) ?? 0];
  return had < logged || before < after;
}

export const attacks: Readonly<Record<string, Attack>> = {
  'the whole database': (_world, { older, newer }) => ({
    database: older.snapshot.database,
    anchor: newer.anchor,
    stages: isAnchored(older, newer) ? ['served'] : ['start'],
    names: 'log_older_than_anchor',
  }),
  'one organization': (world, { older, newer }, choose) => {
    const { organizationIds } = world;
    const id = organizationIds[choose(organizationIds.length)] ?? '';
    const { database } = put(newer, older, rowsOfOrganization(id));
    const stages = isKnown(id, older, newer) ? (['load'] as const) : (['served'] as const);
    return { database, anchor: newer.anchor, stages, names: id };
  },
  'one row': (_world, { older, newer }, choose) => {
    const rows = singleRows(newer);
    const row = rows[choose(rows.length)];
    assert.ok(row);
    const { database, isChanged } = put(newer, older, [row]);
    const [id = ''] = row.values;
    const isOrganization = row.table === 'organizations' && id !== 'log';
    const [had, logged] = [older.versions.get(id) ?? 0, newer.logged.get(id) ?? 0];
    const isRefused = isOrganization ? had < logged : isChanged && !isReadByReceipts(row, newer);
    const refused = ['start', 'load', 'append'] as const;
    // A head that is not in the log yet may also contradict the small rows of its organization.
    const others = isOrganization ? (['served', 'load'] as const) : (['served'] as const);
    const stages = isRefused ? refused : others;
    return { database, anchor: newer.anchor, stages, names: '' };
  },
  'the log alone': (_world, { older, newer }) => ({
    ...put(newer, older, rowsOfLog),
    anchor: newer.anchor,
    stages: isAnchored(older, newer) ? ['served'] : ['start'],
    names: 'log_older_than_anchor',
  }),
  // The database is the newest, as after a kill before the anchor was raised.
  'the anchor alone': (_world, { older, newer }) => ({
    database: newer.snapshot.database,
    anchor: older.anchor,
    stages: ['served'],
    names: '',
  }),
};

function put(newer: Moment, older: Moment, rows: readonly Rows[]) {
  return withRowsOf(newer.snapshot.database, older.snapshot.database, rows);
}

/** Rows of runs, and the openings within an organization. Only receipts and audits read them. */
function isReadByReceipts({ values: [owner = '', kind, id = ''] }: Rows, moment: Moment): boolean {
  if (kind === 'log_boot' || kind === 'log_signed_tree') return true;
  if (kind !== 'log_openings') return false;
  const others = singleRows(moment).filter(({ values }) => {
    return values[0] === owner && values[1] === kind && (values[2] ?? '') > id;
  });
  return others.length > 0;
}

/** Starts a service on altered data, queries each organization, changes all of them, and appends. */
export async function startOver(
  { organizationIds }: World,
  from: Snapshot,
  anchor: string | undefined,
): Promise<Outcome> {
  const log: string[] = [];
  const service = await startTestService({ from, logAnchor: async () => anchor, log });
  let stage: Outcome['stage'] = 'start';
  try {
    await service.enclave.logCheckpoint(undefined);
    stage = 'load';
    for (const organizationId of organizationIds) {
      const { status } = await service.query('get_organization', {}, { organizationId });
      if (status !== 200) return { stage, named: log.join('\n') };
    }
    stage = 'append';
    for (const organizationId of organizationIds) {
      const { status } = await change(service, organizationId, 'After');
      if (status !== 200) return { stage, named: log.join('\n') };
    }
    const waiting = await service.store.log.next({ limit: 512 });
    const { note, isLost } = await service.enclave.appendLog({ waiting: [...waiting] });
    assert.equal(isLost, false);
    assert.ok(sizeOf(note) > sizeOf(anchor));
    return { stage: 'served', named: log.join('\n') };
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    const place = error instanceof RecordRefusedError ? JSON.stringify(error.place) : error.message;
    return { stage, named: `${error.code} ${place}` };
  } finally {
    await service.close();
  }
}
