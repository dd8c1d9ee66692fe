// Typed data (EIP-712) as policies see it: what no type declares is not signed, and not shown.

import { hex } from '../../../src/core/base/bytes.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { domainFacts, readTypedData } from '../../../src/core/payload/eip712.ts';
import type { TypedValue } from '../../../src/core/payload/eip712_values.ts';
import { t } from '../../messages/text.ts';
import type { Change, Difference } from './differences.ts';

/** Reads a JSON text as typed data. Returns undefined if it is none. */
export function typedDataOf(payload: string): Change | undefined {
  try {
    const data = readTypedData(payload, 'payload');
    const { name = '', verifyingContract } = domainFacts(data);
    return {
      sentence: t('typed.sentence', { type: data.primaryType, name: name || t('typed.unnamed') }),
      differences: [...rowsOf('domain', data.domain), ...rowsOf('message', data.message)],
      warnings: verifyingContract === undefined ? [t('typed.noContract')] : [],
    };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** A row for each value, by its path. */
function rowsOf(path: string, value: TypedValue): readonly Difference[] {
  switch (value.kind) {
    case 'struct':
      return [...value.members].flatMap(([name, member]) => rowsOf(`${path}.${name}`, member));
    case 'list':
      return value.items.flatMap((item, i) => rowsOf(`${path}[${i}]`, item));
    case 'address':
    case 'bytes':
      return [{ what: `${path}: ${value.type}`, signed: `0x${hex(value.value)}` }];
    default:
      return [{ what: `${path}: ${value.type}`, signed: String(value.value) }];
  }
}
