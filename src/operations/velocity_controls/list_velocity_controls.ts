import { controlView } from '../../core/policy/velocity/controls.ts';
import { answerList, answerText, boolean, object, optional } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { pageInfoOf, pageOf, rowsOfPage } from '../page.ts';
import { pagination } from '../shapes.ts';
import { velocityControlShape } from './velocity_control_shapes.ts';

export const list_velocity_controls = query({
  summary: 'Lists the velocity controls, oldest first.',
  body: object({ paginationOptions: pagination() }),
  response: object({
    velocityControls: answerList(velocityControlShape()),
    pageInfo: object({
      hasNextPage: boolean(),
      hasPreviousPage: boolean(),
      startCursor: optional(answerText()),
      endCursor: optional(answerText()),
    }),
  }),

  answer: ({ organization, body }) => {
    const all = organization.list('velocity_control');
    const rows = rowsOfPage(all, pageOf(body.paginationOptions));
    return {
      velocityControls: rows.map((row) => controlView(row, organization.id)),
      pageInfo: pageInfoOf(rows, all),
    };
  },
});
