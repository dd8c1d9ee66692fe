// Typed data (EIP-712) as policies see it: what no type declares is not signed, and not shown.

import { ServiceError } from '../../../src/core/errors/errors.ts';
import { domainFacts, readTypedData } from '../../../src/core/payload/eip712.ts';
import { typedRows } from '../../../src/core/payload/eip712_rows.ts';
import { t } from '../../messages/text.ts';
import type { Change } from './differences.ts';

/** Reads a JSON text as typed data. Returns undefined if it is none. */
export function typedDataOf(payload: string): Change | undefined {
  try {
    const data = readTypedData(payload, 'payload');
    const { name = '', verifyingContract } = domainFacts(data);
    return {
      sentence: t('typed.sentence', { type: data.primaryType, name: name || t('typed.unnamed') }),
      differences: typedRows(data).map(({ path, type, text }) => ({
        what: `${path}: ${type}`,
        signed: text,
      })),
      warnings: verifyingContract === undefined ? [t('typed.noContract')] : [],
    };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
