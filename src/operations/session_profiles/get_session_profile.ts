import { assert } from '../../core/errors/errors.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { requireSessionProfile } from '../../core/users/sessions.ts';
import { sessionProfileView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { sessionProfileShape } from './session_profile_shape.ts';

export const get_session_profile = query({
  summary: 'Returns a session profile of the organization, or of its parent.',
  body: object({ sessionProfileId: uuid() }),
  response: object({ sessionProfile: sessionProfileShape() }),

  answer: async ({ organization, body, parent }) => {
    const profile = requireSessionProfile(body.sessionProfileId, (await parent()) ?? organization);
    assert(profile !== undefined, 'an id names a profile');
    return { sessionProfile: sessionProfileView(profile) };
  },
});
