// A refused activity as it is kept: with an ordinary request whole, with the digest and the outline of a
// large one. A user without rights would otherwise fill the disk with refused requests.

import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { Activity } from '../organization/records/activity.ts';
import { isJsonObject, type Json, type JsonObject } from '../schema/json.ts';

/** Characters of a request that its refusal keeps whole. */
export const maximumKeptCharacters = 8 * 1024;
/** Characters of a text that an outline keeps; a longer one is replaced by its digest. */
const maximumTextCharacters = 256;
const maximumItems = 16;
/** Characters of an outline; a longer one is left out. */
const maximumOutlineCharacters = 4 * 1024;

/** Returns a refused activity as it is kept: digests stand in the place of a large request. */
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

/** The intent has one member, named after the type of the activity: it stays. */
function outlineOfIntent(intent: JsonObject): JsonObject {
  const outline = outlineOf(intent);
  if (isJsonObject(outline) && JSON.stringify(outline).length <= maximumOutlineCharacters) {
    return outline;
  }
  return Object.fromEntries(Object.keys(intent).map((name) => [name, {}]));
}

/** The value with its first items alone, and a digest in the place of each long text. */
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
