import { privateKeyTags } from '../../core/organization/tags.ts';
import { answerList, object } from '../../core/schema/schema.ts';
import { tagView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { tagShape } from '../shapes.ts';

export const list_private_key_tags = query({
  summary: 'Lists the private key tags, oldest first.',
  body: object({}),
  response: object({ privateKeyTags: answerList(tagShape()) }),

  answer: ({ organization }) => ({
    privateKeyTags: privateKeyTags.list(organization).map(tagView),
  }),
});
