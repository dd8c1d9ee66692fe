// The operations of the service with their schemas, as they are declared. Fetched by who looks at them.

import type { JsonSchema, Operation } from '../../../src/cli/words/operations.ts';
import { t } from '../../messages/text.ts';

export type Schema = JsonSchema;
export type { Operation };

/** Loads all operations by name. */
export async function fetchOperations(): Promise<ReadonlyMap<string, Operation>> {
  const { default: operations } = await import('../../../src/cli/generated/operations.json');
  // `npm run docs` writes the file from the operations, and a test compares them.
  const rows = Object.entries(operations as unknown as Record<string, Omit<Operation, 'name'>>);
  return new Map(rows.map(([name, row]) => [name, { name, ...row }]));
}

/** Parameters to start from: every member that is required, with a value of its kind. */
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

/** The kind of a member; of what may be a text or a number, the text. */
export function kindOf({ type }: Schema): Kind {
  const all = typeof type === 'string' ? [type] : (type ?? ['string']);
  if (all.includes('string')) return 'string';
  return (all.find((each) => each !== 'null') ?? 'string') as Kind;
}

/** A JSON object from a text, or what is wrong with it. */
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
