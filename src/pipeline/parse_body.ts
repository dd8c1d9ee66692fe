import { textOfUtf8 } from '../core/base/bytes.ts';
import { fail } from '../core/errors/errors.ts';
import { isUuid } from '../core/schema/formats.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonCounts,
  placeOfRepetition,
} from '../core/schema/json.ts';

/** Nesting of a request body; typed data, the deepest thing clients send, stays far below. */
export const maximumDepth = 32;

/** Values in a request body; the largest that fits all other limits has fewer. */
export const maximumValues = 20_000;

/**
 * The JSON object of a raw body, members that are `null` left out (some clients write absent ones
 * so). Raises `body_malformed` for anything but one well-formed UTF-8 JSON object without lone
 * surrogates, in which every object names each member once, nested at most 32 deep, of at most 20,000
 * values.
 */
export function parseBody(body: Uint8Array): JsonObject {
  const text = textOfUtf8(body);
  if (text === undefined) fail('body_malformed', { reason: 'expected UTF-8' });
  // A stranger may send a large body of tiny values, which would hold everybody up for a second.
  const counts = jsonCounts(text, maximumValues);
  if (counts.values > maximumValues) {
    fail('body_malformed', { reason: `more than ${maximumValues} values` });
  }
  const found = { members: 0 };
  const value = withoutNulls(parseJson(text), 0, found);
  // Another reader of the signed bytes may take the first of two equal members, not the last.
  if (counts.members !== found.members) {
    const place = placeOfRepetition(text);
    fail('body_malformed', { reason: `\`${place}\` is there twice` });
  }
  if (!isJsonObject(value)) fail('body_malformed', { reason: 'expected a JSON object' });
  return value;
}

/** The organization a request names, lower case. Raises `field_missing`, `organization_id_malformed`. */
export function organizationIdOf(body: JsonObject): string {
  const organizationId = body['organizationId'];
  if (organizationId === undefined) {
    const field = 'organizationId';
    fail('field_missing', { field }, [{ field, description: 'missing field' }]);
  }
  if (typeof organizationId !== 'string' || !isUuid(organizationId)) {
    const got =
      typeof organizationId === 'string'
        ? organizationId.slice(0, 64).toWellFormed()
        : typeof organizationId;
    fail('organization_id_malformed', { got }, [
      { field: 'organizationId', description: 'expected a UUID' },
    ]);
  }
  return organizationId.toLowerCase();
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The engine's own sentence quotes the body, which may hold what no error should repeat.
    return fail('body_malformed', { reason: 'expected JSON' });
  }
}

/** The value without members that are null; all members are counted. */
function withoutNulls(value: Json, depth: number, found: { members: number }): Json {
  if (typeof value === 'string') return checkText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maximumDepth) {
    fail('body_malformed', { reason: `nested more than ${maximumDepth} deep` });
  }
  if (!isJsonObject(value)) return value.map((item) => withoutNulls(item, depth + 1, found));
  /** Created only for a changed member, because most bodies have no null. */
  let members: [string, Json | undefined][] | undefined;
  let seen = 0;
  for (const name in value) {
    checkText(name);
    const member = value[name] ?? null;
    const kept = member === null ? undefined : withoutNulls(member, depth + 1, found);
    if (kept !== member) members ??= Object.entries(value).slice(0, seen);
    if (kept !== undefined) members?.push([name, kept]);
    seen += 1;
  }
  found.members += seen;
  // fromEntries defines members, so that `__proto__` is a member like any other.
  return members === undefined ? value : Object.fromEntries(members);
}

function checkText(text: string): string {
  if (!text.isWellFormed()) fail('body_malformed', { reason: 'text holds a lone surrogate' });
  return text;
}
