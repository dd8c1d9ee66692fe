// The target of a login without a key file: address, organization and onboarding proxy.

import { unreachable } from '../doctor/probe.ts';
import { checkedUrl, usualUrl } from '../profiles/profiles.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { usage } from '../words/failures.ts';

export type LoginPlace = {
  readonly url: string;
  readonly organizationId: string;
  /** Undefined if no proxy is known. */
  readonly proxy: { readonly url: string; readonly configId: string } | undefined;
};

const maximumCharacters = 16_384;

/**
 * Returns the target from the flags, the environment and the service's configuration. Throws `usage` without
 * an organization, and `unreachable`.
 */
export async function loginPlace(
  requested: {
    readonly url: string | undefined;
    readonly organization: string | undefined;
    readonly proxy: string | undefined;
  },
  terminal: Terminal,
): Promise<LoginPlace> {
  const { environment, signal } = terminal;
  const url = checkedUrl(requested.url ?? environment['KEYWRIGHT_URL'] ?? usualUrl);
  const published = await publishedBy(url, signal);
  const organizationId =
    requested.organization ??
    environment['KEYWRIGHT_ORGANIZATION_ID'] ??
    published['organizationId'];
  if (organizationId === undefined) {
    throw usage(`${url} does not name its organization`, 'Give it: --organization ID');
  }
  // Ignore a proxy of another origin: the user trusts only the named service with a code.
  const { authProxyUrl = '' } = published;
  const isOwn = URL.canParse(authProxyUrl, url) && isSameOrigin(new URL(authProxyUrl, url), url);
  const configId = requested.proxy ?? (isOwn ? published['authProxyConfigId'] : undefined);
  return { url, organizationId, proxy: configId === undefined ? undefined : { url, configId } };
}

const isSameOrigin = ({ origin }: URL, url: string): boolean => origin === new URL(url).origin;

/** Returns the members of the dashboard's configuration; an empty object if the service serves none. */
async function publishedBy(
  url: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string | undefined>>> {
  const response = await fetchDocument(`${url}/dashboard/config.json`, { signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      throw unreachable(url, error);
    },
  );
  try {
    const text = response.ok ? await response.text() : '{}';
    const published: unknown = text.length > maximumCharacters ? {} : JSON.parse(text);
    const texts = Object.entries(Object(published)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(texts);
  } catch {
    signal.throwIfAborted();
    return {};
  }
}
