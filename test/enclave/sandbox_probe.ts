// Loaded into an enclave process before its own program. Attempts every forbidden action, and reports the
// results on the error output as one line of JSON: the code of each refusal, or `allowed`.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const project = new URL('../../', import.meta.url).pathname;

/** A loader or a call; its result is awaited. */
type Attempt = () => unknown;

/** Resolves with the first event of this name, or rejects with the emitter's error. */
const until = (
  event: string,
  emitter: { once(name: string, listener: (value?: unknown) => void): unknown },
) =>
  new Promise((resolve, reject) => {
    emitter.once(event, resolve);
    emitter.once('error', reject);
  });

const attempts: Record<string, Attempt> = {
  'TCP connect': () =>
    until('connect', require('node:net').connect({ port: 9, host: '127.0.0.1' })),
  'TLS connect': () =>
    until('secureConnect', require('node:tls').connect({ port: 9, host: '127.0.0.1' })),
  'Unix socket connect': () =>
    until('connect', require('node:net').connect({ path: '/tmp/none.sock' })),
  'TCP listen': () => until('listening', require('node:net').createServer().listen(0)),
  'Unix socket listen': () =>
    until('listening', require('node:net').createServer().listen('/tmp/none.sock')),
  'HTTP listen': () => until('listening', require('node:http').createServer().listen(0)),
  'HTTP request': () => until('response', require('node:http').get('http://127.0.0.1:9/')),
  'HTTP/2 connect': () => until('connect', require('node:http2').connect('http://127.0.0.1:9')),
  'UDP bind': () =>
    until('listening', require('node:dgram').createSocket('udp4').bind(0, '127.0.0.1')),
  'UDP send': () =>
    new Promise((resolve, reject) => {
      const socket = require('node:dgram').createSocket('udp4');
      socket.once('error', reject);
      socket.send('x', 9, '127.0.0.1', (error: unknown) => (error ? reject(error) : resolve(0)));
    }),
  'DNS lookup': () => require('node:dns/promises').lookup('example.org'),
  'DNS resolve': () => require('node:dns/promises').resolve4('example.org'),
  fetch: () => fetch('http://127.0.0.1:18999/'),

  'read of /etc/passwd': () => require('node:fs').readFileSync('/etc/passwd'),
  'read of the environment of the process': () =>
    require('node:fs').readFileSync('/proc/self/environ'),
  'read of the read-me': () => require('node:fs').readFileSync(`${project}README.md`),
  'read of the data directory': () => require('node:fs').readFileSync(`${project}data/root.key`),
  'list of the project': () => require('node:fs').readdirSync(project),
  'list of /': () => require('node:fs/promises').readdir('/'),
  'status of a file': () => require('node:fs').statSync('/etc/passwd'),
  'read by a module loader': () => require('/etc/passwd'),
  'read by import': () => import('../../tsconfig.json', { with: { type: 'json' } }),
  'read as a blob': () => require('node:fs').openAsBlob('/etc/passwd'),
  'load of an environment file': () => process.loadEnvFile('/etc/environment'),

  'write beside the sources': () => require('node:fs').writeFileSync(`${project}src/x`, 'x'),
  'write to /tmp': () => require('node:fs/promises').writeFile('/tmp/keywright-probe', 'x'),
  'new directory': () => require('node:fs').mkdirSync('/tmp/keywright-probe'),
  'removal of a source': () => require('node:fs').unlinkSync(`${project}src/none.ts`),
  'symbolic link': () => require('node:fs').symlinkSync('/etc/passwd', `${project}src/x`),
  'compile cache': () => {
    const { message, status } = require('node:module').enableCompileCache('/tmp/keywright-probe');
    const { ENABLED } = require('node:module').constants.compileCacheStatus;
    if (status !== ENABLED) throw Object.assign(new Error(message), { code: 'NOT_ENABLED' });
  },
  'heap snapshot': () => require('node:v8').writeHeapSnapshot('/tmp/keywright-probe'),
  'diagnostic report': () => process.report.writeReport('/tmp/keywright-probe'),
  'node:sqlite': () => require('node:sqlite'),

  'child process': () => until('spawn', require('node:child_process').spawn('/bin/true')),
  'child process, synchronous': () => require('node:child_process').execFileSync('/bin/true'),
  'process replacement': () => process.execve?.('/bin/true'),
  'cluster worker': () => require('node:cluster').fork(),
  'worker thread': () => new (require('node:worker_threads').Worker)('0', { eval: true }),
  addon: () =>
    process.dlopen({ exports: {} }, `${project}node_modules/none/build/Release/none.node`),
  'foreign functions': () => require('node:ffi'),
  WASI: () => new (require('node:wasi').WASI)({ version: 'preview1' }),
  'inspector server': () => require('node:inspector').open(0, '127.0.0.1'),
  'inspector session': () => new (require('node:inspector').Session)().connect(),
  eval: () => Reflect.apply(Reflect.get(globalThis, 'eval'), undefined, ['1']),
  'new Function': () => new Function('return 1')(),
  'process.binding': () => Reflect.get(process, 'binding').call(process, 'spawn_sync'),
};

const outcomes: Record<string, string> = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    outcomes[name] = 'allowed';
  } catch (error) {
    outcomes[name] = codeOf(error);
  }
}

const report = {
  outcomes,
  environment: Object.keys(process.env),
  hasProto: '__proto__' in {},
  globals: ['WebSocket', 'navigator', 'localStorage'].filter((name) =>
    Reflect.has(globalThis, name),
  ),
};
process.stderr.write(`${JSON.stringify(report)}\n`);

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? `${error.name}: ${error.message}` : codeOf(error.cause);
}
