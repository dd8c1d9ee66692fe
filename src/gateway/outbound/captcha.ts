// Verifies a captcha with its provider, by the common `siteverify` protocol.

import { textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import type { ExternalServices } from '../../core/external/external_services.ts';
import type { Outbound } from './outbound.ts';

const timeoutMs = 5_000;
const maximumBytes = 64 * 1024;
const maximumTokenCharacters = 8_192;

/**
 * Creates a check with the provider at `url`. After a timeout or failure, the captcha counts as not solved,
 * and `failed` receives the reason.
 */
export function createCaptchaCheck(
  { url, secret = '' }: { readonly url: string | undefined; readonly secret: string | undefined },
  send: Outbound['send'],
  failed: (detail: string) => void,
): ExternalServices['verifyCaptcha'] {
  return async (token, remoteAddress) => {
    if (url === undefined || token.length > maximumTokenCharacters) return false;
    const form = new URLSearchParams({ secret, response: token });
    if (remoteAddress !== '') form.set('remoteip', remoteAddress);
    const answer = await send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: utf8(form.toString()),
      timeoutMs,
      maximumBytes,
    });
    if ('failure' in answer) {
      failed(answer.failure);
      return false;
    }
    const isSolved = successIn(answer.body);
    if (isSolved === undefined) failed(`status ${answer.status}`);
    return isSolved === true && answer.status === 200;
  };
}

/** Returns undefined for an invalid answer of a provider. */
function successIn(body: Uint8Array): boolean | undefined {
  try {
    const value: unknown = JSON.parse(textOfUtf8(body) ?? '');
    const isAnswer = typeof value === 'object' && value !== null && 'success' in value;
    return isAnswer && typeof value.success === 'boolean' ? value.success : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
