// The shared store: opens a PostgreSQL database, checks its durability, and updates its tables.

import { ServiceError } from '../../core/errors/errors.ts';
import type { Store, StoreLog } from '../store.ts';
import { copiedTables } from '../tables/copied_tables.ts';
import type { Migration } from '../tables/migrations.ts';
import { nextMigration } from '../tables/migrations.ts';
import { requirePresentTables } from '../tables/present_tables.ts';
import { integerOf } from '../tables/rows.ts';
import { dialects, schemaVersionTable } from '../tables/schema.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { confirmDurability } from './durability.ts';
import { DatabaseError } from './errors.ts';
import { refuseTransactionPooling } from './pooling.ts';
import { plain, statementOfStep } from './queries.ts';
import type { Pool, Session } from './session.ts';
import { createPool } from './session.ts';
import { createPostgresStore, type PostgresStoreOptions } from './store.ts';

export type PostgresOptions = PostgresStoreOptions & { readonly migrations?: readonly Migration[] };

/**
 * Opens the store in an existing database; several nodes may do so at the same time.
 * @throws UnusableDataError if the database cannot be reached, is not durable, or belongs to a newer release.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  await prepare(options);
  return createPostgresStore(options);
}

/** Brings the tables up to date over a separate connection. */
async function prepare({ url, log, migrations }: PostgresOptions): Promise<void> {
  const pool = createPool({ url, connections: 2, lost: () => {} });
  try {
    await refuseTransactionPooling(pool);
    await warnOfLooseDisk(pool, log);
    await migrate(pool, migrations);
    if (migrations === undefined) await pool.use(requireColumns);
    await pool.use(confirmDurability);
  } catch (error) {
    throw explained(error);
  } finally {
    await pool.close();
  }
}

async function warnOfLooseDisk(pool: Pool, log: StoreLog): Promise<void> {
  const rows = await pool.use((session) =>
    session.all([plain("SELECT current_setting('fsync', true) AS fsync")]),
  );
  if (rows[0]?.[0]?.['fsync'] !== 'off') return;
  log('warn', 'the database runs with fsync off: a power failure loses acknowledged changes', {});
}

/** Attempts may fail while other nodes take the same steps. */
const maximumAttempts = 50;

async function migrate(pool: Pool, migrations: readonly Migration[] | undefined): Promise<void> {
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    try {
      if (!(await pool.use((session) => migrateOnce(session, migrations)))) return;
    } catch (error) {
      if (!(error instanceof DatabaseError && isOfAnotherNode(error))) throw error;
    }
  }
  throw new UnusableDataError('the tables of the database are being changed by others, try again');
}

/** Raises UnusableDataError for tables from a version before the first release. */
async function requireColumns(session: Session): Promise<void> {
  const names = copiedTables.map(({ name }) => `'${name}'`).join();
  const [rows = []] = await session.all([
    plain(
      `SELECT named.name AS "table", attname::text AS "column"
       FROM unnest(ARRAY[${names}]) AS named (name)
       JOIN pg_attribute ON attrelid = to_regclass(named.name)
       WHERE attnum > 0 AND NOT attisdropped`,
    ),
  ]);
  const byTable = Map.groupBy(rows, ({ table }) => table);
  requirePresentTables((table) => new Set(byTable.get(table)?.map(({ column }) => column)));
}

/** Returns true if there may be further steps. */
async function migrateOnce(
  session: Session,
  migrations: readonly Migration[] | undefined,
): Promise<boolean> {
  const dialect = dialects.postgres;
  await session.all([plain(schemaVersionTable(dialect))]);
  const [rows = []] = await session.all([statementOfStep({ query: 'schemaVersion', values: [] })]);
  const step = nextMigration(integerOf(rows[0]?.['version'] ?? 0), migrations);
  if (step === undefined) return false;
  // The row of the step is inserted first: its key lets one node take the step while others wait.
  const note = statementOfStep({ query: 'insertSchemaVersion', values: [step.version, step.name] });
  await session.all([
    plain('BEGIN'),
    note,
    ...step.statements(dialect).map(plain),
    plain('COMMIT'),
  ]);
  return true;
}

function isOfAnotherNode({ kind, code }: DatabaseError): boolean {
  // Another node has created the same table, object or row of the catalog.
  return kind === 'raced' || ['42P07', '42710', '42P06'].includes(code);
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html, and names of network and TLS errors.
const reasons: ReadonlyMap<string, string> = new Map([
  ['28P01', 'it refuses the user or the password'],
  ['28000', 'it refuses the user, the address of this machine, or a connection without TLS'],
  ['3D000', 'there is no database of that name'],
  ['42501', 'its user lacks the right to make or use tables'],
  ['53300', 'it has too many connections'],
  ['57P03', 'it is starting or stopping'],
  ['ECONNREFUSED', 'nothing listens at its address'],
  ['ENOENT', 'nothing listens at its address'],
  ['ENOTFOUND', 'its host name is not known'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is signed by no known authority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is signed by no known authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is signed by no known authority'],
  ['no_answer', 'it does not answer'],
  ['not_confirmed', 'its synchronous standby does not confirm commits'],
]);

/** Omits the address of the database, which contains the password. */
function explained(error: unknown): unknown {
  if (error instanceof ServiceError) return new UnusableDataError(error.message);
  if (!(error instanceof DatabaseError)) return error;
  const reason = reasons.get(error.code) ?? 'it answers with an error';
  return new UnusableDataError(`the database cannot be used: ${reason} (${error.code})`);
}
