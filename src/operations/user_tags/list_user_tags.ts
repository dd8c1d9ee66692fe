import { userTags } from '../../core/organization/tags.ts';
import { answerList, object } from '../../core/schema/schema.ts';
import { tagView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { tagShape } from '../shapes.ts';

export const list_user_tags = query({
  summary: 'Lists the user tags, oldest first.',
  body: object({}),
  response: object({ userTags: answerList(tagShape()) }),

  answer: ({ organization }) => ({ userTags: userTags.list(organization).map(tagView) }),
});
