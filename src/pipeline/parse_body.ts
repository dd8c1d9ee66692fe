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

/** Maximum nesting of a request body. Typed data is the deepest that clients send, far below it. */
export const maximumDepth = 32;

/** Maximum values in a request body. The largest body within all other limits has fewer. */
export const maximumValues = 20_000;

/**
 * Parses a raw body as a JSON object, without members that are `null` (some clients write absent members so).
 * Raises `body_malformed` unless the body is well-formed UTF-8 and JSON without lone surrogates or repeated
 * members, at most 32 levels deep and with at most 20,000 values.
 */
export function parseBody(body: Uint8Array): JsonObject {
  const text = textOfUtf8(body);
  if (text === undefined) fail('body_malformed', { reason: 'expected UTF-8' });
  // Counts first, because parsing a large body of tiny values would block other requests for a second.
  const counts = jsonCounts(text, maximumValues);
  if (counts.values > maximumValues) {
    fail('body_malformed', { reason: `more than ${maximumValues} values` });
  }
  const found = { members: 0 };
  const value = withoutNulls(parseJson(text), 0, found);
  // Another parser may use the first of two equal members, not the last.
  if (counts.members !== found.members) {
    const place = placeOfRepetition(text);
    fail('body_malformed', { reason: `\`${place}\` is there twice` });
  }
  if (!isJsonObject(value)) fail('body_malformed', { reason: 'expected a JSON object' });
  return value;
}

/** Returns the organization, in lower case. Raises `field_missing`, `organization_id_malformed`. */
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
    // The message of the engine quotes the body, which errors must not repeat.
    return fail('body_malformed', { reason: 'expected JSON' });
  }
}

/** Returns the value without null members. Counts all members in `found`. */
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
