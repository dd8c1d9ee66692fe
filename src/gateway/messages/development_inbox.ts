// Holds messages in memory in development mode, and shows them to the developer on this machine. The start
// prints the required token, which other users and programs of the machine do not have.

import { base64url, equalBytes, utf8 } from '../../core/base/bytes.ts';
import type { OutgoingMessage } from '../../core/external/outgoing_message.ts';
import type { Log } from '../observability/log.ts';
import type { Carrier } from './carrier.ts';
import { isLoopbackHost } from './loopback.ts';

export const maximumInboxMessages = 1_000;

/** A message in the answer of `GET /dev/inbox`. */
type InboxMessage = {
  readonly channel: OutgoingMessage['channel'];
  readonly to: string;
  /** Only for e-mails. */
  readonly subject?: string;
  readonly text: string;
  /** RFC 3339, in UTC. */
  readonly createdAt: string;
};

const tokenBytes = 16;

export type DevelopmentInbox = {
  /** Grants access to the inbox. Base64url, new at each start. */
  readonly token: string;
  readonly carrier: Carrier<OutgoingMessage>;
  /** Returns the messages for `GET /dev/inbox`: the last 1,000, newest first. */
  read(): { readonly messages: readonly InboxMessage[] };
};

/** Creates an empty inbox. `clock` is in milliseconds since 1970. */
export function createDevelopmentInbox(
  log: Log,
  clock: () => number,
  random: (lengthBytes: number) => Uint8Array,
): DevelopmentInbox {
  const messages: InboxMessage[] = [];
  return {
    token: base64url(random(tokenBytes)),
    carrier: {
      send: async (message) => {
        const { channel, to, text } = message;
        const subject = message.channel === 'email' ? { subject: message.subject } : {};
        const createdAt = new Date(clock()).toISOString();
        messages.push({ channel, to, ...subject, text, createdAt });
        if (messages.length > maximumInboxMessages) messages.shift();
        log('info', 'a message for the development inbox', { channel, to, ...subject, text });
      },
    },
    read: () => ({ messages: messages.toReversed() }),
  };
}

/**
 * Returns true if a request with the token may read the inbox. Only programs on this machine can reach the
 * inbox. A foreign page in a browser could send requests too, but its origin and its `Host` header reveal it.
 */
export function mayReadInbox(
  { token }: Pick<DevelopmentInbox, 'token'>,
  given: {
    readonly token: string | null;
    readonly host: string | undefined;
    readonly origin: string | undefined;
    readonly secFetchSite: string | undefined;
  },
): boolean {
  const { host, origin, secFetchSite } = given;
  if (given.token === null || !equalBytes(utf8(given.token), utf8(token))) return false;
  const url = URL.parse(`http://${host ?? ''}`);
  if (url === null || !isLoopbackHost(url.hostname)) return false;
  if (origin !== undefined && origin !== url.origin) return false;
  return secFetchSite === undefined || ['same-origin', 'none'].includes(secFetchSite);
}
