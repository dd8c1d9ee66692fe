// Exchanges a code of an OAuth 2.0 provider (RFC 6749 section 4.1.3, with the verifier of RFC 7636) for a
// token, and fetches the signed-in person with that token. The gateway forwards the provider's unsigned
// answers.

import { utf8 } from '../../base/bytes.ts';
import type { Oauth2Provider } from '../../base/enums.ts';
import { fail } from '../../errors/errors.ts';
import type { ExternalRequest, ExternalServices } from '../../external/external_services.ts';
import type { JsonObject } from '../../schema/json.ts';
import { strictJsonObject } from '../../schema/strict_json.ts';
import { oauth2ProviderRows } from './providers.ts';

type CodeExchange = {
  readonly provider: Oauth2Provider;
  readonly clientId: string;
  /** Printable ASCII characters. */
  readonly clientSecret: Uint8Array;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
};

/** The signed-in person, and the provider's token for acting in their name. */
type SignedInPerson = {
  /** The provider's short name, a colon, and the person's ID at the provider. */
  readonly subject: string;
  readonly bearerToken: string;
};

/** Tokens of providers have about 100 characters. A sealed text in base58 must be short. */
const maximumBearerTokenCharacters = 512;

/**
 * Exchanges a code. Raises `oauth2_code_refused`, and `oauth2_provider_unavailable` if the provider cannot be
 * reached or sends an invalid answer.
 */
export async function exchangeCode(
  exchange: CodeExchange,
  fetch: ExternalServices['fetch'],
): Promise<SignedInPerson> {
  const row = oauth2ProviderRows[exchange.provider];
  const granted = await ask(tokenRequest(exchange), fetch);
  const { access_token: bearerToken } = granted;
  // The token goes into a header; RFC 6750 section 2.1.
  if (typeof bearerToken !== 'string' || !/^[A-Za-z0-9._~+/=-]+$/.test(bearerToken)) {
    return fail('oauth2_provider_unavailable');
  }
  if (bearerToken.length > maximumBearerTokenCharacters) fail('oauth2_provider_unavailable');
  const person = await ask(
    {
      url: row.personUrl,
      method: 'GET',
      headers: { accept: 'application/json', authorization: `Bearer ${bearerToken}` },
      body: new Uint8Array(0),
    },
    fetch,
  );
  const id = row.personId(person);
  if (typeof id !== 'string' || !/^[\w.-]{1,128}$/.test(id)) {
    return fail('oauth2_provider_unavailable');
  }
  return { subject: `${row.prefix}:${id}`, bearerToken };
}

function tokenRequest(exchange: CodeExchange): ExternalRequest {
  const { provider, clientId, code, redirectUri, codeVerifier } = exchange;
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  return {
    url: oauth2ProviderRows[provider].tokenUrl,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basicAuthorization(exchange),
    },
    body: utf8(form.toString()),
  };
}

/**
 * Returns the header of RFC 6749 section 2.3.1. The secret becomes a string here, since the gateway sends it
 * to the provider.
 */
function basicAuthorization({ clientId, clientSecret }: CodeExchange): string {
  const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  const secret = String.fromCharCode(...clientSecret);
  return `Basic ${utf8(`${encoded(clientId)}:${encoded(secret)}`).toBase64()}`;
}

async function ask(
  request: ExternalRequest,
  fetch: ExternalServices['fetch'],
): Promise<JsonObject> {
  const { status, body } = await fetch(request);
  const answer = strictJsonObject(body);
  if (status === 200 && answer !== undefined) return answer;
  if (status < 400 || status >= 500 || status === 429) return fail('oauth2_provider_unavailable');
  // RFC 6749 section 5.2. The error code is the only part of the provider's answer that a message contains.
  const error = answer?.['error'];
  const isWord = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error);
  return fail('oauth2_code_refused', {
    reason: isWord ? `\`${error}\`` : `it answered with status ${status}`,
  });
}
