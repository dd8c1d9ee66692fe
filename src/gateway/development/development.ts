// The parts of development mode beside the API. Only `keywright dev` asks for it.

import type { JsonObject } from '../../core/schema/json.ts';

/** The header of every answer in development mode. */
export const developmentHeader = { name: 'x-keywright-development', value: 'true' } as const;

/** The parts that `keywright dev` adds to a service on loopback. */
export type Development = {
  /** The answer of `GET /dev/people`. */
  people(): JsonObject & { readonly people: readonly { readonly name: string }[] };
  /**
   * Registers a browser's key for one of the demo people by an ordinary activity, stamped with the key
   * of that person. Returns what to answer, a refusal of the service included, or that there is nobody
   * of that name.
   */
  signIn(request: {
    readonly user: string;
    /** P-256, compressed, hex. */
    readonly publicKey: string;
    /** Limits the session. */
    readonly sessionProfileId?: string | undefined;
  }): Promise<{ readonly status: number; readonly body: JsonObject } | 'unknown'>;
};
