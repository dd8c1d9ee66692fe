import { object, uuid } from '../../core/schema/schema.ts';
import { requireApiKey } from '../../core/users/api_keys.ts';
import { apiKeyView } from '../../core/views/wire.ts';
import { apiKeyShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_api_key = query({
  summary: 'Returns an API key.',
  body: object({ apiKeyId: uuid() }),
  response: object({ apiKey: apiKeyShape() }),

  answer: ({ organization, body }) => ({
    apiKey: apiKeyView(requireApiKey(organization, body.apiKeyId)),
  }),
});
