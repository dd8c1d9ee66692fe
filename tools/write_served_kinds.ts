// Writes the kinds of activities that the operations serve, for the policy language and for filters.

import { kindOf } from '../src/core/policy/decision/activity_kind.ts';
import { activityOperations, voteOperations } from '../src/operations/index.ts';
import { versionsOf } from '../src/operations/openapi/describe_operation.ts';

/** Returns the source of `src/core/generated/served_kinds.ts`. */
export function servedKinds(): string {
  const rows = Object.values(activityOperations).map((operation) => {
    const kind = kindOf(operation.wire.type);
    const types = versionsOf(operation)
      .map(({ wire }) => wire.type)
      .sort((a, b) => placeOf(a, kind) - placeOf(b, kind));
    const { resource, action } = operation.subject;
    const members = { kind, resource, action, authority: operation.authority, types };
    return `  ${literalOf(members)},\n`;
  });
  const votes = Object.values(voteOperations).map(({ type }) => type);
  return `// Written by \`npm run docs\` from the operations of the service: do not edit.

/** The kinds of activities, with the types of each: the oldest first. */
export const servedKinds = [
${rows.join('')}] as const;

/** The types of votes. */
export const voteTypes: readonly string[] = ${literalOf(votes)};
`;
}

/** Sorts the types of a kind by version; a second spelling of the first version comes after it. */
function placeOf(type: string, kind: string): number {
  if (type === `ACTIVITY_TYPE_${kind}`) return 0;
  return Number(/_V(\d+)$/.exec(type)?.[1] ?? 1);
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  const members = Object.entries(value ?? {}).map(([name, each]) => `${name}: ${literalOf(each)}`);
  return `{ ${members.join(', ')} }`;
}
