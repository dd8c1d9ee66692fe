import { namesOf, table } from '../../core/base/table.ts';
import { comparedEmail } from '../../core/organization/indexes/contacts.ts';
import {
  answerList,
  answerText,
  boolean,
  object,
  oneOf,
  optional,
  optionalOrEmpty,
  text,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { pageOf } from '../page.ts';
import type { ChildIndex } from '../reader.ts';
import { pagination } from '../shapes.ts';
import { requireBoth } from './list_suborgs.ts';

type Filter = {
  readonly index: ChildIndex;
  readonly storedForm: (value: string) => string;
};

const filters = table<Filter>()({
  EMAIL: { index: 'child_verified_email', storedForm: comparedEmail },
  PHONE_NUMBER: { index: 'child_verified_phone_number', storedForm: (value) => value },
});

export const list_verified_suborgs = query({
  summary:
    'Lists the IDs of the sub-organizations with a user whose contact is verified, oldest first: all, or those found by a filter.',
  body: object({
    filterType: optionalOrEmpty(oneOf(namesOf(filters))),
    filterValue: optionalOrEmpty(text({ minimum: 1, maximum: 4096 })),
    paginationOptions: pagination(),
  }),
  response: object({
    organizationIds: answerList(answerText()),
    truncated: optional(boolean()),
    nextCursor: optional(answerText()),
  }),

  answer: async ({ body: { filterType, filterValue, paginationOptions }, read }) => {
    const page = pageOf(paginationOptions);
    const filter = requireBoth(filterType, filterValue);
    if (filter === undefined) {
      const { ids: organizationIds, seen } = await read.verifiedChildPage(page);
      return seen === undefined
        ? { organizationIds }
        : { organizationIds, truncated: true, nextCursor: seen };
    }
    const { index, storedForm } = filters[filter.type];
    const entry = { index, value: storedForm(filter.value) };
    return { organizationIds: await read.childPage(entry, page) };
  },
});
