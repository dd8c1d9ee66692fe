// The units of the Debian package under a real systemd, in the form with two users. The drill copies this
// machine, boots systemd in the copy as its first process, and follows docs/deployment.md.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeWallet, requireNothingLost, sign } from '../e2e/rotated_service.ts';
import { type RunningService, readCredentials, until } from '../e2e/service.ts';
import { freePort } from '../support/free_port.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { bootMachine, noBoot } from './machines.ts';
import { packed } from './packed.ts';

const { test } = testsThatNeed(existsSync('/usr/bin/dpkg') ? noBoot() : 'needs dpkg');

const enclaveData = 'var/lib/keywright-enclave';
const timeoutMs = 60_000;

test('systemd starts, restricts, restarts and stops both units of the form with two users', async (t) => {
  const machine = await bootMachine();
  if (machine === undefined) {
    t.diagnostic('systemd does not boot in a copy of this machine, so no unit was started');
    return;
  }
  const inMachine = (path: string) => join(machine.root, path);
  const done = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = machine.run(...words);
    assert.equal(status, 0, `${words.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  };
  const shown = (unit: string, property: string): string =>
    done('systemctl', 'show', '--property', property, '--value', unit).trim();

  copyFileSync((await packed()).file(/\.deb$/), inMachine('keywright.deb'));
  rmSync(inMachine('usr/bin/node'), { force: true });
  copyFileSync(process.execPath, inMachine('usr/bin/node'));
  chmodSync(inMachine('usr/bin/node'), 0o755);
  done('dpkg', '--force-depends', '--install', '/keywright.deb');

  const port = await freePort();
  mkdirSync(inMachine('etc/keywright'), { recursive: true });
  writeFileSync(inMachine('etc/keywright/environment'), `KEYWRIGHT_PORT=${port}\n`, {
    mode: 0o600,
  });
  writeFileSync(inMachine('root.key'), randomBytes(32), { mode: 0o600 });
  const page = readFileSync(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8');
  const [, commands] = /```sh\n(install -d -m 0700 \/etc\/credstore\n.*?)```/s.exec(page) ?? [];
  assert.ok(commands !== undefined, 'docs/deployment.md has the commands');
  done('sh', '-ec', `cd /\n${commands}`);

  const data = inMachine('var/lib/keywright');
  const baseUrl = `http://127.0.0.1:${port}`;
  const ready = async () => {
    try {
      return (await fetch(`${baseUrl}/health/ready`)).ok;
    } catch {
      return false;
    }
  };
  await until('the service is ready', ready, { timeoutMs });
  const credentials = { ...readCredentials(data), baseUrl };
  const service = { baseUrl, dataDirectory: data, credentials } as RunningService;
  const made = await makeWallet(service);
  await sign(service, made, 'first');

  const pid = (unit: string): string => shown(unit, 'MainPID');
  /** Returns a file of `/proc` of the first process of a unit. */
  const ofProcess = (unit: string, name: string): string =>
    done('cat', `/proc/${pid(unit)}/${name}`);
  const userOf = (name: string) => done('id', '-u', name).trim();
  for (const unit of ['keywright', 'keywright-enclave']) {
    const status = ofProcess(unit, 'status');
    const uid = userOf(unit);
    assert.match(status, new RegExp(`^Uid:\t${uid}\t${uid}\t${uid}\t${uid}$`, 'm'));
    assert.match(status, /^NoNewPrivs:\t1$/m);
    assert.match(status, /^Seccomp:\t2$/m);
    for (const set of ['CapEff', 'CapPrm', 'CapBnd', 'CapAmb']) {
      assert.match(status, new RegExp(`^${set}:\t0+$`, 'm'));
    }
    assert.match(ofProcess(unit, 'limits'), /^Max core file size +0 +0 /m);
  }
  // The enclaves have a network namespace of their own.
  const network = (of: string) => done('readlink', `/proc/${of}/ns/net`);
  assert.notEqual(network(pid('keywright-enclave')), network('1'));
  assert.equal(network(pid('keywright')), network('1'));

  // Only the user of the enclaves can read the root key. A process with the user and mounts of the gateway
  // cannot.
  assert.equal(statSync(inMachine(enclaveData)).mode & 0o777, 0o700);
  assert.ok(!existsSync(join(data, 'root.key')));
  const asGateway = (...words: readonly string[]) =>
    machine.run(
      ...['nsenter', '--target', pid('keywright'), '--mount'],
      ...['setpriv', '--reuid=keywright', '--regid=keywright', '--init-groups'],
      ...words,
    );
  assert.equal(asGateway('cat', '/var/lib/keywright/root-credentials.json').status, 0);
  const enclave = pid('keywright-enclave');
  for (const hidden of [
    '/etc/credstore/keywright.root-key',
    '/run/credentials/keywright-enclave.service/keywright.root-key',
    '/var/lib/keywright-enclave/.',
    `/proc/${enclave}/environ`,
    `/proc/${enclave}/mem`,
  ]) {
    assert.notEqual(asGateway('head', '-c1', hidden).status, 0, hidden);
  }
  assert.notEqual(asGateway('ls', '/var/lib/keywright-enclave').status, 0);
  assert.notEqual(asGateway('ls', `/proc/${enclave}`).status, 0, 'its processes are invisible');

  // Either unit may end at any time.
  done('systemctl', 'kill', '--signal=KILL', 'keywright-enclave');
  await until('the enclaves run again', () => pid('keywright-enclave') !== enclave, { timeoutMs });
  await until('the service is ready', ready, { timeoutMs });
  await sign(service, made, 'after a kill');
  done('systemctl', 'restart', 'keywright');
  await until('the service is ready', ready, { timeoutMs });
  await requireNothingLost(service, made);

  done('systemctl', 'stop', 'keywright', 'keywright-enclave');
  for (const unit of ['keywright', 'keywright-enclave']) {
    assert.equal(shown(unit, 'ActiveState'), 'inactive');
    assert.equal(shown(unit, 'Result'), 'success');
  }
});
