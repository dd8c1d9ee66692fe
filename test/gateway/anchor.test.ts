// The anchor file, which names the copy of the data that may sign.

import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { anchorHandlers, readAnchor } from '../../src/gateway/custody/anchor.ts';
import { withTemporaryDirectory } from '../store/temporary_directory.ts';

const organizationId = '01a205ac-48e3-74b0-9a8f-4777ece305a4';

test('an anchor is raised, and keeps a copy that was accepted meanwhile', () =>
  withTemporaryDirectory(async (folder) => {
    const file = join(folder, 'anchor.json');
    const { anchor, setAnchor } = anchorHandlers(file);
    assert.deepEqual(await anchor(undefined), { anchor: undefined });
    for (const [epoch, kept, raised] of [
      [1, 1, true],
      [3, 3, true],
      // A record of a service that started before the copy was accepted.
      [1, 3, false],
      // Two copies that were accepted at the same time.
      [3, 3, false],
      [4, 4, true],
    ] as const) {
      assert.deepEqual(await setAnchor({ organizationId, epoch }), { raised });
      assert.deepEqual(readAnchor(file), { organizationId, epoch: kept });
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
  }));

test('a file that is not an anchor is neither read nor replaced', () =>
  withTemporaryDirectory(async (folder) => {
    const file = join(folder, 'anchor.json');
    const { setAnchor } = anchorHandlers(file);
    for (const text of ['', '{}', 'null', '{"organizationId":1,"epoch":1}', '{"epoch":1.5}']) {
      writeFileSync(file, text);
      assert.throws(() => readAnchor(file), /does not hold an organization and an epoch/);
      await assert.rejects(async () => setAnchor({ organizationId, epoch: 9 }), /does not hold/);
    }
  }));
