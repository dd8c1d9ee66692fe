// The parts of development mode other than the API. Only `keywright dev` enables them.

import type { JsonObject } from '../../core/schema/json.ts';

/** The header of every answer in development mode. */
export const developmentHeader = { name: 'x-keywright-development', value: 'true' } as const;

/** The parts that `keywright dev` adds to a service on loopback. */
export type Development = {
  /** The answer of `GET /dev/people`. */
  people(): JsonObject & { readonly people: readonly { readonly name: string }[] };
  /**
   * Registers a browser's key for a demo user by an ordinary activity, stamped with that user's key. Returns
   * the answer, including refusals and the error for an unknown name.
   */
  signIn(request: {
    readonly user: string;
    /** P-256, compressed, hex. */
    readonly publicKey: string;
    /** Optional. Restricts the session. */
    readonly sessionProfileId?: string | undefined;
  }): Promise<{ readonly status: number; readonly body: JsonObject } | 'unknown'>;
};
