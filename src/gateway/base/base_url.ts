// The address of a listener.

/** Where a client on the same machine reaches a listener. */
export function baseUrlOf(host: string, port: number): string {
  const reachable = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]);
  const name = reachable.get(host) ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
