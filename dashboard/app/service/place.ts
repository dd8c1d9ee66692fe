// The service that answers this page, and the command that serves it.

import { publishedKeys } from '../../../src/client/service_keys.ts';
import type { Session } from '../../../src/client/sessions.ts';
import type { Config } from '../session/config.ts';
import { watchedFetch } from '../session/reach.ts';

/** Reads public documents: nothing of a session goes with the request. */
const publicReader = { fetch: watchedFetch, now: Date.now, pause: async () => undefined };

/** The name of the service: its origin, and the key by which it signs. Raises what the client raises. */
async function serviceOf({ apiUrl }: Pick<Config, 'apiUrl'>): Promise<string> {
  const { signer } = await publishedKeys(apiUrl.replace(/\/+$/, ''), publicReader);
  return `${new URL(apiUrl).origin} ${signer}`;
}

/**
 * The page is served by a command of this machine, which ends. Its session is stored nowhere: at the same
 * address another command shows another service next, or a program of another user answers.
 */
const isApart = ({ passkeys }: Config): boolean => passkeys === false;

/** The options under which a session is kept for this service; none where it is not kept. */
export const keptAs = async (config: Config, store: string) =>
  isApart(config) ? {} : { store, service: await serviceOf(config) };

/** Returns true if a kept session was started for the service that answers now. */
export const isKeptFor = async (config: Config, { service }: Pick<Session, 'service'>) =>
  !isApart(config) && service === (await serviceOf(config));

const lookMs = 2_000;

/** Calls back once the command that serves the page has ended, or another one answers at its address. */
export function onEndOfCommand(end: () => void): void {
  const timer = setInterval(async () => {
    const answer = await fetch('/dashboard/config.json').catch(() => undefined);
    if (answer?.ok) return;
    clearInterval(timer);
    end();
  }, lookMs);
}
