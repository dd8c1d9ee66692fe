// Opens a data directory until the process is killed. Started by `data_directory.test.ts`.

import assert from 'node:assert/strict';
import { openDataDirectory } from '../../src/store/data_directory/data_directory.ts';

const path = process.argv[2] ?? '';
openDataDirectory(path);
// A second attempt in the same process must not release the lock.
assert.throws(() => openDataDirectory(path));
process.send?.('owned');
// The channel to the parent keeps the process alive.
process.on('message', () => {});
