import { isLoopbackHost } from './loopback.ts';

/** The address of a mail server, its login and its TLS mode. */
export type SmtpTarget = {
  readonly host: string;
  readonly port: number;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /**
   * `always`: TLS from the first byte. `required`: STARTTLS, without which nothing is sent. `offered`:
   * STARTTLS if the server has it. `never`: no TLS, which protects nothing on the same machine.
   */
  readonly tls: 'always' | 'required' | 'offered' | 'never';
};

/** The form that `readSmtpUrl` accepts, for error messages. */
export const smtpUrlForm = '`smtp://user:password@host:port` or `smtps://…`';

/**
 * Reads the URL of a mail server; undefined if it is malformed. `smtps` means TLS from the first byte
 * (default port 465). `smtp` (default port 587) means STARTTLS: required with a password, and omitted on the
 * same machine. User and password may be percent-encoded.
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

/** Returns the sender of messages if neither they nor the settings name one. */
export function defaultSender({ host, login }: SmtpTarget): string {
  if (login !== undefined && isBareAddress(login.user)) return login.user;
  // The last label of a host name begins with a letter; that of an IPv4 address does not.
  const isName = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i.test(host);
  return `notifications@${isName ? host : 'localhost'}`;
}

/** Returns true if a text is exactly one address, without a display name. */
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
