// The store's part in a rotation of the root key in PostgreSQL, which several nodes share. A table exists
// while a rotation is announced; every running node finds it and adds its report.
//
// A node may pause for any time, for example on a suspended machine, and then write a row of the earlier
// epoch. A constraint of each table rejects such a row. It also proves at the end that no such row is left.

import { keyEpochId } from '../../core/custody/sealed_form.ts';
import { auditStreamId } from '../port.ts';
import type { RotationNode, StoreRotation } from '../tables/rotation.ts';
import { integerOf, type Row, textOf } from '../tables/rows.ts';
import { sealedTables } from '../tables/sealed_columns.ts';
import { numbered } from './placeholders.ts';
import { plain, type Statement } from './queries.ts';
import { postgresRewriter } from './rewriter.ts';
import type { Session } from './session.ts';

const nodesTable = 'root_key_rotation_nodes';
/** A node without a report for this time is stopped, or its rows will be rejected when it continues. */
const windowMs = 10_000;
/** The service does not wait behind a long reader, because it retries anyway. */
const lockTimeout = plain("SET LOCAL lock_timeout = '2s'");
const noStatementTimeout = plain('SET LOCAL statement_timeout = 0');
const begin = plain('BEGIN');
const commit = plain('COMMIT');

const createNodes = plain(
  `CREATE TABLE IF NOT EXISTS ${nodesTable} (
    node TEXT PRIMARY KEY, next_key TEXT, epoch BIGINT NOT NULL, seen_at TIMESTAMPTZ NOT NULL
  )`,
);
const findNodes = plain(`SELECT count(to_regclass('${nodesTable}')) AS found`);
const dropNodes = plain(`DROP TABLE IF EXISTS ${nodesTable}`);
const listNodes = plain(
  `SELECT node, next_key, epoch FROM ${nodesTable}
    WHERE seen_at > clock_timestamp() - INTERVAL '${windowMs} milliseconds' ORDER BY node`,
);

/** Conditions for the rows of a table that are not sealed with the keys of records. */
const unsealed: Readonly<Record<string, string>> = {
  organizations: `id = '${keyEpochId}' OR length(head) = 0 OR `,
  webhook_events: `endpoint_id = '${auditStreamId}' OR `,
};

type Run = <Result>(run: (session: Session) => Promise<Result>) => Promise<Result>;

export function createPostgresRotation(url: string, run: Run): StoreRotation {
  const all = (...statements: readonly Statement[]) => run((session) => session.all(statements));

  return {
    rewriter: () => postgresRewriter(url),
    windowMs,
    isAnnounced: async () => {
      const [[row] = []] = await all(findNodes);
      return integerOf(row?.['found'] ?? 0) > 0;
    },
    report: async ({ node, nextKey, epoch }, announces) => {
      const put = {
        name: '',
        text: numbered(
          `INSERT INTO ${nodesTable} VALUES (?, ?, ?, clock_timestamp()) ON CONFLICT (node)
            DO UPDATE SET next_key = excluded.next_key, epoch = excluded.epoch, seen_at = excluded.seen_at`,
        ),
        values: [node, nextKey ?? null, epoch],
      };
      if (announces) await all(createNodes);
      const [, rows = []] = await all(put, listNodes);
      return rows.map(nodeOfRow);
    },
    fence: async (epoch) => {
      for (const { table, column } of sealedTables) {
        const constraint = constraintOf(table.name);
        const condition = conditionOf(table.name, column, epoch);
        await all(
          begin,
          lockTimeout,
          plain(`ALTER TABLE ${table.name} DROP CONSTRAINT IF EXISTS ${constraint}`),
          plain(
            `ALTER TABLE ${table.name} ADD CONSTRAINT ${constraint} CHECK (${condition}) NOT VALID`,
          ),
          commit,
        );
      }
    },
    isClean: async (epoch) => {
      for (const { table, column } of sealedTables) {
        const condition = conditionOf(table.name, column, epoch);
        const [, , [row] = []] = await all(
          begin,
          noStatementTimeout,
          plain(`SELECT 1 AS left FROM ${table.name} WHERE NOT (${condition}) LIMIT 1`),
          commit,
        );
        if (row !== undefined) return false;
      }
      return true;
    },
    finish: async () => {
      await all(dropNodes);
    },
  };
}

const constraintOf = (table: string): string => `${table}_key_epoch`;

/** Returns the condition that a row is sealed in this epoch or later: see core/custody/sealed_form.ts. */
function conditionOf(table: string, column: string, epoch: number): string {
  const least = epoch.toString(16).padStart(8, '0');
  return `${unsealed[table] ?? ''}(substring(${column} FROM 1 FOR 1) IN ('\\x02', '\\x03')
    AND substring(${column} FROM 2 FOR 4) >= '\\x${least}')`;
}

function nodeOfRow(row: Row): RotationNode {
  const nextKey = row['next_key'];
  return {
    node: textOf(row['node']),
    nextKey: nextKey === null ? undefined : textOf(nextKey),
    epoch: integerOf(row['epoch']),
  };
}
