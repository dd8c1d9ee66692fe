// The settings of the files that remember the data outside of the database.

import { optionalText } from './kinds.ts';

export const anchorSettings = {
  anchorFile: optionalText({
    variable: 'KEYWRIGHT_ANCHOR_FILE',
    absent: '`anchor.json` beside the root key',
    sentence:
      'File that remembers, outside of the database, which copy of the data signs; copies that share it know of each other, see docs/backup.md.',
  }),
  logAnchorFile: optionalText({
    variable: 'KEYWRIGHT_LOG_ANCHOR_FILE',
    absent: '`log-anchor.txt` beside the anchor file',
    sentence:
      'File that remembers, outside of the database, the newest checkpoint of the log; best on another disk, see docs/receipts.md.',
  }),
};
