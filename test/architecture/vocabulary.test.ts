import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from '../../src/core/schema/schema.ts';
import { resources } from '../../src/operations/index.ts';
import { versionsOf } from '../../src/operations/openapi/describe_operation.ts';
import {
  keysOf,
  type MemberPlace,
  memberText,
  namedTexts,
  type SchemaPart,
} from '../../src/operations/vocabulary/index.ts';

const members = everyMember();

test('every member of every request and answer has a title and a sentence', () => {
  assert(members.length > 2_000, `only ${members.length} members were found`);
  const without = members.filter((place) => memberText(place) === undefined);
  assert.deepEqual(without.map((place) => keysOf(place)[0]).sort(), []);
});

test('every text belongs to a member, and stands once', () => {
  const keys = namedTexts.map(([key]) => key);
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
    'keys that stand twice',
  );
  const read = new Set(
    members.map((place) => keysOf(place).find((key) => keys.includes(key)) ?? ''),
  );
  assert.deepEqual(
    keys.filter((key) => !read.has(key)),
    [],
    'keys that no member reads',
  );
});

test('titles are a few words, sentences begin in upper case, end with a full stop and are short', () => {
  const maximumTitleWords = 6;
  const maximumSentenceWords = 25;
  const wordsOf = (text: string) => text.split(' ').length;
  const odd = members.filter((place) => {
    const [title, sentence] = memberText(place) ?? ['', ''];
    return (
      wordsOf(title) > maximumTitleWords ||
      !/^[A-Z`0-9]/.test(sentence) ||
      !sentence.endsWith('.') ||
      sentence.split(/[.;:] /).some((part) => wordsOf(part) > maximumSentenceWords)
    );
  });
  assert.deepEqual(odd.map((place) => keysOf(place)[0]).sort(), []);
});

test('a row without a title has the title of its plain name, or the words of its name', () => {
  const titleOf = (operation: string, part: SchemaPart, name: string) =>
    memberText({ operation, part, owner: undefined, name })?.[0];
  assert.equal(titleOf('create_users', 'parameters', 'apiKeyIds'), 'API key IDs');
  assert.equal(titleOf('get_user', 'body', 'userName'), 'User name');
  assert.equal(titleOf('oauth', 'parameters', 'expirationSeconds'), 'Lifetime in seconds');
});

/** Returns every member of every schema at all depths; a point in time is one member. */
function everyMember(): readonly MemberPlace[] {
  const found: MemberPlace[] = [];
  const walk = (operation: string, part: SchemaPart, schema: TSchema, owner?: string): void => {
    const { properties = {}, items }: { properties?: Record<string, TSchema>; items?: TSchema } =
      schema;
    for (const [name, member] of Object.entries(properties)) {
      found.push({ operation, part, owner, name });
      walk(operation, part, member, name);
    }
    if (items !== undefined) walk(operation, part, items, owner);
  };
  for (const { activities, votes = {}, queries } of Object.values(resources)) {
    for (const [name, operation] of Object.entries(activities)) {
      for (const { parameters, result } of versionsOf(operation)) {
        walk(name, 'parameters', parameters);
        walk(name, 'result', result);
      }
    }
    for (const [name, { parameters }] of Object.entries(votes))
      walk(name, 'parameters', parameters);
    for (const [name, { body, response }] of Object.entries(queries)) {
      walk(name, 'body', body);
      walk(name, 'response', response);
    }
  }
  return found;
}
