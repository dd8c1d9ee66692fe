// Requests for unsealing: `GET` returns the enclave's statement, `POST` submits a share.

import { bytesOfHex, hex, textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import { fail, ServiceError } from '../../core/errors/errors.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/schema/json.ts';
import { renderError } from '../../core/views/render_error.ts';
import type { ShareCollection } from './shares.ts';

/** Maximum body length, three times the size of a sealed share. */
export const unsealBodyMaximumBytes = 4_096;

type UnsealResponse = { readonly status: number; readonly body: Uint8Array };

/** Answers a request. `readBody` returns undefined for a body above the bound. */
export async function answerUnseal(
  shares: Pick<ShareCollection, 'statement' | 'give'>,
  method: string | undefined,
  readBody: () => Promise<Uint8Array | undefined>,
): Promise<UnsealResponse> {
  try {
    if (method === 'GET') {
      const { signature, ...stated } = await shares.statement();
      return success({ ...stated, signature: hex(signature) });
    }
    if (method !== 'POST') {
      return fail('method_not_allowed', { method: method ?? '', allowed: 'GET, POST' });
    }
    const body = await readBody();
    if (body === undefined) return fail('share_unreadable');
    return success(await shares.give(shareOf(body)));
  } catch (error) {
    // A disconnected sender cannot receive an answer.
    return renderError(
      error instanceof ServiceError ? error : new ServiceError('internal', { supportId: 'unseal' }),
    );
  }
}

const success = (value: object): UnsealResponse => ({
  status: 200,
  body: utf8(JSON.stringify(value)),
});

function shareOf(body: Uint8Array) {
  const json = parsedJson(textOfUtf8(body) ?? '');
  const bytesIn = (name: string): Uint8Array => {
    const value: Json | undefined = isJsonObject(json) ? json[name] : undefined;
    const bytes = typeof value === 'string' ? bytesOfHex(value) : undefined;
    return bytes ?? fail('share_unreadable');
  };
  return { encapsulatedKey: bytesIn('encapsulatedKey'), ciphertext: bytesIn('ciphertext') };
}
