// Rejects malformed answers: a member is missing or has another type. Screens could otherwise show a missing
// value as an empty list or a disabled setting.

import type { Client } from '../../../src/client/connect.ts';
import { Untrusted } from '../../../src/client/errors.ts';
import type { CallOptions } from '../../../src/client/requests.ts';
import type { Shape } from './shape.ts';

/** Wraps a client so that its queries throw `Untrusted` for malformed answers. */
export function checked(client: Client): Client {
  const ask = client.query as Query;
  const query: Query = async (name, ...rest) => {
    const answer = await ask(name, ...rest);
    // The sign-in screen needs no shapes, so load them with the first answer.
    const { answerShapes } = await import('../generated/answer_shapes.ts');
    checkAnswer(name, answer, answerShapes[name]);
    return answer;
  };
  return {
    ...client,
    query: query as Client['query'],
    pages: async function* (name, ...rest) {
      const { pagesOf } = await import('../../../src/client/pages.ts');
      yield* pagesOf(query)(name, ...rest);
    },
    as: (stamp) => checked(client.as(stamp)),
    within: (organizationId) => checked(client.within(organizationId)),
  };
}

type Query = (
  name: string,
  ...rest: readonly [parameters?: object, options?: CallOptions]
) => Promise<Readonly<Record<string, unknown>>>;

/** Throws `Untrusted` if the answer lacks a member or has a member of another type. */
export function checkAnswer(query: string, answer: unknown, shape: Shape | undefined): void {
  const place = shape === undefined ? undefined : misfit(answer, shape, 'answer');
  if (place === undefined) return;
  throw new Untrusted('ANSWER_MALFORMED', `${query} was answered without a proper ${place}`);
}

/** Returns the path of the first value that does not fit its shape; undefined if all fit. */
function misfit(value: unknown, shape: Shape, place: string): string | undefined {
  if (typeof shape === 'string') return isOfType(value, shape) ? undefined : place;
  if (isList(shape)) {
    if (!Array.isArray(value)) return place;
    return first(value, (item, i) => misfit(item, shape[0], `${place}.${i}`));
  }
  if (!isObject(value)) return place;
  return first(Object.entries(shape), ([key, member]) => {
    const isOptional = key.endsWith('?');
    const name = isOptional ? key.slice(0, -1) : key;
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined && isOptional) return undefined;
    return misfit(given, member, `${place}.${name}`);
  });
}

function first<Item>(
  items: readonly Item[],
  placeIn: (item: Item, i: number) => string | undefined,
): string | undefined {
  for (const [i, item] of items.entries()) {
    const place = placeIn(item, i);
    if (place !== undefined) return place;
  }
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'text':
      return typeof value === 'string' || Number.isInteger(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === 'string' && type.split('|').includes(value);
  }
}

const isList = (shape: Exclude<Shape, string>): shape is readonly [Shape] => Array.isArray(shape);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
