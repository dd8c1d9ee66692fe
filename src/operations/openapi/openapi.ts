// Creates the OpenAPI document from the table of operations. Schemas of operations are already JSON Schema.

import { textOfUtf8 } from '../../core/base/bytes.ts';
import { callPaths } from '../../core/base/call_paths.ts';
import { activityKindOf } from '../../core/base/compatibility.ts';
import { errors, ServiceError } from '../../core/errors/errors.ts';
import { decimal, type TSchema, uuid } from '../../core/schema/schema.ts';
import { renderError } from '../../core/views/render_error.ts';
import { activityShape } from '../activities/activity_shape.ts';
import { resources } from '../index.ts';
import type { ActivityOperation, QueryOperation, VoteOperation } from '../operation.ts';
import { described } from '../vocabulary/index.ts';
import type { Wire } from '../wire.ts';
import { pascalCase, sharedComponents } from './components.ts';
import {
  accessSentence,
  type DocumentedVersion,
  queryAccessSentence,
  versionsOf,
  voteAccessSentence,
} from './describe_operation.ts';
import { texted } from './texts.ts';

export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: object;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, { readonly post: PathOperation }>>;
  readonly components: {
    /** JSON Schemas by name. Parameters and results have the names of their wire keys. */
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
};

type PathOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly requestBody: object;
  readonly responses: Readonly<Record<string, object>>;
};

/** Returns the document (OpenAPI 3.1) of the service at a base URL such as `http://127.0.0.1:8080`. */
export function openApiDocument(baseUrl: string): OpenApiDocument {
  const paths: Record<string, { post: PathOperation }> = {};
  const schemas: Record<string, object> = { ...activitySchemas(), ApiError: errorSchema() };
  for (const [resource, { activities, votes = {}, queries }] of Object.entries(resources)) {
    for (const [name, operation] of Object.entries(activities)) {
      paths[`${callPaths.submit}${name}`] = { post: submitOperation(name, resource, operation) };
      for (const version of versionsOf(operation)) {
        const { wire, parameters, result } = version;
        schemas[requestName(wire)] = submitBody(version);
        schemas[activityName(wire)] = activityOf(version);
        schemas[componentName(wire.intent)] = described(name, 'parameters', parameters);
        schemas[componentName(wire.result)] = described(name, 'result', result);
      }
    }
    for (const [name, operation] of Object.entries(votes)) {
      paths[`${callPaths.submit}${name}`] = { post: voteOperation(name, resource, operation) };
      const { type, intent, parameters } = operation;
      schemas[requestName({ type })] = submitBody({ wire: { type, intent } });
      schemas[componentName(intent)] = described(name, 'parameters', parameters);
    }
    for (const [name, operation] of Object.entries(queries)) {
      paths[`${callPaths.query}${name}`] = { post: queryOperation(name, resource, operation) };
    }
  }
  const shared = sharedComponents([...Object.values(schemas), ...Object.values(paths)]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keywright',
      summary: 'Wallet and key management service',
      version: 'v1',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.keys(resources).map((name) => ({ name })),
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths: shared.refer(paths) as typeof paths,
    components: {
      schemas: {
        ...shared.schemas,
        ...Object.fromEntries(
          Object.entries(schemas).map(([name, schema]) => [name, shared.refer(schema)]),
        ),
      },
      responses: { Error: errorResponse },
      securitySchemes,
    },
  };
}

function submitOperation(
  operationId: string,
  resource: string,
  operation: ActivityOperation,
): PathOperation {
  const { subject, summary } = operation;
  const versions = versionsOf(operation);
  const policies = `Policies see resource ${subject.resource}, action ${subject.action}.`;
  return {
    operationId,
    summary,
    description: `${accessSentence(operation)} ${policies}`,
    tags: [resource],
    requestBody: {
      required: true,
      ...jsonContent(oneOfVersions(versions.map(({ wire }) => named(requestName(wire))))),
    },
    responses: answers({
      type: 'object',
      properties: {
        activity: texted(
          'activity',
          oneOfVersions(versions.map(({ wire }) => named(activityName(wire)))),
        ),
      },
      required: ['activity'],
    }),
  };
}

function voteOperation(
  operationId: string,
  resource: string,
  { type, summary }: VoteOperation,
): PathOperation {
  return {
    operationId,
    summary,
    description: voteAccessSentence,
    tags: [resource],
    requestBody: { required: true, ...jsonContent(named(requestName({ type }))) },
    responses: answers({
      type: 'object',
      properties: { activity: texted('activity', named('Activity')) },
      required: ['activity'],
    }),
  };
}

function queryOperation(
  operationId: string,
  resource: string,
  operation: QueryOperation,
): PathOperation {
  const fields = described(operationId, 'body', operation.body);
  const { properties, required = [] }: ObjectSchema = fields;
  const body = {
    ...fields,
    properties: { organizationId: texted('organizationId', uuid()), ...properties },
    required: ['organizationId', ...required],
  };
  return {
    operationId,
    summary: operation.summary,
    description: queryAccessSentence,
    tags: [resource],
    requestBody: { required: true, ...jsonContent(body) },
    responses: answers(described(operationId, 'response', operation.response)),
  };
}

/** The members of an object schema beyond the schema type of the library. */
type ObjectSchema = TSchema & {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
};

/** Returns the body of a submit for one activity type. */
function submitBody({ wire }: { readonly wire: Pick<Wire, 'type' | 'intent'> }): object {
  return {
    type: 'object',
    properties: {
      type: texted('requestType', { type: 'string', const: wire.type }),
      timestampMs: texted('timestampMs', decimal({ minimum: 0, maximum: 8_640_000_000_000_000 })),
      organizationId: texted('organizationId', uuid()),
      parameters: texted('parameters', named(componentName(wire.intent))),
      generateAppProofs: texted('generateAppProofs', { type: 'boolean' }),
      dryRun: texted('dryRun', { type: 'boolean' }),
    },
    required: ['type', 'timestampMs', 'organizationId', 'parameters'],
    additionalProperties: false,
  };
}

/** Returns the common schema of all activity types, and the schema of an activity of any type. */
function activitySchemas(): Readonly<Record<string, object>> {
  const { properties = {}, required }: ObjectSchema = described(
    'get_activity',
    'response',
    activityShape(),
    'activity',
  );
  const { type, intent, result, ...common } = properties;
  return {
    // Allows further members, because other schemas extend it.
    ActivityBase: {
      type: 'object',
      properties: common,
      required: required?.filter((name) => Object.hasOwn(common, name)),
    },
    Activity: activityWith({ type, intent, result }),
  };
}

function activityWith(ofType: object): object {
  const members = { type: 'object', properties: ofType, required: Object.keys(ofType) };
  return { allOf: [named('ActivityBase'), members] };
}

/** Returns the schema of an activity of one type. Its `intent` and `result` have at most one member each. */
function activityOf({ wire }: DocumentedVersion): object {
  const intent = { [wire.intent]: texted('intentOfType', named(componentName(wire.intent))) };
  const result = { [wire.result]: texted('resultOfType', named(componentName(wire.result))) };
  return activityWith({
    type: texted('type', { type: 'string', const: wire.type }),
    intent: texted('intent', { type: 'object', properties: intent, required: [wire.intent] }),
    result: texted('result', { type: 'object', properties: result }),
  });
}

function oneOfVersions(schemas: readonly object[]): object {
  const [only, ...older] = schemas;
  return only === undefined || older.length > 0 ? { oneOf: schemas } : only;
}

function componentName(wireKey: string): string {
  return `${wireKey.slice(0, 1).toUpperCase()}${wireKey.slice(1)}`;
}

type Type = Pick<Wire, 'type'>;
/** Returns the short name of a type, with a suffix for the second spelling of the same type. */
function shortName({ type }: Type): string {
  const kind = type.replace(/^ACTIVITY_TYPE_/, '');
  return `${pascalCase(kind)}${activityKindOf(kind) === kind ? '' : 'Respelled'}`;
}
const requestName = (type: Type) => `${shortName(type)}Request`;
const activityName = (type: Type) => `${shortName(type)}Activity`;

function named(component: string): object {
  return { $ref: `#/components/schemas/${component}` };
}

function jsonContent(schema: object) {
  return { content: { 'application/json': { schema } } };
}

function answers(schema: object): Readonly<Record<string, object>> {
  return {
    200: { description: 'Done.', ...jsonContent(schema) },
    default: { $ref: '#/components/responses/Error' },
  };
}

const errorResponse = {
  description: 'Refused or failed; the status follows from `code` as gRPC gateways map it.',
  ...jsonContent(named('ApiError')),
};

const securitySchemes = {
  stamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Stamp',
    description:
      'base64url of a JSON object with `publicKey`, `scheme` and `signature`: an API key signs the exact bytes of the body.',
  },
  passkeyStamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Stamp-WebAuthn',
    description:
      'A passkey signs the exact bytes of the body: its assertion as a JSON object. Used instead of X-Stamp, never beside it.',
  },
};

/** Derives the schema from a real error, so that both stay equal. */
function errorSchema(): object {
  const field = 'parameters.walletName';
  const refusal = renderError(
    new ServiceError('field_missing', { field }, [{ field, description: 'missing field' }]),
  );
  const example: Record<string, unknown> = JSON.parse(textOfUtf8(refusal.body) ?? '{}');
  const clientCodes = new Set(Object.values(errors).map((row) => row.clientCode));
  const known: Record<string, object> = {
    code: texted('code', { type: 'integer' }),
    message: texted('message', { type: 'string' }),
    details: texted('details', {
      type: 'array',
      items: {
        type: 'object',
        properties: { '@type': texted('detailType', { type: 'string' }) },
        required: ['@type'],
      },
    }),
  };
  const machineCode = texted('machineCode', { type: 'string', enum: [...clientCodes].sort() });
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.keys(example).map((name) => [name, known[name] ?? machineCode]),
    ),
    required: Object.keys(example),
    examples: [example],
  };
}
