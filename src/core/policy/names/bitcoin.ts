// Names of the policy language for Bitcoin transactions.

import type { StructRows } from './row.ts';

/** One row per struct, one line per member. */
export const bitcoinNames = {
  Bitcoin: { holdsNamespaces: true, fields: { tx: 'BitcoinTransaction' } },
  BitcoinTransaction: {
    fields: {
      version: 'string',
      inputs: 'list<BitcoinInput>',
      outputs: 'list<BitcoinOutput>',
      locktime: 'BitcoinLocktime',
      fee: {
        type: 'int',
        absentBecause:
          'not every signature commits to the amount of each input, and no previous transaction proves it',
      },
    },
  },
  BitcoinInput: { fields: { tx_id: 'string', vout: 'int', sequence: 'int' } },
  BitcoinOutput: {
    fields: {
      value: 'int',
      script_pubkey: 'string',
      address: { type: 'string', hasSpellings: true },
      address_type: { type: 'string', isCaseless: true },
    },
  },
  BitcoinLocktime: {
    fields: { amount: 'int', type: { type: 'string', oneOf: ['Seconds', 'Blocks'] } },
  },
} as const satisfies StructRows;
