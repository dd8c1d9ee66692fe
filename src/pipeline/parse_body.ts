import { textOfUtf8 } from '../core/base/bytes.ts';
import { finish, finishInParts, type Steps } from '../core/base/steps.ts';
import { fail } from '../core/errors/errors.ts';
import { isUuid } from '../core/schema/formats.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonCounts,
  placeOfRepetition,
} from '../core/schema/json.ts';
import { jsonCountsInSteps } from '../core/schema/json_counts.ts';
import { charactersOfPart, parsedJsonInSteps } from '../core/schema/long_json.ts';

/** Maximum nesting of a request body. Typed data is the deepest that clients send, far below it. */
export const maximumDepth = 32;

/** Maximum values in a request body. The largest body within all other limits has fewer. */
export const maximumValues = 20_000;

/** Maximum characters of all member names together, because the parser hashes every name. */
export const maximumNameCharacters = 256 * 1024;

/** Larger bodies are parsed with pauses between the steps, because each step takes milliseconds. */
export const largeBodyBytes = 256 * 1024;

/**
 * Parses a raw body as a JSON object, without members that are `null` (some clients write absent members so).
 * Raises `body_malformed` unless the body is well-formed UTF-8 and JSON without lone surrogates or repeated
 * members, at most 32 levels deep, with at most 20,000 values and 262,144 characters of names.
 */
export function parseBody(body: Uint8Array): JsonObject {
  return finish(bodyInSteps(body));
}

/** Like `parseBody`, with pauses between the steps of a large body. */
export function parseBodyInParts(
  body: Uint8Array,
  pause: () => Promise<void>,
): JsonObject | Promise<JsonObject> {
  return body.length > largeBodyBytes ? finishInParts(bodyInSteps(body), pause) : parseBody(body);
}

function* bodyInSteps(body: Uint8Array): Steps<JsonObject> {
  const text = textOfUtf8(body);
  if (text === undefined) fail('body_malformed', { reason: 'expected UTF-8' });
  if (body.length > largeBodyBytes) yield;
  // Counts first, because parsing a large body of tiny values would block other requests for a second.
  const counts =
    body.length > largeBodyBytes
      ? yield* jsonCountsInSteps(text, {
          maximumValues,
          longCharacters: charactersOfPart,
          maximumNames: maximumNameCharacters,
        })
      : jsonCounts(text, maximumValues, charactersOfPart, maximumNameCharacters);
  if (counts.values > maximumValues) {
    fail('body_malformed', { reason: `more than ${maximumValues} values` });
  }
  if (counts.nameCharacters > maximumNameCharacters) {
    fail('body_malformed', {
      reason: `the names of members have more than ${maximumNameCharacters} characters`,
    });
  }
  if (body.length > largeBodyBytes) yield;
  const parsed = yield* parsedJsonInSteps(text, counts.longStrings);
  // The message of the engine quotes the body, which errors must not repeat.
  if (parsed === undefined) fail('body_malformed', { reason: 'expected JSON' });
  if (body.length > largeBodyBytes) yield;
  const found = { members: 0 };
  const value = withoutNulls(parsed, 0, found);
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
