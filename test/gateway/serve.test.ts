import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { publishedServiceKeys } from '../../src/core/crypto/service_keys.ts';
import { baseUrlOf } from '../../src/gateway/base/base_url.ts';
import { portOf } from '../../src/gateway/base/both_families.ts';
import type { EnclaveProcess } from '../../src/gateway/enclave/process.ts';
import { projectDirectory, startEnclaveProcess } from '../../src/gateway/enclave/process.ts';
import { type ServeParts, serve } from '../../src/gateway/serve.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { fixedServiceKeys } from '../core/crypto/service_keys.test.ts';
import { compileCache } from '../support/compile_cache.ts';
import { launchCompiledEnclave } from '../support/compiled_enclave.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { fakeEnclave } from './fake_enclave.ts';

function temporaryDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'keywright-'));
  t.after(() => rmSync(path, { recursive: true }));
  return join(path, 'data');
}

const quiet = () => {};
const settingsFor = (directory: string, ...flags: string[]) =>
  readSettings({}, ['--data-dir', directory, '--port', '0', ...flags]);
const credentialsIn = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'root-credentials.json'), 'utf8'));
const post = (baseUrl: string) =>
  fetch(`${baseUrl}/public/v1/query/whoami`, { method: 'POST', body: '{}' });

describe('the service, with a fake enclave', () => {
  const start = (directory: string, parts: Partial<ServeParts> = {}, ...flags: string[]) =>
    serve(settingsFor(directory, ...flags), {
      log: quiet,
      launch: () => fakeEnclave().process,
      ...parts,
    });

  test('starts ready, with credentials, and stops', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await start(directory);
    assert.equal((await fetch(`${service.baseUrl}/health/ready`)).status, 200);
    assert.equal(service.organizationId, 'organization');
    assert.equal(service.credentialsFile, join(directory, 'root-credentials.json'));
    assert.equal(credentialsIn(directory).baseUrl, service.baseUrl);
    assert.equal(await (await post(service.baseUrl)).text(), 'whoami');
    await service.stop();
    await assert.rejects(fetch(service.baseUrl));
    // The directory was released.
    await (await start(directory)).stop();
  });

  test('is not ready while the enclave is gone, and counts its restarts', async (t) => {
    const launched: EnclaveProcess[] = [];
    let mayStart = true;
    const service = await start(
      temporaryDirectory(t),
      {
        launch: () => {
          if (!mayStart) throw new Error('not now');
          const enclave = fakeEnclave().process;
          launched.push(enclave);
          return enclave;
        },
        openApi: async (baseUrl) => ({ servers: [{ url: baseUrl }] }),
      },
      '--metrics-port',
      '0',
    );
    mayStart = false;
    launched[0]?.kill();
    let ready = await fetch(`${service.baseUrl}/health/ready`);
    while (ready.status === 200) ready = await fetch(`${service.baseUrl}/health/ready`);
    assert.deepEqual(JSON.parse(await ready.text()).reasons, ['the enclave is not running']);
    const refused = await post(service.baseUrl);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.match(await refused.text(), /the enclave is restarting; try again/);
    mayStart = true;
    while ((await post(service.baseUrl)).status !== 200);
    const document = await (await fetch(`${service.baseUrl}/openapi.json`)).json();
    assert.deepEqual(document, { servers: [{ url: service.baseUrl }] });

    const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text();
    assert.match(metrics, /keywright_requests_total\{kind="query",operation="whoami",status="200"/);
    assert.match(metrics, /keywright_request_duration_seconds_count\{kind="query"/);
    assert.match(metrics, /^keywright_requests_in_flight 0$/m);
    assert.match(metrics, /^keywright_enclave_restarts_total [1-9]/m);
    assert.equal((await fetch(`${service.metricsUrl}/`)).status, 404);
    const apart = await fetch(`${service.metricsUrl}/health/ready`);
    assert.deepEqual([apart.status, await apart.json()], [200, { status: 'ready' }]);
    assert.equal((await fetch(`${service.metricsUrl}/health/live`)).status, 200);
    assert.equal((await fetch(`${service.metricsUrl}/health/other`)).status, 404);
    await service.stop();
  });

  test('a deleted root key is not created again for a restart', async (t) => {
    const directory = temporaryDirectory(t);
    const first = fakeEnclave();
    const launched = [first];
    const launch = () => (launched.shift() ?? fakeEnclave()).process;
    const noted = Promise.withResolvers<unknown>();
    const service = await start(directory, {
      launch,
      log: (_, message, { detail }) => {
        if (message === 'the enclave could not be restarted') noted.resolve(detail);
      },
    });
    rmSync(join(directory, 'root.key'));
    first.process.kill();
    assert.match(String(await noted.promise), /made with a root key that is not at .*root\.key/);
    assert.equal(existsSync(join(directory, 'root.key')), false);
    await service.stop();
  });

  test('counts running commits', async (t) => {
    const enclave = fakeEnclave();
    const service = await start(
      temporaryDirectory(t),
      { launch: () => enclave.process },
      '--metrics-port=0',
    );
    const outcome = await enclave.link.call('commit', {
      conditions: [],
      organizations: [],
      records: [],
      deletedRecords: [],
      lookups: [],
      deletedLookups: [],
      activities: [],
      events: [],
      redeliveries: [],
      deployment: Uint8Array.of(1),
    });
    assert.equal(outcome, 'committed');
    const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text();
    assert.match(metrics, /^keywright_store_commits_under_way_count 1$/m);
    await service.stop();
  });

  test('a failed start releases everything', async (t) => {
    const directory = temporaryDirectory(t);
    const occupied = createServer().listen(0, '127.0.0.1');
    await once(occupied, 'listening');
    t.after(() => occupied.close());
    const enclave = fakeEnclave();
    const settings = settingsFor(directory);
    await assert.rejects(
      serve(
        { ...settings, port: portOf(occupied.address()) },
        { log: quiet, launch: () => enclave.process },
      ),
      { code: 'EADDRINUSE' },
    );
    assert.equal(await enclave.process.exited, 'ended');
    // The key of the created organization is stored, and the next start uses it.
    assert.equal(existsSync(join(directory, 'root-credentials.pending.json')), true);
    await (await start(directory)).stop();
    assert.equal(existsSync(join(directory, 'root-credentials.pending.json')), false);
  });

  test('a service on all interfaces is reached over loopback', () => {
    assert.equal(baseUrlOf('0.0.0.0', 1), 'http://127.0.0.1:1');
    assert.equal(baseUrlOf('::', 1), 'http://[::1]:1');
    assert.equal(baseUrlOf('fd00::1', 1), 'http://[fd00::1]:1');
    assert.equal(baseUrlOf('host.example', 1), 'http://host.example:1');
  });
});

describe('the service, with the real enclave process', () => {
  test('reports in one sentence that the enclave cannot start', async (t) => {
    const settings = settingsFor(temporaryDirectory(t));
    const launch = () => startEnclaveProcess({ log: quiet, entry: '/no/such/program.ts' });
    await assert.rejects(serve(settings, { log: quiet, launch }), {
      name: 'UnusableDataError',
      message: 'the enclave did not start: the lines above say why',
    });
  });

  test('a killed enclave is replaced and finds the same organization', async (t) => {
    const directory = temporaryDirectory(t);
    const launched: EnclaveProcess[] = [];
    const service = await serve(settingsFor(directory), {
      log: quiet,
      launch: () => {
        const enclave = launchCompiledEnclave();
        launched.push(enclave);
        return enclave;
      },
    });
    assert.equal(credentialsIn(directory).organizationId, service.organizationId);
    // The status of an unstamped request shows that the enclave answered.
    const { status } = await post(service.baseUrl);
    assert.ok(status >= 400 && status < 500);
    launched[0]?.kill();
    await launched[0]?.exited;
    let answer = await post(service.baseUrl);
    while (answer.status !== status) {
      assert.equal(answer.status, 503);
      answer = await post(service.baseUrl);
    }
    assert.equal(launched.length, 2);
    await service.stop();
    assert.equal(await launched[1]?.exited, 'exit code 0, signal null');

    const again = await serve(settingsFor(directory), {
      log: quiet,
      launch: launchCompiledEnclave,
    });
    assert.equal(again.organizationId, service.organizationId);
    assert.equal(again.credentialsFile, undefined);
    await again.stop();
  });
});

describe('the command line', () => {
  // In a checkout the printed commands name its main file.
  const main = join(projectDirectory, 'src/main.ts');

  async function run(...flags: string[]): Promise<{ code: number; out: string; err: string }> {
    const child = spawn(process.execPath, [main, ...flags], { env: compileCache });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, out, err };
  }

  test('serve until SIGTERM: a greeting, lines of JSON, exit code 0', async (t) => {
    const directory = temporaryDirectory(t);
    const flags = ['serve', '--data-dir', directory, '--port', '0'];
    const child = spawn(process.execPath, [main, ...flags], { env: compileCache });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const closed = once(child, 'close');
    for await (const chunk of child.stderr) {
      err += chunk;
      if (err.includes('npx --no keywright')) break;
    }
    const { baseUrl, organizationId } = credentialsIn(directory);
    // Browsers create passkeys only for hosts with a name.
    const printedUrl = baseUrl.replace('127.0.0.1', 'localhost');
    assert.ok(err.includes(`ready at ${printedUrl}\n`) && err.includes(organizationId));
    assert.equal((await fetch(`${printedUrl}/health/live`)).status, 200);
    assert.equal((await fetch(`${baseUrl}/health/ready`)).status, 200);
    // The printed command finds the credentials of this start.
    const [, command = ''] = /^next +(.*)$/m.exec(err) ?? [];
    const next = await promisify(execFile)('sh', ['-c', command], { cwd: projectDirectory });
    assert.match(next.stdout, /0x[0-9a-fA-F]{40}/);
    assert.notEqual((await post(baseUrl)).status, 200);
    assert.match(
      err,
      new RegExp(`^development inbox +${baseUrl}/dev/inbox\\?token=[\\w-]{22} `, 'm'),
    );
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines) assert.equal(typeof line.msg, 'string');
    assert.equal(lines.findLast((line) => line.msg === 'request').kind, 'query');
    assert.equal(lines.at(-1).msg, 'stopped');
    assert.ok(!out.includes(credentialsIn(directory).apiPrivateKey));
  });

  test('a later start does not offer commands that need the credentials', async (t) => {
    const directory = temporaryDirectory(t);
    const greetings = [];
    const { main: compiled, environment: env } = serviceProgram();
    for (const flags of [[], ['--smtp-url', 'smtp://127.0.0.1:1']]) {
      const words = ['serve', '--data-dir', directory, '--port', '0', ...flags];
      const child = spawn(process.execPath, [compiled, ...words], { env });
      let err = '';
      for await (const chunk of child.stderr) {
        err += chunk;
        // The text is written at once, and ends with an empty line.
        if (/^organization.*\n\n$/ms.test(err)) child.kill('SIGTERM');
      }
      greetings.push(
        err
          .trim()
          .split('\n')
          .map((line) => line.split('  ')[0]),
      );
    }
    const always = [/^keywright is ready at /, /^organization$/];
    const open = /^open$/;
    const first = [...always, /^development inbox$/, /^root credentials$/, /^next$/, open];
    for (const [i, expected] of [first, [...always, open]].entries()) {
      assert.equal(greetings[i]?.length, expected.length, JSON.stringify(greetings[i]));
      for (const [j, line] of expected.entries()) assert.match(greetings[i]?.[j] ?? '', line);
    }
  });

  test('keys prints the public keys that the service publishes, from its root key alone', async (t) => {
    const directory = temporaryDirectory(t);
    const none = await run('keys', '--data-dir', directory);
    assert.equal(none.code, 1);
    assert.match(none.err, /^keywright: there is no root key at .*\/root\.key: start the service/);
    const path = join(directory, 'root.key');
    mkdirSync(directory);
    writeFileSync(path, new Uint8Array(32).fill(7), { mode: 0o600 });
    const { code, out, err } = await run('keys', '--data-dir', directory);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    assert.deepEqual(JSON.parse(out), { keys: publishedServiceKeys(fixedServiceKeys(7)) });
    assert.ok(!out.includes('07'.repeat(32)));
    chmodSync(path, 0o644);
    assert.match((await run('keys', '--data-dir', directory)).err, /open to other users/);
  });

  test('version and help', async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    assert.deepEqual(await run('version'), { code: 0, out: `keywright ${version}\n`, err: '' });
    const help = await run('help');
    assert.equal(help.code, 0);
    assert.match(help.out, /^ {2}wallet +list, show/m);
    assert.deepEqual(await run(), help);
    assert.deepEqual(await run('--help'), help);
    for (const words of ['serve --help', 'keys -h', 'policy test --help']) {
      const { code, out } = await run(...words.split(' '));
      assert.equal(code, 0, words);
      assert(out.includes(`keywright ${words.replace(/ -.*/, '')} `), out);
    }
    assert.match((await run('serve', '--help')).out, /--data-dir/);
  });

  test('an unknown command or flag is refused in a sentence', async (t) => {
    assert.deepEqual(await run('sevre'), {
      code: 2,
      out: '',
      err: 'keywright: unknown command sevre; did you mean serve?\nnext: keywright serve --help\n',
    });
    const unknownFlag = await run('serve', '--prot', '1');
    assert.equal(unknownFlag.code, 2);
    assert.match(unknownFlag.err, /^keywright: --prot: unknown flag, .* --port\nnext: .*\n$/);
    const directory = temporaryDirectory(t);
    const wrongKey = await run('serve', '--data-dir', directory, '--root-key-file', main);
    assert.equal(wrongKey.code, 1);
    assert.match(wrongKey.err, /^keywright: the root key .*\n$/);
  });
});
