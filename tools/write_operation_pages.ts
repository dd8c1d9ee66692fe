// Writes the pages that describe every operation, from the table of operations.

import { callPaths } from '../src/core/base/call_paths.ts';
import { featureNames } from '../src/core/base/enums.ts';
import type { TSchema } from '../src/core/schema/schema.ts';
import { expectedValue, features } from '../src/core/settings/features.ts';
import { resources } from '../src/operations/index.ts';
import {
  accessSentence,
  type DocumentedVersion,
  queryAccessSentence,
  versionsOf,
  voteAccessSentence,
} from '../src/operations/openapi/describe_operation.ts';
import type {
  ActivityOperation,
  QueryOperation,
  VoteOperation,
} from '../src/operations/operation.ts';
import { described } from '../src/operations/vocabulary/index.ts';

/** Returns the reference in Markdown, by path below `docs/`: an index and a page for each resource. */
export function operationPages(): Readonly<Record<string, string>> {
  const enumerations = new Map<string, readonly string[]>();
  const pages = Object.entries(resources).map(
    ([resource, operations]) =>
      [pathOf(resource), resourcePage(resource, operations, enumerations)] as const,
  );
  const sections = Object.entries(resources).map(([resource, operations]) =>
    indexSection(resource, operations),
  );
  const last = [featureSection(), enumerationSection(enumerations)];
  return {
    'operations.md': `${[introduction, ...sections, ...last].join('\n\n')}\n`,
    ...Object.fromEntries(pages),
  };
}

type Resource = (typeof resources)[keyof typeof resources];

const pathOf = (resource: string): string => `operations/${resource}.md`;

/** Lists the operations of a resource, each with a link to its description. */
function indexSection(resource: string, { activities, votes = {}, queries }: Resource): string {
  const rows = Object.entries({ ...activities, ...votes, ...queries }).map(
    ([name, { summary }]) =>
      `| [\`${name}\`](${pathOf(resource)}#${name}) | ${summary.replaceAll('|', '\\|')} |`,
  );
  return [
    `## ${titleOf(resource)}`,
    ['| operation | effect |', '|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}

/** Describes each operation of a resource: path, types, access, parameters and result. */
function resourcePage(
  resource: string,
  { activities, votes = {}, queries }: Resource,
  enumerations: Map<string, readonly string[]>,
): string {
  const sections = [
    ...Object.entries(activities).map(([name, operation]) =>
      activitySection(name, operation, enumerations),
    ),
    ...Object.entries(votes).map(([name, operation]) => voteSection(name, operation, enumerations)),
    ...Object.entries(queries).map(([name, operation]) =>
      querySection(name, operation, enumerations),
    ),
  ];
  return `${[`# ${titleOf(resource)}`, ...sections].join('\n\n')}\n`;
}

const introduction = `# Operations

Every operation is an HTTP \`POST\` with a JSON body and a stamp header; the OpenAPI document of a running
service is at \`/openapi.json\`.

- **Activities** (\`/public/v1/submit/…\`) change or sign something. The body has \`type\`, \`timestampMs\`,
  \`organizationId\`, \`parameters\` and optionally \`generateAppProofs\` and \`dryRun\`; the answer is \`{ "activity": … }\`,
  whose \`intent\` and \`result\` have one member each, named below. The same path accepts types of
  older versions, and answers with the names of that version.
- **Queries** (\`/public/v1/query/…\`) read. The body has \`organizationId\` and the members listed below.
  Access: ${queryAccessSentence}
- The same body sent again, in whatever state the activity is, gives the same activity, never a second effect.
- Ids are UUIDs in any letter case. A member that is \`null\` counts as absent. An unknown member is left out and named in
  \`warnings\`, or refused if it may change the effect of the request.
- A sub-organization starts with the features \`FEATURE_NAME_EMAIL_AUTH\`, \`FEATURE_NAME_OTP_EMAIL_AUTH\`,
  \`FEATURE_NAME_SMS_AUTH\` and \`FEATURE_NAME_EMAIL_RECOVERY\`, unless the request that creates it switches them off.
  A parent organization starts without features.`;

function activitySection(
  name: string,
  operation: ActivityOperation,
  enumerations: Map<string, readonly string[]>,
): string {
  const { subject, summary, parameters, result } = operation;
  const [newest, ...older] = versionsOf(operation);
  return [
    `## ${name}`,
    summary,
    [
      `- \`POST ${callPaths.submit}${name}\``,
      ...(newest === undefined ? [] : [`- Type ${wireNames(newest)}`]),
      ...older.map(
        (version) => `- Older type ${wireNames(version)}${differences(version, operation)}`,
      ),
      `- Access: ${accessSentence(operation)}`,
      `- Policies see: resource \`${subject.resource}\`, action \`${subject.action}\``,
    ].join('\n'),
    ...fieldTable('Parameters', described(name, 'parameters', parameters), enumerations),
    ...fieldTable('Result', described(name, 'result', result), enumerations),
  ].join('\n\n');
}

function voteSection(
  name: string,
  { type, summary, parameters }: VoteOperation,
  enumerations: Map<string, readonly string[]>,
): string {
  return [
    `## ${name}`,
    summary,
    `- \`POST ${callPaths.submit}${name}\`\n- Type \`${type}\`\n- Access: ${voteAccessSentence}`,
    ...fieldTable('Parameters', described(name, 'parameters', parameters), enumerations),
  ].join('\n\n');
}

function querySection(
  name: string,
  { summary, body, response, findsChild }: QueryOperation,
  enumerations: Map<string, readonly string[]>,
): string {
  const finds =
    '\n- The id of a parent is accepted for a credential of one of its sub-organizations';
  return [
    `## ${name}`,
    summary,
    `- \`POST ${callPaths.query}${name}\`${findsChild === undefined ? '' : finds}`,
    ...fieldTable('Body, besides `organizationId`', described(name, 'body', body), enumerations),
    ...fieldTable('Response', described(name, 'response', response), enumerations),
  ].join('\n\n');
}

function wireNames({ wire }: DocumentedVersion): string {
  return `\`${wire.type}\`: intent \`${wire.intent}\`, result \`${wire.result}\``;
}

/** Describes the differences of an older version: missing parameters, their substitutes, and its result. */
function differences(version: DocumentedVersion, newest: ActivityOperation): string {
  const now = fieldsOf(newest.parameters).map((field) => field.name);
  const then = fieldsOf(version.parameters).map((field) => field.name);
  const without = outermost(now.filter((name) => !then.includes(name)));
  const instead = outermost(then.filter((name) => !now.includes(name)));
  return [
    without.length === 0 ? '' : `; without ${listed(without)}`,
    instead.length === 0 ? '' : `; with ${listed(instead)}`,
    version.result === newest.result
      ? ''
      : `; the result has ${listed(outermost(fieldsOf(version.result).map((field) => field.name)))}`,
  ].join('');
}

/** Returns the names of members without those of nested members. */
function outermost(names: readonly string[]): string[] {
  return names.filter(
    (name) => !names.some((other) => name.startsWith(`${other}.`) || name.startsWith(`${other}[]`)),
  );
}

type Field = { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean };

type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};

/** Lists members at all depths: `accounts`, `accounts[].path`, `wallet.walletName`. */
function fieldsOf(schema: TSchema): Field[] {
  return membersOf(schema as JsonSchema, '');
}

function membersOf(schema: JsonSchema, prefix: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, of]) => {
    const name = `${prefix}${member}`;
    const isRequired = schema.required?.includes(member) ?? false;
    const items = of.type === 'array' ? of.items : undefined;
    const below = items === undefined ? membersOf(of, `${name}.`) : membersOf(items, `${name}[].`);
    // A time counts as one field, even if it has several members.
    return [{ name, schema: of, isRequired }, ...(isTimestamp(of) ? [] : below)];
  });
}

function isTimestamp({ properties = {} }: JsonSchema): boolean {
  return Object.keys(properties).join() === 'seconds,nanos';
}

function fieldTable(
  title: string,
  schema: TSchema,
  enumerations: Map<string, readonly string[]>,
): string[] {
  const rows = fieldsOf(schema).map(({ name, schema: of, isRequired }) => {
    const cells = [
      `\`${name}\``,
      typeOf(of),
      isRequired ? 'yes' : 'no',
      boundsOf(of, enumerations),
      (of.description ?? '').replaceAll('|', '\\|').replaceAll('](#', '](../operations.md#'),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  if (rows.length === 0) return [`${title}: none.`];
  return [
    `${title}:`,
    ['| member | type | required | bounds | meaning |', '|---|---|---|---|---|', ...rows].join(
      '\n',
    ),
  ];
}

function typeOf(schema: JsonSchema): string {
  if (isTimestamp(schema)) return 'Timestamp object';
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (Array.isArray(schema.type)) return 'decimal text or number';
  if (schema.enum !== undefined) return 'enumeration';
  return String(schema.type);
}

function boundsOf(schema: JsonSchema, enumerations: Map<string, readonly string[]>): string {
  const { enum: values, format } = schema;
  const ofItems = schema.items === undefined ? '' : boundsOf(schema.items, enumerations);
  const bounds = [
    range(schema.minItems, schema.maxItems, 'items'),
    ofItems === '' || schema.items?.properties !== undefined ? '' : `each ${ofItems}`,
    format === 'uuid' ? 'UUID' : range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minimum, schema.maximum, ''),
    format === 'label' ? 'no control characters' : '',
    values === undefined ? '' : enumerationOf(values, enumerations),
  ];
  return bounds.filter((words) => words !== '').join('; ');
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string {
  if (maximum === undefined) return '';
  return `${minimum ?? 0} to ${maximum} ${unit}`.trim();
}

/** Short enumerations are in the table, long ones in a separate section. */
function enumerationOf(
  values: readonly string[],
  enumerations: Map<string, readonly string[]>,
): string {
  const prefix = commonPrefix(values);
  if (values.length <= 4 || prefix === '') return listed(values);
  enumerations.set(prefix, values);
  return `one of the ${values.length} values of [\`${prefix}…\`](../operations.md#enumerations)`;
}

function commonPrefix(values: readonly string[]): string {
  const [first = '', ...others] = values;
  let length = first.lastIndexOf('_') + 1;
  while (length > 0 && !others.every((value) => value.startsWith(first.slice(0, length)))) {
    length = first.lastIndexOf('_', length - 2) + 1;
  }
  return first.slice(0, length);
}

function enumerationSection(enumerations: ReadonlyMap<string, readonly string[]>): string {
  const rows = [...enumerations].map(
    ([prefix, values]) =>
      `- \`${prefix}…\`: ${values.map((value) => `\`${value.slice(prefix.length)}\``).join(', ')}`,
  );
  return ['## Enumerations', rows.join('\n')].join('\n\n');
}

/** Describes every feature that an organization can set. */
function featureSection(): string {
  const rows = featureNames.map(
    (name) => `| \`${name}\` | ${expectedValue(name)} | ${features[name].effect} |`,
  );
  const heading = '| feature | value | effect where it is set |\n|---|---|---|';
  const intent =
    'The service stores every feature, including features without an effect in this version:\nunsigned deliveries and the rent that sponsors pay.';
  return ['## Organization features', intent, [heading, ...rows].join('\n')].join('\n\n');
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** Words of resources with a spelling of their own. */
const spelledWords: Readonly<Record<string, string>> = {
  api: 'API',
  ip: 'IP',
  mfa: 'MFA',
  oauth: 'OAuth',
};

function titleOf(resource: string): string {
  const words = resource.split('_').map((word) => spelledWords[word] ?? word);
  const title = words.join(' ');
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`;
}
