import { answerList, object } from '../../core/schema/schema.ts';
import { secretView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { pageOf, rowsOfPage } from '../page.ts';
import { pagination } from '../shapes.ts';
import { secretShape } from './secret_shapes.ts';

export const list_secrets = query({
  summary: 'Lists the secrets of the organization, oldest first, without their texts.',
  body: object({ paginationOptions: pagination() }),
  response: object({ secrets: answerList(secretShape()) }),

  answer: ({ organization, body }) => {
    const secrets = rowsOfPage(organization.list('secret'), pageOf(body.paginationOptions));
    return { secrets: secrets.map(secretView) };
  },
});
