// Writes the shapes of the answers to queries. The dashboard uses them to reject malformed answers.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityShape } from '../src/operations/activities/activity_shape.ts';
import { resources } from '../src/operations/index.ts';

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

/** Longer enumerations grow with the service; older pages show unknown values unchanged. */
const longestEnumeration = 12;

/** The source of `dashboard/app/generated/answer_shapes.ts`. */
export function answerShapes(): string {
  const sources = readSources();
  const rows = Object.values(resources).flatMap((resource) =>
    Object.entries(resource.queries)
      .filter(([name]) => sources.includes(`'${name}'`))
      .map(([name, { response }]) => `  ${name}: ${shapeOf(response as Schema)},\n`),
  );
  return `// Written by \`npm run docs\` from the operations of the service: do not edit.

import type { Shape } from '../service/shape.ts';

const activity: Shape = ${membersOf(activityShape() as Schema)};

/** The members of the answers to the queries that the page and the client library send. */
export const answerShapes: Readonly<Record<string, Shape>> = {
${rows.join('')}};
`;
}

/** Returns the sources that send queries. The API explorer shows answers to other queries unchecked. */
function readSources(): string {
  const root = join(import.meta.dirname, '..');
  const files = globSync(['dashboard/app/**/*.{ts,tsx}', 'src/client/*.ts'], { cwd: root });
  return files
    .filter((file) => !file.includes('generated'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
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

/** A nested activity has the same shape. */
const isActivity = ({ properties = {} }: Schema): boolean =>
  ['fingerprint', 'intent', 'votes', 'canApprove'].every((name) => Object.hasOwn(properties, name));
