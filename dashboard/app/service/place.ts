// Identifies the service that answers this page, and the command that serves the page.

import { publishedKeys } from '../../../src/client/service_keys.ts';
import type { Session } from '../../../src/client/session.ts';
import type { Config } from '../session/config.ts';
import { watchedFetch } from '../session/reach.ts';

/** A client that reads public documents; its requests carry no session. */
const publicReader = { fetch: watchedFetch, now: Date.now, pause: async () => undefined };

/** Returns the identity of the service: its origin and its signing key. Raises the errors of the client. */
async function serviceOf({ apiUrl }: Pick<Config, 'apiUrl'>): Promise<string> {
  const { signer } = await publishedKeys(apiUrl.replace(/\/+$/, ''), publicReader);
  return `${new URL(apiUrl).origin} ${signer}`;
}

/**
 * True if a command of this machine serves the page. The page then stores no session. When the command has
 * ended, a command for another service, or a program of another user, may answer at the address.
 */
const isApart = ({ passkeys }: Config): boolean => passkeys === false;

/** Returns the options for a stored session of this service; undefined if the page stores no session. */
export const keptAs = async (config: Config, store: string) =>
  isApart(config) ? {} : { store, service: await serviceOf(config) };

/** Returns true if the stored session was started for the service that answers now. */
export const isKeptFor = async (config: Config, { service }: Pick<Session, 'service'>) =>
  !isApart(config) && service === (await serviceOf(config));

const lookMs = 2_000;

/** Calls back when the command that serves the page has ended, or another command answers at its address. */
export function onEndOfCommand(end: () => void): void {
  const timer = setInterval(async () => {
    const answer = await fetch('/dashboard/config.json').catch(() => undefined);
    if (answer?.ok) return;
    clearInterval(timer);
    end();
  }, lookMs);
}
