// HAProxy and nginx of Debian in front of two nodes, with the configurations of docs/failover.md.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory, until } from '../e2e/service.ts';
import { freePort } from '../support/free_port.ts';

export type ProxyName = 'haproxy' | 'nginx';

export type Proxy = {
  readonly baseUrl: string;
  /** Number of requests that the proxy sent to a second node after the first one failed. */
  repeated(): number;
  stop(): Promise<void>;
};

const programs: Readonly<Record<ProxyName, string>> = {
  haproxy: '/usr/sbin/haproxy',
  nginx: '/usr/sbin/nginx',
};

/** Returns the reason why a proxy cannot start on this machine; undefined if it can. */
export function missingProxy(name: ProxyName): string | undefined {
  return existsSync(programs[name]) ? undefined : `${programs[name]} is not there: install ${name}`;
}

/** Returns the configuration of docs/failover.md for a proxy, with other ports. */
function printed(name: ProxyName, ports: readonly [number, number, number]): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/failover.md'), 'utf8');
  const mark = `<!-- ${name} -->`;
  const block = page.split(mark)[1]?.split('```')[1];
  if (block === undefined) throw new Error(`docs/failover.md has no block below ${mark}`);
  const [listen, first, second] = ports;
  return block
    .slice(block.indexOf('\n') + 1)
    .replaceAll('10.0.0.1:8080', `127.0.0.1:${first}`)
    .replaceAll('10.0.0.2:8080', `127.0.0.1:${second}`)
    .replace(/^(\s*(?:bind|listen)) .*$/m, (_, word) =>
      word.includes('bind') ? `${word} 127.0.0.1:${listen}` : `${word} 127.0.0.1:${listen};`,
    );
}

/** Starts a proxy in front of two nodes, and waits until it answers. */
export async function startProxy(
  name: ProxyName,
  nodePorts: readonly [number, number],
): Promise<Proxy> {
  const directory = temporaryDirectory();
  const port = await freePort();
  const config = join(directory, 'config');
  const log = join(directory, 'access.log');
  const text = printed(name, [port, ...nodePorts]);
  const whole = {
    haproxy: text,
    nginx: `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${directory}/pid;
error_log ${directory}/error.log;
events { worker_connections 256; }
http {
  log_format upstreams '$status $upstream_addr';
  access_log ${log} upstreams;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
${text}
}
`,
  };
  writeFileSync(config, whole[name]);
  const arguments_ = {
    haproxy: ['-db', '-f', config],
    nginx: ['-p', directory, '-e', join(directory, 'error.log'), '-c', config],
  };
  const child = spawn(programs[name], arguments_[name], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await until('the proxy listens', async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended`);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    repeated: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line.includes(', ')).length
        : 0,
    stop: async () => {
      // SIGTERM ends the proxy at once, even with open connections of clients.
      child.kill('SIGTERM');
      await ended;
    },
  };
}
