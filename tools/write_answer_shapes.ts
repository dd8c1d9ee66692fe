// Writes the shapes of the answers to queries, by which the dashboard refuses an answer that is malformed.

import { activityShape } from '../src/operations/activities/activity_shape.ts';
import { resources } from '../src/operations/index.ts';

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

/** Longer enumerations grow with the service; a page of an older package shows their values as they are. */
const longestEnumeration = 12;

/** The source of `dashboard/app/generated/answer_shapes.ts`. */
export function answerShapes(): string {
  const rows = Object.values(resources).flatMap((resource) =>
    Object.entries(resource.queries).map(
      ([name, { response }]) => `  ${name}: ${shapeOf(response as Schema)},\n`,
    ),
  );
  return `// Written by \`npm run docs\` from the operations of the service: do not edit.

import type { Shape } from '../service/shape.ts';

const activity: Shape = ${membersOf(activityShape() as Schema)};

/** The members of the answer to each query. */
export const answerShapes: Readonly<Record<string, Shape>> = {
${rows.join('')}};
`;
}

function shapeOf(schema: Schema): string {
  const { type, enum: values, properties, items } = schema;
  if (isActivity(schema)) return 'activity';
  if (values !== undefined && values.length <= longestEnumeration) return `'${values.join('|')}'`;
  if (items !== undefined) return `[${shapeOf(items)}]`;
  if (properties !== undefined) return membersOf(schema);
  return `'${Array.isArray(type) ? 'text' : type}'`;
}

function membersOf({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, member]) =>
    required.includes(name) ? `${name}: ${shapeOf(member)}` : `'${name}?': ${shapeOf(member)}`,
  );
  return `{ ${members.join(', ')} }`;
}

/** An activity within another answer is the same shape. */
const isActivity = ({ properties = {} }: Schema): boolean =>
  ['fingerprint', 'intent', 'votes', 'canApprove'].every((name) => Object.hasOwn(properties, name));
