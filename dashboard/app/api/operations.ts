// The operations of the service with their schemas. Loaded on demand.

import type { JsonSchema, Operation } from '../../../src/cli/words/operations.ts';
import { t } from '../../messages/text.ts';

export type Schema = JsonSchema;
export type { Operation };

/** Loads all operations, keyed by name. */
export async function fetchOperations(): Promise<ReadonlyMap<string, Operation>> {
  const { default: operations } = await import('../../../src/cli/generated/operations.json');
  // `npm run docs` generates this file from the operations, and a test compares them.
  const rows = Object.entries(operations as unknown as Record<string, Omit<Operation, 'name'>>);
  return new Map(rows.map(([name, row]) => [name, { name, ...row }]));
}

/** Returns example parameters: every required member, with a placeholder of its type. */
export function exampleOf(schema: Schema): unknown {
  const { properties = {}, required = [], items, enum: choices } = schema;
  if (choices !== undefined) return choices[0];
  switch (kindOf(schema)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => required.includes(name))
          .map(([name, member]) => [name, exampleOf(member)]),
      );
    case 'array':
      return items !== undefined && kindOf(items) === 'object' ? [exampleOf(items)] : [];
    case 'boolean':
      return false;
    case 'integer':
      return Number(schema['minimum'] ?? 0);
    default:
      return '';
  }
}

type Kind = 'object' | 'array' | 'boolean' | 'integer' | 'string';

/** Returns the type of a member. A member that accepts a string or a number counts as a string. */
export function kindOf({ type }: Schema): Kind {
  const all = typeof type === 'string' ? [type] : (type ?? ['string']);
  if (all.includes('string')) return 'string';
  return (all.find((each) => each !== 'null') ?? 'string') as Kind;
}

/** Parses a JSON object. Returns a problem for other JSON and for text that is not JSON. */
export function readJson(text: string): {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
} {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Readonly<Record<string, unknown>> };
    }
    return { problem: t('api.notObject') };
  } catch (error) {
    return { problem: t('api.notJson', { reason: (error as Error).message }) };
  }
}
