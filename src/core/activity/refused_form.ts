// Builds the stored form of a refused activity: an ordinary request in full, a large request as its digest
// and an outline. Otherwise a user without permissions could fill the disk with refused requests.

import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { Activity } from '../organization/records/activity.ts';
import { isJsonObject, type Json, type JsonObject } from '../schema/json.ts';

/** The longest request, in characters, that a refusal stores in full. */
const maximumKeptCharacters = 8 * 1024;
/** The longest text, in characters, that an outline contains; a digest replaces longer texts. */
const maximumTextCharacters = 256;
const maximumItems = 16;
/** The longest outline, in characters; longer outlines are omitted. */
const maximumOutlineCharacters = 4 * 1024;

/** Returns the stored form of a refused activity, with digests in place of a large request. */
export function refusedForm(activity: Activity): Activity {
  const { intent, votes } = activity;
  if (votes.every(({ message }) => message.length <= maximumKeptCharacters)) return activity;
  return {
    ...activity,
    intent: outlineOfIntent(intent),
    votes: votes.map((vote) => ({ ...vote, message: digestOf(vote.message) })),
  };
}

function digestOf(text: string): string {
  return `sha256:${hex(sha256(utf8(text)))}`;
}

/** The intent has one member, named after the type of the activity, so the outline retains it. */
function outlineOfIntent(intent: JsonObject): JsonObject {
  const outline = outlineOf(intent);
  if (isJsonObject(outline) && JSON.stringify(outline).length <= maximumOutlineCharacters) {
    return outline;
  }
  return Object.fromEntries(Object.keys(intent).map((name) => [name, {}]));
}

/** Returns the value with only its first items, and a digest in place of each long text. */
function outlineOf(value: Json): Json {
  if (typeof value === 'string') {
    return value.length <= maximumTextCharacters ? value : digestOf(value);
  }
  if (Array.isArray(value)) return value.slice(0, maximumItems).map(outlineOf);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, outlineOf(member)] as const],
    ),
  );
}
