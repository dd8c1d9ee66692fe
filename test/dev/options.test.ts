import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDevOptions } from '../../src/dev/options.ts';
import { SettingsError } from '../../src/settings/settings.ts';

const refusalOf = (environment: Record<string, string>, ...flags: readonly string[]): string => {
  try {
    readDevOptions(environment, flags);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.message;
  }
  return assert.fail('it was accepted');
};

test('with nothing given it keeps to its folder, and to itself', () => {
  const { settings, ...others } = readDevOptions({}, []);
  assert.deepEqual(others, { fresh: false, demo: true, seedFile: undefined });
  const { dataDirectory, host, allowPrivateTargets, logLevel } = settings;
  assert.deepEqual(
    { dataDirectory, host, allowPrivateTargets, logLevel },
    { dataDirectory: '.keywright', host: '127.0.0.1', allowPrivateTargets: true, logLevel: 'warn' },
  );
});

test('its own flags and those of serve', () => {
  for (const flag of ['--fresh', '--reset']) assert.equal(readDevOptions({}, [flag]).fresh, true);
  assert.equal(readDevOptions({}, ['--no-demo']).demo, false);
  for (const flags of [['--seed', 'a=b'], ['--seed=a=b']]) {
    assert.equal(readDevOptions({}, flags).seedFile, 'a=b');
  }
  const { settings } = readDevOptions({ KEYWRIGHT_PORT: '1' }, [
    ...['--log-level', 'info', '--fresh', '--data-dir=x', '--port', '2'],
  ]);
  assert.deepEqual([settings.port, settings.dataDirectory, settings.logLevel], [2, 'x', 'info']);
});

test('options that would let others in, or lead out of the folder, are refused', () => {
  const refused = {
    KEYWRIGHT_HOST: '0.0.0.0',
    KEYWRIGHT_PUBLIC_URL: 'https://keys.example',
    KEYWRIGHT_TRUSTED_PROXIES: '1',
    KEYWRIGHT_SMTP_URL: 'smtp://127.0.0.1:1',
    KEYWRIGHT_DATABASE_URL: 'postgres://a:b@localhost/c',
    KEYWRIGHT_ROOT_KEY_FILE: '/key',
    KEYWRIGHT_ANCHOR_FILE: '/anchor',
  };
  for (const [name, value] of Object.entries(refused)) {
    assert.match(refusalOf({ [name]: value }), new RegExp(`^${name}: .*keywright serve for that$`));
  }
  const metrics = { KEYWRIGHT_METRICS_PORT: '0', KEYWRIGHT_METRICS_HOST: '::' };
  assert.match(refusalOf(metrics), /^KEYWRIGHT_METRICS_HOST: /);
  assert.equal(refusalOf(refused).split('\n').length, Object.keys(refused).length);
  for (const host of ['localhost', '::1', '127.0.0.2'])
    readDevOptions({ KEYWRIGHT_HOST: host }, []);
  readDevOptions({ KEYWRIGHT_PUBLIC_URL: 'http://localhost:1' }, []);
});

test('unknown flags, and seeds without a demo', () => {
  assert.match(refusalOf({}, '--prot', '1'), /--prot: unknown flag, .* --port$/);
  for (const flags of [['--seed'], ['--seed='], ['--seed', '']]) {
    assert.match(refusalOf({}, ...flags), /--seed: expected a file/);
  }
  assert.match(refusalOf({}, '--seed', 'x', '--no-demo'), /--no-demo leaves out/);
});
