// Splits the address of a PostgreSQL database, which may name several hosts like addresses of libpq.

const maximumHosts = 8;
/** Scheme and user, hosts, and the rest. */
const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;
/** Values of `target_session_attrs` for a writable server, which every node needs. */
const writable = ['read-write', 'primary'];

/**
 * Returns one address for each host of `postgres://user:password@host1:5432,host2:5432/database`. Returns
 * undefined for other text or another `target_session_attrs`.
 */
export function databaseUrls(text: string): readonly string[] | undefined {
  const [, before, hosts, after] = form.exec(text) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) return undefined;
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  if (urls.length > maximumHosts || !urls.every((url) => URL.canParse(url))) return undefined;
  if (urls.length > 1 && hosts.split(',').includes('')) return undefined;
  const asked = URL.parse(urls[0] ?? '')?.searchParams.get('target_session_attrs');
  return asked == null || writable.includes(asked) ? urls : undefined;
}
