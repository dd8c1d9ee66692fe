import { namesOf, table } from '../../core/base/table.ts';
import { comparedEmail } from '../../core/organization/indexes/contacts.ts';
import { answerList, answerText, object, oneOf, text } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { pageOf } from '../page.ts';
import type { ChildIndex } from '../reader.ts';
import { pagination } from '../shapes.ts';

type Filter = {
  readonly index: ChildIndex;
  /** Returns the stored form of the value. */
  readonly storedForm: (value: string) => string;
};

const filters = table<Filter>()({
  EMAIL: { index: 'child_verified_email', storedForm: comparedEmail },
  PHONE_NUMBER: { index: 'child_verified_phone_number', storedForm: (value) => value },
});

export const list_verified_suborgs = query({
  summary:
    'Lists the IDs of the sub-organizations with a user whose contact is verified, oldest first.',
  body: object({
    filterType: oneOf(namesOf(filters)),
    filterValue: text({ minimum: 1, maximum: 4096 }),
    paginationOptions: pagination(),
  }),
  response: object({ organizationIds: answerList(answerText()) }),

  answer: async ({ body: { filterType, filterValue, paginationOptions }, read }) => {
    const { index, storedForm } = filters[filterType];
    const filter = { index, value: storedForm(filterValue) };
    return { organizationIds: await read.childPage(filter, pageOf(paginationOptions)) };
  },
});
