// Names of the policy language for Tempo transactions.

import type { StructRows } from './row.ts';

/** One row per struct, one line per member. */
export const tempoNames = {
  Tempo: { holdsNamespaces: true, fields: { tx: 'TempoTransaction' } },
  TempoTransaction: {
    fields: {
      chain_id: 'int',
      nonce: 'int',
      gas_limit: 'int',
      max_fee_per_gas: 'int',
      max_priority_fee_per_gas: 'int',
      valid_before: 'int',
      valid_after: 'int',
      from: { type: 'string', isCaseless: true },
      fee_token: { type: 'string', isCaseless: true },
      calls: 'list<TempoCall>',
    },
  },
  TempoCall: {
    fields: {
      to: { type: 'string', isCaseless: true },
      input: { type: 'string', isCaseless: true, holdsWholeData: true },
      function_signature: 'string',
    },
  },
} as const satisfies StructRows;
