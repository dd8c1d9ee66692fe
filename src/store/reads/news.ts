// Detects changes by other nodes cheaply: each topic has a mark that differs after a change.

import type { NewsTopic } from '../../core/base/news.ts';
import { assert } from '../../core/errors/errors.ts';
import { integerOf, type Row, textOf } from '../tables/rows.ts';
import type { QueryStep, Steps } from '../tables/steps.ts';

/** Maximum topics of one request. */
export const maximumTopics = 1_000;

export type News = {
  /** Returns the mark of each topic, in their order; at most 1,000 topics, none twice. */
  marks(topics: readonly NewsTopic[]): Promise<readonly string[]>;
};

/** Reads the marks, as steps. */
export function* newsMarks(topics: readonly NewsTopic[]): Steps<readonly string[]> {
  assert(topics.length <= maximumTopics, `at most ${maximumTopics} topics`);
  const idsOf = (kind: NewsTopic['kind']) =>
    topics.filter((topic) => topic.kind === kind).map(({ id }) => id);
  const marks = new Map<string, string[]>();
  const add = (kind: NewsTopic['kind'], id: string, mark: string) =>
    marks.getOrInsertComputed(`${kind}/${id}`, () => []).push(mark);

  const organizations = idsOf('activities');
  // An activity changes together with its organization. A signature alone does not change the version.
  for (const row of yield* rowsOfEach({ query: 'organizationVersion', each: organizations })) {
    add('activities', textOf(row['id']), String(integerOf(row['version'])));
  }
  for (const row of yield* rowsOfEach({ query: 'newestActivities', each: organizations })) {
    add('activities', textOf(row['organization_id']), textOf(row['id']));
  }
  for (const row of yield* rowsOfEach({ query: 'stream', each: idsOf('deliveries') })) {
    add('deliveries', textOf(row['endpoint_id']), String(integerOf(row['last_sequence'])));
  }
  return topics.map(({ kind, id }) => (marks.get(`${kind}/${id}`) ?? []).toSorted().join(' '));
}

function* rowsOfEach({
  query,
  each,
}: Pick<QueryStep, 'query'> & Required<Pick<QueryStep, 'each'>>): Steps<readonly Row[]> {
  return each.length === 0 ? [] : yield { query, values: [], each };
}
