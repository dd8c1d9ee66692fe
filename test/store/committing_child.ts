// Opens a data directory and commits without end, sending the id of each acknowledged commit. Started by
// `sqlite.test.ts`, which kills it.

import { join } from 'node:path';
import { openDataDirectory } from '../../src/store/data_directory/data_directory.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { activityOf, changeOf, recordOf } from './samples.ts';

const [path = '', round = '0'] = process.argv.slice(2);
openDataDirectory(path);
const { port } = openSqliteStore({ file: join(path, 'keywright.db') });
const body = new Uint8Array(2_500).fill(7);
let next = Number(round) * 1_000_000;

async function commitForever(): Promise<void> {
  for (;;) {
    next += 1;
    const activity = activityOf(next, { body });
    const outcome = await port.commit(
      changeOf({ activities: [activity], records: [recordOf(next)] }),
    );
    if (outcome !== 'committed') throw new Error(`the change was refused: ${outcome}`);
    process.send?.(activity.id);
  }
}

await Promise.all(Array.from({ length: 16 }, commitForever));
