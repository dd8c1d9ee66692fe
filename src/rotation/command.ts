// `keywright root-key rotate`: opens the data and the key of a stopped service.

import { join } from 'node:path';
import { databaseName, type OfflineSettings, type Operator } from '../archive/offline_data.ts';
import { type ServiceKeyRole, serviceKeyRoles } from '../core/crypto/service_keys.ts';
import { renewedRoles } from '../enclave/keys/lasting_keys.ts';
import { readRootKeyOnce } from '../gateway/root_key/read_once.ts';
import { openDataDirectory } from '../store/data_directory/data_directory.ts';
import { sqliteRewriter } from '../store/sqlite/rewriter.ts';
import type { Rewriter } from '../store/tables/rewriter.ts';
import { openKernelRandom } from '../system/kernel_random.ts';
import { newKeyFile, requireOwner } from './new_key_file.ts';
import { type Rotation, type RotationPorts, rotateRootKey } from './rotate.ts';

/** Roles whose key opens or verifies stored data. */
const boundRoles: ReadonlySet<string> = new Set(['secret_receiver', 'archivist']);

/** Roles whose keys the command can also renew. */
export const renewableRoles: readonly ServiceKeyRole[] = Object.values(serviceKeyRoles)
  .map(({ name }) => name)
  .filter((name) => !boundRoles.has(name) && !renewedRoles.includes(name));

export type RotatedKey = Rotation & {
  readonly keyFile: string;
  /** True if the service reads the file at its next start. */
  readonly isInstalled: boolean;
  /** Roles of service keys with a new value. */
  readonly renewed: readonly ServiceKeyRole[];
};

/** Rotates the root key of a data folder or a database. Raises UnusableDataError. */
export async function rotate(
  settings: OfflineSettings,
  {
    renew,
    operator,
    now,
    progress,
  }: Pick<RotationPorts, 'now' | 'progress'> & {
    readonly renew: readonly ServiceKeyRole[];
    readonly operator: Operator;
  },
): Promise<RotatedKey> {
  const { dataDirectory, databaseUrl, rootKeyFile, rootKeyProvider } = settings;
  const random = openKernelRandom();
  const ownFile = rootKeyFile ?? join(dataDirectory, 'root.key');
  const replaces = rootKeyProvider === 'file' ? ownFile : undefined;
  if (replaces !== undefined) requireOwner(replaces);
  const newKey = newKeyFile(`${ownFile}.next`, replaces, random);
  const renewed = [...renewedRoles, ...renew];
  const data = databaseUrl === undefined ? openDataDirectory(dataDirectory) : undefined;
  try {
    const database = await openRewriter(settings);
    try {
      const rotation = await rotateRootKey({
        database,
        random,
        now,
        readRootKey: () => readRootKeyOnce(settings, operator),
        newKey,
        renewed: new Set(renewed),
        progress,
      });
      const keyFile = replaces ?? newKey.path;
      return { ...rotation, keyFile, isInstalled: replaces !== undefined, renewed };
    } finally {
      await database.close();
    }
  } finally {
    data?.close();
  }
}

async function openRewriter({ databaseUrl, dataDirectory }: OfflineSettings): Promise<Rewriter> {
  if (databaseUrl === undefined) return sqliteRewriter(join(dataDirectory, databaseName));
  const { postgresRewriter } = await import('../store/postgres/rewriter.ts');
  return postgresRewriter(databaseUrl);
}
