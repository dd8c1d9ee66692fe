// Identifies the service behind this page, and watches the command that serves the page.

import { publishedKeys } from '../../../src/client/service_keys.ts';
import type { Session } from '../../../src/client/session.ts';
import type { Config } from '../session/config.ts';
import { watchedFetch } from '../session/reach.ts';

/** Dependencies of requests for public documents. These requests carry no stamp. */
const publicReader = { fetch: watchedFetch, now: Date.now, pause: async () => undefined };

/** Returns the identity of the service: its origin and its signing key. Throws the errors of the client. */
async function serviceOf({ apiUrl }: Pick<Config, 'apiUrl'>): Promise<string> {
  const { signer } = await publishedKeys(apiUrl.replace(/\/+$/, ''), publicReader);
  return `${new URL(apiUrl).origin} ${signer}`;
}

/**
 * Returns true if a command on this machine serves the page. Such a page stores no session: after the command
 * has ended, another program may serve another page at this address.
 */
const isApart = ({ passkeys }: Config): boolean => passkeys === false;

/** Returns the options that store a session for this service; an empty object if the page stores none. */
export const storageOptions = async (config: Config, store: string) =>
  isApart(config) ? {} : { store, service: await serviceOf(config) };

/** Returns true if the stored session belongs to the service that answers now. */
export const isStoredFor = async (config: Config, { service }: Pick<Session, 'service'>) =>
  !isApart(config) && service === (await serviceOf(config));

const lookMs = 2_000;

/** Calls back once when the command that serves the page does not answer, or answers with an error. */
export function onEndOfCommand(end: () => void): void {
  const timer = setInterval(async () => {
    const answer = await fetch('/dashboard/config.json').catch(() => undefined);
    if (answer?.ok) return;
    clearInterval(timer);
    end();
  }, lookMs);
}
