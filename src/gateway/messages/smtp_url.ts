import { isLoopbackHost } from './loopback.ts';

/** A mail server, and how to speak to it. */
export type SmtpTarget = {
  readonly host: string;
  readonly port: number;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /**
   * `always`: TLS from the first byte. `required`: after STARTTLS, without which nothing is sent. `offered`:
   * after STARTTLS if the server has it. `never`: no TLS; on the same machine it protects nothing.
   */
  readonly tls: 'always' | 'required' | 'offered' | 'never';
};

/** The form that `readSmtpUrl` accepts, for error messages. */
export const smtpUrlForm = '`smtp://user:password@host:port` or `smtps://…`';

/**
 * Reads the address of a mail server; undefined where it is malformed. `smtps` is TLS from the first
 * byte (port 465 unless given). `smtp` (port 587) is STARTTLS: required where there is a password,
 * and left out on the same machine. User and password may be percent-encoded.
 */
export function readSmtpUrl(text: string): SmtpTarget | undefined {
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) return undefined;
  const host = decoded(url.hostname)?.replace(/^\[(.*)\]$/, '$1');
  const user = decoded(url.username);
  const password = decoded(url.password);
  const hasRest = !['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '';
  if (host === undefined || user === undefined || password === undefined || hasRest) {
    return undefined;
  }
  if (host === '' || /[\s\p{Cc}]/u.test(host) || (user === '') !== (password === '')) {
    return undefined;
  }
  const isSecure = url.protocol === 'smtps:';
  const port = url.port === '' ? (isSecure ? 465 : 587) : Number(url.port);
  const login = user === '' ? undefined : { user, password };
  if (port === 0) return undefined;
  if (isSecure) return { host, port, login, tls: 'always' };
  if (isLoopbackHost(host)) return { host, port, login, tls: 'never' };
  return { host, port, login, tls: login === undefined ? 'offered' : 'required' };
}

/** The sender of messages that name none, where the operator names none either. */
export function defaultSender({ host, login }: SmtpTarget): string {
  if (login !== undefined && isBareAddress(login.user)) return login.user;
  // The last label of a name has a letter in front, of an IPv4 address it has none.
  const isName = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i.test(host);
  return `notifications@${isName ? host : 'localhost'}`;
}

/** Returns true if a text is one address, without a name and not several. */
export function isBareAddress(text: string): boolean {
  return /^[^\s@<>,;:"()[\]\\]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
