// Owns a data directory until it is killed. Started by `data_directory.test.ts`.

import { openDataDirectory } from '../../src/store/data_directory.ts';

openDataDirectory(process.argv[2] ?? '');
process.send?.('owned');
// The channel to the parent keeps the process alive.
process.on('message', () => {});
