// Members that authorize their bearer (a token, a code, the text of a session) are shown only to the
// submitter. Other users see a digest, which reveals equal values.

import { hex, utf8 } from '../../core/base/bytes.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/schema/json.ts';
import { bearerMark, type TSchema } from '../../core/schema/schema.ts';
import { activityOperations } from '../index.ts';
import type { Caller } from '../operation.ts';

type Schemas = { readonly parameters: TSchema; readonly result: TSchema };

const schemasByType: ReadonlyMap<string, Schemas> = new Map(
  Object.values(activityOperations).flatMap(({ wire, parameters, result, older }) => [
    [wire.type, { parameters, result }] as const,
    ...older.map((version): readonly [string, Schemas] => [
      version.wire.type,
      { parameters: version.parameters, result: version.result ?? result },
    ]),
  ]),
);

/**
 * Returns the activity as a caller may see it. Only the submitting credential sees it whole, and only by a
 * stamp, because the text of a read-only session proves no key.
 */
export function activityShownTo({ user, credential, stamp }: Caller, activity: Activity): Activity {
  const asked = activity.votes.find(({ userId }) => userId === activity.submitterId);
  const isAsker =
    stamp !== undefined &&
    user.id === activity.submitterId &&
    credential.id === asked?.credentialId;
  return isAsker ? activity : withoutBearers(activity);
}

/** Returns the activity as all others see it, including receivers of webhooks. */
export function withoutBearers(activity: Activity): Activity {
  const schemas = schemasByType.get(activity.type);
  if (schemas === undefined) return activity;
  const intent = membersWithout(activity.intent, schemas.parameters);
  const result = membersWithout(activity.result, schemas.result);
  if (intent === activity.intent && result === activity.result) return activity;
  // A message is the signed body with all its members.
  if (intent === activity.intent) return { ...activity, result };
  const votes = activity.votes.map((vote) => ({ ...vote, message: digestText(vote.message) }));
  const { request } = activity;
  const hidden = request === undefined ? {} : { request: digestText(request) };
  return { ...activity, intent, result, votes, ...hidden };
}

/** Returns the only member of an intent or a result, whose name depends on the type. */
function membersWithout(named: JsonObject, schema: TSchema): JsonObject {
  const entries = Object.entries(named).map(
    ([name, value]) => [name, value && without(value, schema)] as const,
  );
  const isSame = entries.every(([name, value]) => value === named[name]);
  return isSame ? named : Object.fromEntries(entries);
}

/** Returns the value with digests in place of marked members; the same value without any. */
function without(value: Json, schema: TSchema): Json {
  const node = schema as {
    readonly [bearerMark]?: true;
    readonly properties?: Readonly<Record<string, TSchema>>;
    readonly items?: TSchema;
  };
  if (node[bearerMark] === true) return typeof value === 'string' ? digestText(value) : value;
  const { items, properties } = node;
  if (items !== undefined && Array.isArray(value)) {
    const list = value.map((item) => without(item, items));
    return list.every((item, i) => item === value[i]) ? value : list;
  }
  if (properties === undefined || !isJsonObject(value)) return value;
  const changed = Object.entries(value).flatMap(([name, member]) => {
    const shape = properties[name];
    const shown = shape && member ? without(member, shape) : member;
    return shown === member ? [] : [[name, shown] as const];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

/** Shorter texts, such as codes, could be guessed from a digest within a second. */
const guessableCharacters = 32;

/** Keeps an empty text, because some clients send all members. */
function digestText(value: string): string {
  if (value === '') return value;
  return value.length < guessableCharacters ? 'hidden' : `sha256:${hex(sha256(utf8(value)))}`;
}
