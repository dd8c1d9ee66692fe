import { answerList, object } from '../../core/schema/schema.ts';
import { privateKeyView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { privateKeyShape } from './private_key_shape.ts';

export const list_private_keys = query({
  summary: 'Lists the private keys of the organization, oldest first, without the keys.',
  body: object({}),
  response: object({ privateKeys: answerList(privateKeyShape()) }),

  answer: ({ organization }) => ({
    privateKeys: organization.list('private_key').map(privateKeyView),
  }),
});
