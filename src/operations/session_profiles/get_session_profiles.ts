import { answerList, object } from '../../core/schema/schema.ts';
import { sessionProfileView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { sessionProfileShape } from './session_profile_shape.ts';

export const get_session_profiles = query({
  summary: 'Lists the session profiles of the organization, or of its parent, oldest first.',
  body: object({}),
  response: object({ sessionProfiles: answerList(sessionProfileShape()) }),

  answer: async ({ organization, parent }) => {
    const owner = (await parent()) ?? organization;
    return { sessionProfiles: owner.list('session_profile').map(sessionProfileView) };
  },
});
