// The form in which answers show what was sent in either of two.

import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { TSchema } from './schema.ts';

/** What the schema library does not say of its values. */
type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
};

type Show = (value: Json) => Json;

/**
 * Prepares how a value that was validated is shown: as it was sent, but for whole numbers, which
 * come as text or as JSON numbers and are shown as the schema says. A decoder that declares one of
 * the two refuses the other, and with it the whole list of what others have sent.
 */
export function compileShownForm(schema: TSchema): (value: JsonObject) => JsonObject {
  const members = membersOf(schema as JsonSchema);
  return members.length === 0 ? (value) => value : (value) => withMembers(value, members);
}

/** Nothing where everything is shown as it was sent. */
function compile(schema: JsonSchema): Show | undefined {
  const { type, items } = schema;
  if (typeof type === 'object') return type[0] === 'string' ? String : Number;
  if (items !== undefined) {
    const show = compile(items);
    return show && ((value) => (Array.isArray(value) ? value.map(show) : value));
  }
  const members = membersOf(schema);
  if (members.length === 0) return undefined;
  return (value) => (isJsonObject(value) ? withMembers(value, members) : value);
}

function membersOf({ properties = {} }: JsonSchema): readonly (readonly [string, Show])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const show = compile(schema);
    return show === undefined ? [] : [[name, show] as const];
  });
}

function withMembers(value: JsonObject, members: readonly (readonly [string, Show])[]): JsonObject {
  const shown: Record<string, Json> = {};
  for (const [name, show] of members) {
    const sent = Object.hasOwn(value, name) ? value[name] : undefined;
    if (sent !== undefined) shown[name] = show(sent);
  }
  return { ...value, ...shown };
}
