import { requireApiKey } from '../../core/api_keys.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { apiKeyView } from '../../core/wire.ts';
import { apiKeyShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_api_key = query({
  summary: 'Shows an API key.',
  body: object({ apiKeyId: uuid() }),
  response: object({ apiKey: apiKeyShape() }),

  answer: ({ organization, body }) => ({
    apiKey: apiKeyView(requireApiKey(organization, body.apiKeyId)),
  }),
});
