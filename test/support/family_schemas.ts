// Compares schemas of the service with the types that the API family's complete client declares for the same
// request or answer.

import type { TSchema } from '../../src/core/schema/schema.ts';
import type { Deviation, FamilyType, FamilyTypes } from './family_types.ts';

/** The members of JSON Schemas that the comparison reads. */
type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: object;
  readonly additionalProperties?: boolean | object;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

/**
 * Returns every place at which a schema refuses a request that the named type allows: a member or a value
 * that it does not know, another JSON type, or a member that only the schema requires. Members and freedoms
 * that only the service has are left out.
 */
export function refusalsBeyond(
  { definitions }: FamilyTypes,
  name: string,
  ours: TSchema,
): readonly Deviation[] {
  const found: Deviation[] = [];
  compare({ kind: 'reference', name }, ours as Schema, '$');
  return found;

  function compare(type: FamilyType, schema: Schema, path: string): void {
    const forms = schema.anyOf ?? schema.oneOf ?? [schema];
    const allows = (kind: string) => forms.some((form) => typesOf(form).includes(kind));
    if (type.kind === 'reference') {
      const definition = definitions.get(type.name);
      if (definition === undefined) throw new Error(`no type ${type.name}`);
      compare(definition.type, schema, path);
    } else if (type.kind === 'object') {
      if (allows('object')) compareMembers(type, forms, path);
      else found.push(`${path}: no object`);
    } else if (type.kind === 'list') {
      const items = forms.find(({ items }) => items !== undefined)?.items;
      if (items === undefined) found.push(`${path}: no list`);
      else compare(type.item, items, `${path}[]`);
    } else if (type.kind === 'literals') {
      const values = forms.flatMap(valuesOf);
      const isFree = values.length === 0 && allows('string');
      for (const value of type.values)
        if (!(isFree || values.includes(value))) found.push(`${path}: not ${value}`);
    } else if (type.kind !== 'any') {
      if (!jsonTypes[type.kind].some(allows)) found.push(`${path}: no ${type.kind}`);
    }
  }

  function compareMembers(
    { members }: FamilyType & { kind: 'object' },
    forms: readonly Schema[],
    path: string,
  ): void {
    const known = new Map(forms.flatMap(({ properties = {} }) => Object.entries(properties)));
    const isOpen = forms.some(
      ({ patternProperties, additionalProperties }) =>
        patternProperties !== undefined || typeof additionalProperties === 'object',
    );
    for (const [name, { type, isOptional }] of members) {
      const schema = known.get(name);
      if (schema !== undefined) compare(type, schema, `${path}.${name}`);
      else if (!isOpen) found.push(`${path}.${name}: unknown`);
      const isRequired = forms.every(({ required = [] }) => required.includes(name));
      if (isOptional && isRequired) found.push(`${path}.${name}: required`);
    }
    for (const name of known.keys()) {
      const isRequired = forms.every(({ required = [] }) => required.includes(name));
      if (isRequired && !members.has(name)) found.push(`${path}.${name}: required`);
    }
  }
}

/**
 * Returns every place at which an answer of a schema can differ from the named type: a declared member that
 * the schema lacks or does not require, another JSON type, or a value outside of the declared list. Members
 * that only the service has are left out.
 */
export function surprisesOf(
  { definitions }: FamilyTypes,
  name: string,
  ours: TSchema,
): readonly Deviation[] {
  const found: Deviation[] = [];
  compare({ kind: 'reference', name }, ours as Schema, '$');
  return found;

  function compare(type: FamilyType, schema: Schema, path: string): void {
    const forms = schema.anyOf ?? schema.oneOf ?? [schema];
    const given = forms.flatMap(typesOf);
    const isAlways = (kinds: readonly string[]) =>
      given.length > 0 && given.every((kind) => kinds.includes(kind));
    if (type.kind === 'reference') {
      const definition = definitions.get(type.name);
      if (definition === undefined) throw new Error(`no type ${type.name}`);
      compare(definition.type, schema, path);
    } else if (type.kind === 'object') {
      if (isAlways(['object'])) compareMembers(type, forms, path);
      else found.push(`${path}: no object`);
    } else if (type.kind === 'list') {
      const items = forms.find(({ items }) => items !== undefined)?.items;
      if (items === undefined) found.push(`${path}: no list`);
      else compare(type.item, items, `${path}[]`);
    } else if (type.kind === 'literals') {
      const values = forms.flatMap(valuesOf).map(String);
      if (values.length === 0) found.push(`${path}: any text`);
      for (const value of values) if (!type.values.has(value)) found.push(`${path}: also ${value}`);
    } else if (type.kind !== 'any') {
      if (!isAlways(jsonTypes[type.kind])) found.push(`${path}: no ${type.kind}`);
    }
  }

  function compareMembers(
    { members }: FamilyType & { kind: 'object' },
    forms: readonly Schema[],
    path: string,
  ): void {
    const known = new Map(forms.flatMap(({ properties = {} }) => Object.entries(properties)));
    if (known.size === 0 && members.size > 0) {
      found.push(`${path}: any object`);
      return;
    }
    for (const [name, { type, isOptional }] of members) {
      const schema = known.get(name);
      if (schema === undefined) {
        found.push(`${path}.${name}: absent`);
        continue;
      }
      compare(type, schema, `${path}.${name}`);
      const isRequired = forms.every(({ required = [] }) => required.includes(name));
      if (!isOptional && !isRequired) found.push(`${path}.${name}: optional`);
    }
  }
}

const jsonTypes = {
  text: ['string'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
} as const satisfies Partial<Record<FamilyType['kind'], readonly string[]>>;

function typesOf(schema: Schema): readonly string[] {
  const { type = [], properties } = schema;
  const declared = typeof type === 'string' ? [type] : type;
  const implied = properties === undefined ? [] : ['object'];
  return [...declared, ...implied, ...valuesOf(schema).map((value) => typeof value)];
}

function valuesOf(schema: Schema): readonly unknown[] {
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
}
