// Contract: the archive, which removes activities and restores them.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { StorePort } from '../../src/store/port.ts';
import type { Archive } from '../../src/store/reads/archive.ts';
import { committed } from './asking.ts';
import { activityOf, home, idAt } from './samples.ts';

type OnWholeStore = (
  title: string,
  run: (store: { readonly port: StorePort; readonly archive: Archive }) => Promise<void>,
) => void;

export function archiveContract(name: string, on: OnWholeStore): void {
  describe(`${name}: archive`, () => {
    on('removes activities in these versions alone, and tells how many', async (store) => {
      const { port, archive } = store;
      const kept = activityOf(3);
      await committed(port, { activities: [activityOf(1), activityOf(2), kept] });
      const newer = { ...activityOf(2), version: 2 };
      await committed(port, { activities: [newer] });
      const rows = [activityOf(1), activityOf(2), activityOf(4)];
      assert.equal(await archive.remove(rows), 1);
      const idsAndRows = [undefined, newer, kept].map((row, i) => [idAt(i + 1), row] as const);
      for (const [id, row] of idsAndRows) {
        assert.deepEqual(await port.activity({ organizationId: home, id }), row);
      }
      assert.equal(await archive.remove([]), 0);
    });

    on('restores activities that are not there, and tells how many', async (store) => {
      const { port, archive } = store;
      const changed = { ...activityOf(1), version: 2 };
      await committed(port, { activities: [activityOf(1)] });
      await committed(port, { activities: [changed] });
      assert.equal(await archive.restore([activityOf(1), activityOf(2)]), 1);
      const read = (n: number) => port.activity({ organizationId: home, id: idAt(n) });
      assert.deepEqual(await read(1), changed);
      assert.deepEqual(await read(2), activityOf(2));
      assert.equal(await archive.restore([]), 0);
    });

    on('goes from one organization with activities to the next', async ({ port, archive }) => {
      const [first, second] = [idAt(0x10), idAt(0x20)];
      const activities = [
        activityOf(1, { organizationId: second }),
        activityOf(2, { organizationId: first }),
        activityOf(3, { organizationId: first }),
      ];
      await committed(port, { activities });
      assert.equal(await archive.nextOrganization(''), first);
      assert.equal(await archive.nextOrganization(first), second);
      assert.equal(await archive.nextOrganization(second), undefined);
    });
  });
}
