import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { activityOperations, queryOperations, voteOperations } from '../../src/operations/index.ts';
import { versionsOf } from '../../src/operations/openapi/describe_operation.ts';
import { openApiDocument } from '../../src/operations/openapi/openapi.ts';

type Node = { readonly [member: string]: unknown };

// The document as JSON.
const document: Node = JSON.parse(JSON.stringify(openApiDocument('http://127.0.0.1:8080')));
const operations = Object.entries(document['paths'] as Record<string, { post: Node }>).map(
  ([path, { post }]) => ({ path, post }),
);
const { schemas: components } = document['components'] as { schemas: Record<string, Node> };

test('every operation has one path, one name and one summary', () => {
  assert.equal(document['openapi'], '3.1.0');
  assert.deepEqual(document['servers'], [{ url: 'http://127.0.0.1:8080' }]);
  // SVC-04, SVC-05, SVC-07
  const expected = [
    ...Object.keys(activityOperations).map((name) => `/public/v1/submit/${name}`),
    ...Object.keys(voteOperations).map((name) => `/public/v1/submit/${name}`),
    ...Object.keys(queryOperations).map((name) => `/public/v1/query/${name}`),
  ];
  assert.deepEqual(operations.map(({ path }) => path).sort(), expected.sort());
  const names = operations.map(({ post }) => post['operationId']);
  assert.equal(new Set(names).size, names.length);
  const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
  for (const { path, post } of operations) {
    assert.ok(path.endsWith(`/${post['operationId']}`));
    assert.match(String(post['summary']), /^[A-Z].*\.$/, path);
    assert.ok(
      (post['tags'] as string[]).every((tag) => tags.includes(tag)),
      path,
    );
    assert.deepEqual(Object.keys(post['responses'] as Node), ['200', 'default']);
  }
});

test('every reference leads to a component, and every component is referred to', () => {
  const found = new Set(nodesOf(document).flatMap((node) => node['$ref'] ?? []) as string[]);
  for (const reference of found) {
    assert.match(reference, /^#\//);
    const steps = reference.slice(2).split('/');
    const target = steps.reduce<unknown>(
      (node, step) => (node as Node | undefined)?.[step],
      document,
    );
    assert.ok(target !== undefined, reference);
  }
  const schemas = Object.keys((document['components'] as { schemas: Node }).schemas);
  for (const name of schemas) {
    assert.match(name, /^[A-Za-z0-9]+$/);
    assert.ok(found.has(`#/components/schemas/${name}`), name);
  }
});

test('schemas are well formed', () => {
  const schemaTypes = ['object', 'array', 'string', 'integer', 'boolean'];
  for (const node of nodesOf(document)) {
    const { required, properties, items, type } = node;
    if (type === undefined || node['in'] !== undefined || typeof type === 'object') continue;
    if (properties !== undefined && required !== undefined) {
      const names = Object.keys(properties as Node);
      for (const name of required as string[]) assert.ok(names.includes(name), name);
    }
    if (type === 'array') assert.ok(items !== undefined, JSON.stringify(node));
    assert.ok(schemaTypes.includes(String(type)), String(type));
  }
});

test('every property has a title and a sentence', () => {
  const properties = nodesOf(document).flatMap((node) => {
    const members = node['properties'];
    return typeof members === 'object' ? Object.entries(members as Record<string, Node>) : [];
  });
  assert.ok(properties.length > 3_000, `${properties.length} properties`);
  // A member that is a reference needs them too: OpenAPI 3.1 permits them beside it, for its meaning there.
  const without = properties.filter(
    ([, { title, description }]) =>
      typeof title !== 'string' || !/^[A-Z`0-9a-z].*\.$/s.test(String(description)),
  );
  assert.deepEqual(without, []);
});

test('each activity type is offered on its path with its own parameters', () => {
  for (const [name, operation] of Object.entries(activityOperations)) {
    const post = operations.find(({ path }) => path.endsWith(`/submit/${name}`))?.post;
    assert.ok(post);
    const [asked, answered] = [post['requestBody'], post['responses']].map((part) =>
      JSON.stringify(part),
    );
    for (const { wire } of versionsOf(operation)) {
      const typeName = wire.type.slice('ACTIVITY_TYPE_'.length).toLowerCase().replaceAll('_', '');
      // Two spellings of this type differ only by an underscore.
      const end = wire.type === 'ACTIVITY_TYPE_ETH_UNDELEGATE7702' ? 'respelled' : '';
      const request = componentFor(`${typeName}${end}request`, asked);
      assert.ok(JSON.stringify(request).includes(`"const":"${wire.type}"`), wire.type);
      const component = `${wire.intent.slice(0, 1).toUpperCase()}${wire.intent.slice(1)}`;
      assert.ok(JSON.stringify(request).includes(`"#/components/schemas/${component}"`), component);
      const activity = componentFor(`${typeName}${end}activity`, answered);
      assert.ok(JSON.stringify(activity).includes(`"const":"${wire.type}"`), wire.type);
      for (const key of [wire.intent, wire.result]) {
        assert.ok(JSON.stringify(activity).includes(`{"${key}":{"$ref"`), key);
      }
    }
    assert.equal(asked?.includes('"oneOf"'), operation.older.length > 0, name);
  }
});

test('a shape that has a name is nowhere written out again', () => {
  // Parameters and results belong to one type each, even if they are equal to others.
  const shared = Object.entries(components).filter(
    ([name]) => !/(Intent|Result)(V\d)?$/.test(name),
  );
  const named = new Map(shared.map(([name, shape]) => [formOf(shape), name]));
  const bodies = [...Object.values(components), ...operations.map(({ post }) => post)];
  const below = bodies.flatMap((body) => nodesOf(body).slice(1));
  for (const node of below) {
    if (node['$ref'] === undefined) assert.equal(named.get(formOf(node)), undefined);
  }
  for (const name of ['Wallet', 'User', 'Policy', 'Timestamp', 'Curve', 'WalletAccountParams']) {
    assert.ok(Object.hasOwn(components, name), name);
  }
});

test('the schema that all activities share leaves room for the members of each type', () => {
  const { ActivityBase: base, Activity: activity } = components;
  assert.ok(base !== undefined && !('additionalProperties' in base));
  const members = nodesOf(activity).flatMap((node) => Object.keys(node['properties'] ?? {}));
  const all = [...Object.keys(base['properties'] as Node), ...members];
  for (const name of ['id', 'status', 'type', 'intent', 'result', 'votes', 'fingerprint']) {
    assert.equal(all.filter((other) => other === name).length, 1, name);
  }
});

test('names on the wire that come twice mean the same schema', () => {
  const known = new Map<string, string>();
  for (const operation of Object.values(activityOperations)) {
    for (const { wire, parameters, result } of versionsOf(operation)) {
      for (const [name, schema] of [
        [wire.intent, parameters],
        [wire.result, result],
      ] as const) {
        const text = JSON.stringify(schema);
        assert.equal(known.get(name) ?? text, text, name);
        known.set(name, text);
      }
    }
  }
});

// AUTH-01, AUTH-03, AUTH-05
test('one of the two stamps is asked for', () => {
  const { securitySchemes } = document['components'] as { securitySchemes: Record<string, Node> };
  const headers = Object.values(securitySchemes).map(({ name }) => name);
  assert.deepEqual(headers, ['X-Stamp', 'X-Stamp-WebAuthn']);
  const alternatives = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
  assert.deepEqual(document['security'], alternatives);
});

/** Returns the component to which a part of an operation refers, by its name in any letter case. */
function componentFor(name: string, part = ''): Node {
  const found = Object.entries(components).find(([other]) => other.toLowerCase() === name);
  assert.ok(found, name);
  assert.ok(part.includes(`"#/components/schemas/${found[0]}"`), name);
  return found[1];
}

/**
 * Returns a text that is equal for schemas that accept the same values, whatever their titles and
 * descriptions.
 */
function formOf(schema: Node): string {
  return JSON.stringify(schema, (name, value) =>
    (name === 'title' || name === 'description') && typeof value === 'string' ? undefined : value,
  );
}

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(nodesOf);
  return Array.isArray(value) ? below : [value as Node, ...below];
}

test('a validator of others finds the document valid', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.equal(errors, undefined);
  assert.equal(valid, true);
});
