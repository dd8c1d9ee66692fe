// Stored form of an activity. It omits members that its row and its first vote repeat, and shortens names.
// `packActivity` and `unpackActivity` are inverse, and the text of the answer stays the same.

import { utf8 } from '../base/bytes.ts';
import { finish, type Steps } from '../base/steps.ts';
import { sha256 } from '../crypto/hashes.ts';
import type {
  Activity,
  Evaluation,
  RecordedDecision,
  Vote,
} from '../organization/records/activity.ts';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../schema/json.ts';
import { jsonCountsInSteps } from '../schema/json_counts.ts';
import { jsonTextInSteps } from '../schema/json_steps.ts';
import { charactersOfPart, parsedJsonInSteps } from '../schema/long_json.ts';
import { fingerprintText } from './activity.ts';
import { decisionHistory } from './decision_history.ts';

/** A vote without its user. A record of its own stores the user as of the time of the vote. */
export type RecordedVote = Omit<Vote, 'user'> & {
  /** Id of the record. */
  readonly voterId: string;
};

/** An activity without the users who voted. */
export type RecordedActivity = Omit<Activity, 'votes'> & {
  readonly votes: readonly RecordedVote[];
};

/** Members of a sealed activity that its row determines. */
type ActivityPlace = Pick<Activity, 'id' | 'organizationId' | 'version'>;

/** The letters of each member; a letter never changes its meaning. */
const activityLetters = {
  type: 't',
  status: 's',
  intent: 'i',
  result: 'r',
  votes: 'v',
  fingerprint: 'f',
  submitterId: 'u',
  request: 'q',
  submission: 'b',
  proofs: 'p',
  appProofs: 'ap',
  explanation: 'x',
  heldBy: 'h',
  failure: 'e',
  evaluations: 'o',
  decisions: 'd',
  createdAtMs: 'c',
  updatedAtMs: 'm',
} as const;

const voteLetters = {
  id: 'i',
  userId: 'u',
  voterId: 'w',
  selection: 's',
  message: 'm',
  publicKey: 'k',
  signature: 'g',
  scheme: 'h',
  credentialId: 'd',
  emailClaimed: 'e',
  createdAtMs: 'c',
} as const;

const ofVoteLetters = {
  voteId: 'i',
  userId: 'u',
  selection: 's',
  reason: 'r',
  voterIds: 'w',
  awaitsAuthenticators: 'a',
  byParent: 'b',
  denying: 'n',
  clauses: 'l',
  factsDigest: 'f',
  policySetId: 'p',
  outcomes: 'o',
  createdAtMs: 'c',
} as const;

/** Members of an object by name. */
type Members = { readonly [name: string]: unknown };

/**
 * Returns the activity as JSON, without the members that `place` holds. `messageDigest` is the SHA-256 of the
 * first vote's message, if the caller has it. A large activity takes several steps.
 */
export function* packActivity(
  activity: RecordedActivity,
  messageDigest?: Uint8Array,
): Steps<string> {
  const { votes, decisions = [] } = activity;
  const length = votes[0]?.message.length ?? 0;
  const isLarge = length >= largeCharacters;
  const hasHistory = decisions.length >= decisionsOfPiece;
  const isInParts = hasHistory || length >= charactersOfPiece;
  if (isInParts) yield;
  const derived = derivedOf(activity, isLarge ? undefined : (messageDigest ?? digestOf(votes)));
  // One pass: every signature is packed.
  const packed = blankOf(activityLetters);
  const members: Members = activity;
  for (const name in members) {
    if (placeMembers.has(name)) continue;
    const value =
      name === 'intent' && isInParts
        ? yield* packedIntentInSteps(activity.intent, votes[0]?.message ?? '')
        : packedMember(name, activity, members[name], derived, votes);
    if (value !== undefined) packed[letterOf(name, activityLetters)] = value;
    if ((name === 'intent' && isInParts) || (name === 'decisions' && hasHistory)) yield;
  }
  return isInParts ? yield* textByMembers(packed) : JSON.stringify(packed);
}

/** Messages of at least this many characters are packed in several steps. */
const charactersOfPiece = 64 * 1024;
/** Histories of at least this many decisions are packed in several steps. */
const decisionsOfPiece = 64;

/** Returns the JSON of an object, without its undefined members. */
function* textByMembers(members: Members): Steps<string> {
  const texts: string[] = [];
  for (const name in members) {
    if (members[name] === undefined) continue;
    texts.push(`${JSON.stringify(name)}:${yield* jsonTextInSteps(members[name])}`);
    if ((texts.at(-1)?.length ?? 0) >= charactersOfPiece) yield;
  }
  return `{${texts.join(',')}}`;
}

/** The members that are stored beside the sealed text. */
const placeMembers: ReadonlySet<string> = new Set(['id', 'organizationId', 'version']);

/** Returns the stored form of a member; undefined if it is absent or follows from other members. */
function packedMember(
  name: string,
  { intent, evaluations, decisions, request }: RecordedActivity,
  value: unknown,
  derived: Members,
  votes: readonly RecordedVote[],
): unknown {
  switch (name) {
    case 'intent':
      return packedIntent(intent, votes[0]?.message ?? '');
    case 'votes':
      return votes.map((vote, i) => packedVote(vote, votes, i));
    case 'evaluations':
      return evaluations.length === 0 ? undefined : packedList(evaluations, votes, false);
    case 'decisions':
      return decisions && packedList(decisions, votes, true);
    case 'request':
      return request === undefined ? undefined : placeOfMessage(request, votes);
    default:
      return Object.hasOwn(derived, name) && isSame(value, derived[name]) ? undefined : value;
  }
}

/** Parses a text of `packActivity`. */
export function unpackActivity(text: string, place: ActivityPlace): RecordedActivity {
  return finish(unpackActivityInSteps(text, place));
}

/** Like `unpackActivity`, in steps if the text is long. */
export function* unpackActivityInSteps(
  text: string,
  place: ActivityPlace,
): Steps<RecordedActivity> {
  const packed = named((yield* jsonInSteps(text)) as JsonObject, activityLetters);
  const votes = unpackedVotes(packed['votes'] as readonly Members[]);
  const { id, organizationId, version } = place;
  const { intent, evaluations = [], decisions, request, ...members } = packed;
  const hasFingerprint = packed['fingerprint'] !== undefined;
  const derived = derivedOf(
    { votes, createdAtMs: Number(packed['createdAtMs']) },
    hasFingerprint ? undefined : digestOf(votes),
  );
  return {
    ...derived,
    ...members,
    id,
    organizationId,
    version,
    votes,
    intent: yield* unpackedIntent(intent as Json, votes[0]?.message ?? ''),
    evaluations: unpackedList(evaluations, votes, false),
    ...(decisions === undefined ? {} : { decisions: unpackedList(decisions, votes, true) }),
    ...(request === undefined ? {} : { request: messageAt(request, votes) }),
  } as unknown as RecordedActivity;
}

const defaultVote = { selection: 'VOTE_SELECTION_APPROVED' } as const;

/** Requests of at least this many characters are stored only once. */
const largeCharacters = 1024;

/** Packs a vote. If an earlier vote has the same large body, this vote stores a reference to it. */
function packedVote(vote: RecordedVote, votes: readonly RecordedVote[], at: number): Members {
  const { message } = vote;
  const place =
    message.length < largeCharacters ? -1 : votes.findIndex((each) => each.message === message);
  const members = place < 0 || place >= at ? vote : { ...vote, message: place };
  return letteredBeyond(members, defaultVote, voteLetters);
}

function unpackedVotes(packed: readonly Members[]): readonly RecordedVote[] {
  const votes: RecordedVote[] = [];
  for (const vote of packed) {
    const members: Members = { ...defaultVote, ...named(vote, voteLetters) };
    const { message } = members;
    const text = typeof message === 'number' ? (votes[message]?.message ?? '') : message;
    votes.push({ ...members, message: text } as unknown as RecordedVote);
  }
  return votes;
}

/**
 * Returns the members of an activity that its first vote usually determines. The fingerprint of a large
 * message is stored instead, since hashing takes long.
 */
function derivedOf(
  { votes: [first], createdAtMs }: Pick<RecordedActivity, 'votes' | 'createdAtMs'>,
  messageDigest: Uint8Array | undefined,
): Members {
  const members: Record<string, unknown> = {
    result: {},
    evaluations: [],
    updatedAtMs: createdAtMs,
  };
  if (first === undefined) return members;
  members['submitterId'] = first.userId;
  if (messageDigest !== undefined) members['fingerprint'] = fingerprintText(messageDigest);
  return members;
}

/** Returns the digest of the message of the first vote. */
function digestOf([first]: readonly RecordedVote[]): Uint8Array | undefined {
  return first && sha256(utf8(first.message));
}

/**
 * Returns the name of the intent, and the position of its text in the message. If the message spells the
 * intent otherwise, a large intent is stored only by name, and any other in full.
 */
function packedIntent(intent: JsonObject, message: string): Json {
  return finish(packedIntentInSteps(intent, message));
}

function* packedIntentInSteps(intent: JsonObject, message: string): Steps<Json> {
  const names = Object.keys(intent);
  const [name] = names;
  const value = name === undefined ? undefined : intent[name];
  if (name === undefined || value === undefined || names.length > 1) return intent;
  const isShort = message.length < charactersOfPiece;
  const text = isShort ? JSON.stringify(value) : yield* jsonTextInSteps(value);
  if (!isShort) yield;
  const start = message.indexOf(text);
  if (start >= 0) return [name, start, text.length];
  if (text.length < largeCharacters) return intent;
  yield;
  const parameters = yield* parametersIn(message);
  return (yield* jsonTextInSteps(parameters)) === text ? [name] : intent;
}

function* parametersIn(message: string): Steps<Json | undefined> {
  const body = yield* jsonInSteps(message);
  return isJsonObject(body) ? body['parameters'] : undefined;
}

/** Parses a text; undefined for invalid JSON. */
function* jsonInSteps(text: string): Steps<Json | undefined> {
  if (text.length < charactersOfPiece) return parsedJson(text);
  const { longStrings } = yield* jsonCountsInSteps(text, {
    maximumValues: Number.POSITIVE_INFINITY,
    longCharacters: charactersOfPart,
    maximumNames: Number.POSITIVE_INFINITY,
  });
  yield;
  const value = yield* parsedJsonInSteps(text, longStrings);
  yield;
  return value;
}

function* unpackedIntent(packed: Json, message: string): Steps<JsonObject> {
  if (!Array.isArray(packed)) return packed as JsonObject;
  const [name, start, length] = packed;
  if (start === undefined) return { [String(name)]: yield* parametersIn(message) };
  const text = message.slice(Number(start), Number(start) + Number(length));
  return { [String(name)]: yield* jsonInSteps(text) };
}

/** Returns the index of the vote with this message, or the message itself. */
function placeOfMessage(message: string, votes: readonly RecordedVote[]): Json {
  const place = votes.findIndex((vote) => vote.message === message);
  return place < 0 ? message : place;
}

function messageAt(packed: unknown, votes: readonly RecordedVote[]): string {
  return typeof packed === 'number' ? (votes[packed]?.message ?? '') : String(packed);
}

/** Packs each entry as the index of its vote and the members that the vote does not determine. */
function packedList(
  list: readonly (Evaluation | RecordedDecision)[],
  votes: readonly RecordedVote[],
  isOfDecisions: boolean,
): Json {
  const history = decisionHistory(votes);
  return list.map((each) => {
    const place = votes.findIndex(({ id }) => id === each.voteId);
    const said = saidByVote(votes[place], isOfDecisions);
    const isSaid = place >= 0 && Object.keys(said).every((member) => Object.hasOwn(each, member));
    const members = history.pack(letteredBeyond(each, isSaid ? said : {}, ofVoteLetters)) as Json;
    return isSaid ? [place, members] : members;
  });
}

function unpackedList(
  packed: unknown,
  votes: readonly RecordedVote[],
  isOfDecisions: boolean,
): readonly Members[] {
  const history = decisionHistory(votes);
  return (packed as readonly Json[]).map((each) => {
    const [place, members] = Array.isArray(each) ? each : [-1, each];
    const said = saidByVote(votes[Number(place)], isOfDecisions);
    return { ...said, ...named(history.unpack(members as JsonObject), ofVoteLetters) };
  });
}

function saidByVote(vote: RecordedVote | undefined, ofDecision: boolean): Members {
  if (vote === undefined) return {};
  const { id: voteId, userId, selection, createdAtMs } = vote;
  if (!ofDecision) return { voteId, createdAtMs };
  return { voteId, createdAtMs, userId, selection, voterIds: [userId] };
}

/** Returns the changed members by their letters. Unchanged members are undefined, so JSON omits them. */
function letteredBeyond(full: Members, given: Members, letters: Letters): Members {
  const packed = blankOf(letters);
  for (const name in full) {
    const value = full[name];
    if (value === undefined) continue;
    if (Object.hasOwn(given, name) && isSame(value, given[name])) continue;
    packed[letterOf(name, letters)] = value;
  }
  return packed;
}

/** Returns true if both have the same JSON. */
function isSame(value: unknown, other: unknown): boolean {
  if (value === other) return true;
  if (!isObject(value) || !isObject(other)) return false;
  if (Object.keys(value).length !== Object.keys(other).length) return false;
  return JSON.stringify(value) === JSON.stringify(other);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

type Letters = Readonly<Record<string, string>>;

const blanks = new WeakMap<Letters, Record<string, unknown>>();

/** Returns an object with all letters. It takes less memory than letters that are added one by one. */
function blankOf(letters: Letters): Record<string, unknown> {
  const withAll = () => Object.fromEntries(Object.values(letters).map((each) => [each, undefined]));
  return { ...blanks.getOrInsertComputed(letters, withAll) };
}

function letterOf(name: string, letters: Letters): string {
  const letter = letters[name];
  // Unpacking would lose a member without a letter.
  if (letter === undefined) throw new Error(`no letter for ${name}`);
  return letter;
}

const nameTables = new WeakMap<object, ReadonlyMap<string, string>>();

function named(members: Members, letters: Letters): Members {
  const names = nameTables.getOrInsertComputed(
    letters,
    () => new Map(Object.entries(letters).map(([name, letter]) => [letter, name])),
  );
  return Object.fromEntries(
    Object.entries(members).map(([letter, value]) => [names.get(letter) ?? letter, value]),
  );
}
