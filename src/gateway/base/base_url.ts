// The address of a listener.

/** Returns the address of a listener for clients on the same machine. */
export function baseUrlOf(host: string, port: number): string {
  const reachable = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]);
  const name = reachable.get(host) ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
