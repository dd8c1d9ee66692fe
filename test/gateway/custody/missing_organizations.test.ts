// Organizations whose rows were all deleted from the database: a backup reports them.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { takeBackup } from '../../../src/gateway/custody/backup.ts';
import { UnverifiedError } from '../../../src/gateway/custody/unverified_error.ts';
import { withTemporaryDirectory } from '../../store/temporary_directory.ts';
import { launchCompiledEnclave } from '../../support/compiled_enclave.ts';
import { startTestService, testKey, testRootKey } from '../../support/harness.ts';

const log = () => undefined;
const steps = { copied: () => undefined, opened: () => undefined };

const settingsOf = (dataDirectory: string) => ({
  dataDirectory,
  databaseUrl: undefined,
  anchorFile: undefined,
  rootKeyFile: join(dataDirectory, 'root.key'),
  readRootKey: async () => testRootKey(),
  launchEnclave: launchCompiledEnclave,
});

/** Deletes all rows of an organization. */
function removeOrganization(file: string, id: string): void {
  const database = new DatabaseSync(file);
  database.prepare('DELETE FROM organizations WHERE id = ?').run(id);
  for (const table of ['records', 'lookups', 'activities', 'webhook_events']) {
    database.prepare(`DELETE FROM ${table} WHERE organization_id = ?`).run(id);
  }
  database.close();
}

for (const version of ['V7', 'V8']) {
  const type = `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${version}`;
  test(`backup names a child of ${type}, its parent and the first organization if all their rows are gone`, () =>
    withTemporaryDirectory(async (folder) => {
      const file = join(folder, 'keywright.sqlite');
      const service = await startTestService({ databaseFile: file });
      const made = await service.submit('create_sub_organization', type, {
        subOrganizationName: 'Child',
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: 'Child user',
            apiKeys: [
              {
                apiKeyName: 'k',
                publicKey: testKey('child').publicKey,
                curveType: 'API_KEY_CURVE_P256',
              },
            ],
            authenticators: [],
            oauthProviders: [],
          },
        ],
      });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const [result] = Object.values<{ subOrganizationId: string }>(made.body.activity.result);
      const childId = result?.subOrganizationId ?? '';
      const { organizationId } = service.root;
      await service.close();

      const backupWithout = async (name: string, id: string | undefined) => {
        const data = join(folder, name);
        mkdirSync(data, { mode: 0o700 });
        copyFileSync(file, join(data, 'keywright.sqlite'));
        if (id !== undefined) removeOrganization(join(data, 'keywright.sqlite'), id);
        const to = join(folder, `${name}-backup`);
        await takeBackup(settingsOf(data), { to, log, steps }).finally(() => {
          assert.equal(existsSync(to), id === undefined);
        });
      };
      await backupWithout('whole', undefined);
      for (const [name, id] of [
        ['child', childId],
        ['parent', organizationId],
      ] as const) {
        await assert.rejects(
          backupWithout(name, id),
          (error) => error instanceof UnverifiedError && error.message.includes(id),
          name,
        );
      }
      // Both at once: the custody record names the first organization.
      const data = join(folder, 'both');
      mkdirSync(data, { mode: 0o700 });
      copyFileSync(file, join(data, 'keywright.sqlite'));
      for (const id of [childId, organizationId]) {
        removeOrganization(join(data, 'keywright.sqlite'), id);
      }
      await assert.rejects(
        takeBackup(settingsOf(data), { to: join(folder, 'none'), log, steps }),
        (error) => error instanceof UnverifiedError && error.message.includes(organizationId),
      );
    }));
}
