import { freezeView } from '../../core/freezes/freezes.ts';
import { answerList, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { pageOf, rowsOfPage } from '../page.ts';
import { pagination } from '../shapes.ts';
import { freezeShape } from './freeze_shape.ts';

export const list_freezes = query({
  summary: 'Lists the freezes of the organization, oldest first.',
  body: object({ paginationOptions: pagination() }),
  response: object({ freezes: answerList(freezeShape()) }),

  answer: ({ organization, body }) => {
    const rows = rowsOfPage(organization.list('freeze'), pageOf(body.paginationOptions));
    return { freezes: rows.map(freezeView) };
  },
});
