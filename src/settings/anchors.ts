// Settings of the anchor files outside of the database, which reveal a rollback of the data.

import { choice, optionalText, toggle } from './kinds.ts';

export const anchorSettings = {
  receipts: toggle({
    variable: 'KEYWRIGHT_RECEIPTS',
    fallback: false,
    sentence:
      'Appends each activity to the log of the deployment, which receipts prove; all nodes of a database need the same value. See docs/receipts.md.',
  }),
  anchorFile: optionalText({
    variable: 'KEYWRIGHT_ANCHOR_FILE',
    absent: '`anchor.json` next to the root key',
    sentence:
      'File outside of the database that records which copy of the data signs; copies that share the file detect each other. See docs/backup.md.',
  }),
  witnessPolicy: optionalText({
    variable: 'KEYWRIGHT_WITNESS_POLICY',
    absent: 'no witnesses',
    sentence:
      'Policy file (C2SP tlog-policy) with the witnesses that cosign the log, and their URLs; see docs/receipts.md.',
  }),
  witnessStart: choice({
    variable: 'KEYWRIGHT_WITNESS_START',
    fallback: 'warn',
    choices: ['warn', 'require'],
    sentence:
      'A start fetches the newest checkpoints of the witnesses. With `warn`, a missing answer causes a warning; `require` needs answers of the quorum of the policy.',
  }),
  logAnchorFile: optionalText({
    variable: 'KEYWRIGHT_LOG_ANCHOR_FILE',
    absent: '`log-anchor.txt` next to the anchor file',
    sentence:
      'File outside of the database that records the newest checkpoint of the log, best on another disk; see docs/receipts.md.',
  }),
};
