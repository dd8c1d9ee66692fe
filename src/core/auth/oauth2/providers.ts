// OAuth 2.0 providers without OpenID Connect: their endpoints, and how their answers identify a person.

import type { Oauth2Provider } from '../../base/enums.ts';
import { table } from '../../base/table.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts';

type ProviderRow = {
  /** Token endpoint, where a code is exchanged (RFC 6749 section 3.2). */
  readonly tokenUrl: string;
  /** Endpoint that identifies the owner of a token. */
  readonly personUrl: string;
  /** Prefix of person IDs in subjects, so that IDs of two providers never collide. */
  readonly prefix: string;
  /** Returns the person's ID in an answer of `personUrl`. */
  readonly personId: (answer: JsonObject) => Json | undefined;
};

export const oauth2ProviderRows = table<ProviderRow>()<Oauth2Provider>({
  OAUTH2_PROVIDER_X: {
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    personUrl: 'https://api.x.com/2/users/me',
    prefix: 'x',
    personId: ({ data }) => (isJsonObject(data) ? data['id'] : undefined),
  },
  OAUTH2_PROVIDER_DISCORD: {
    tokenUrl: 'https://discord.com/api/oauth2/token',
    personUrl: 'https://discord.com/api/v10/users/@me',
    prefix: 'discord',
    personId: ({ id }) => id,
  },
});
