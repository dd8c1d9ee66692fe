import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientVariables } from '../../src/settings/client.ts';
import { settingsHelp } from '../../src/settings/page.ts';
import { flagOf, readSettings, SettingsError, settingsTable } from '../../src/settings/settings.ts';
import { settingsDocument } from '../../tools/write_settings_page.ts';

const complaint = (environment: Record<string, string>, flags: readonly string[] = []) => {
  try {
    readSettings(environment, flags);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.message;
  }
  return assert.fail('the settings were accepted');
};

test('without any setting, the documented defaults apply', () => {
  const settings = readSettings({ PATH: '/bin' }, []);
  assert.equal(settings.dataDirectory, './data');
  assert.equal(settings.host, '127.0.0.1');
  assert.equal(settings.port, 8080);
  assert.equal(settings.rootKeyFile, undefined);
  assert.equal(settings.metricsPort, undefined);
  assert.equal(settings.bodyLimitBytes, 4 * 1024 * 1024);
  assert.equal(settings.livenessMaximumAgeMs, 3_600_000);
  assert.equal(settings.livenessMaximumAheadMs, 300_000);
});

test('variables and flags set values, and flags take precedence', () => {
  const settings = readSettings(
    { KEYWRIGHT_PORT: '1', KEYWRIGHT_HOST: '::', KEYWRIGHT_METRICS_PORT: '9090' },
    ['--port', '2', '--root-key-file=/a=b', '--log-level', 'debug'],
  );
  assert.equal(settings.port, 2);
  assert.equal(settings.host, '::');
  assert.equal(settings.metricsPort, 9090);
  assert.equal(settings.rootKeyFile, '/a=b');
  assert.equal(settings.logLevel, 'debug');
});

test('unknown names are refused with the most similar known one', () => {
  assert.match(complaint({ KEYWRIGHT_PROT: '1' }), /KEYWRIGHT_PROT: .* KEYWRIGHT_PORT$/);
  assert.match(complaint({}, ['--data-dri', 'x']), /--data-dri: .* --data-dir$/);
  assert.match(complaint({}, ['8080']), /8080: unknown flag/);
  assert.match(complaint({ KEYWRIGHT_: '' }), /unknown setting/);
});

test('variables of client commands are accepted, and are not flags of serve', () => {
  const environment = {
    KEYWRIGHT_URL: 'https://keys.example',
    KEYWRIGHT_ORGANIZATION_ID: 'x',
    KEYWRIGHT_CREDENTIALS_FILE: '/tmp/key.json',
    KEYWRIGHT_PROFILE: 'work',
  };
  assert.deepEqual(readSettings(environment, []), readSettings({}, []));
  assert.match(complaint({ KEYWRIGHT_PROFIL: 'work' }), /KEYWRIGHT_PROFIL: .* KEYWRIGHT_PROFILE$/);
  assert.match(complaint({}, ['--profile', 'work']), /--profile: unknown flag/);
});

test('values out of bounds are refused together, and none is guessed', () => {
  for (const value of [
    '',
    '-1',
    '65536',
    '1.5',
    '0x10',
    ' 80',
    '080',
    '1e3',
    '99999999999999999',
  ]) {
    assert.match(complaint({ KEYWRIGHT_PORT: value }), /expected an integer from 0 to 65535, got/);
  }
  assert.match(complaint({ KEYWRIGHT_HOST: '' }), /expected a text/);
  assert.match(complaint({ KEYWRIGHT_LOG_LEVEL: 'INFO' }), /expected one of fatal, error/);
  assert.match(complaint({}, ['--port']), /--port: expected a value/);
  assert.match(complaint({}, ['--port', '1', '--port=2']), /--port: given twice/);
  assert.equal(
    complaint({ KEYWRIGHT_PORT: 'x', KEYWRIGHT_X: '' }, ['--y=1']).split('\n').length,
    3,
  );
});

test('issuers and addresses are parsed', () => {
  const read = (environment: Record<string, string>) => readSettings(environment, []);
  assert.equal(read({}).oidcIssuers, undefined);
  for (const none of ['', 'none']) {
    assert.deepEqual(read({ KEYWRIGHT_OIDC_ISSUERS: none }).oidcIssuers, []);
  }
  assert.deepEqual(
    read({ KEYWRIGHT_OIDC_ISSUERS: 'https://a.example, http://127.0.0.1:1/x' }).oidcIssuers,
    ['https://a.example', 'http://127.0.0.1:1/x'],
  );
  for (const wrong of ['a.example', 'https://a.example,', 'https://a.example?x', 'ftp://a']) {
    assert.match(complaint({ KEYWRIGHT_OIDC_ISSUERS: wrong }), /separated by commas, or `none`/);
  }
  const other = { 'https://api.x.com/2/users/me': 'http://127.0.0.1:1/me' };
  const given = read({ KEYWRIGHT_OAUTH2_ENDPOINTS: JSON.stringify(other) });
  assert.deepEqual(given.oauth2Endpoints, other);
  for (const wrong of ['', '[]', 'null', '{"a":"b"}', '{"https://a.example":1}', '{']) {
    assert.match(complaint({ KEYWRIGHT_OAUTH2_ENDPOINTS: wrong }), /expected a JSON object/);
  }
});

test('every default is a valid value', () => {
  for (const row of Object.values(settingsTable)) {
    const { fallback } = row;
    if (fallback !== undefined) assert.equal(row.read(String(fallback)), fallback, row.variable);
  }
});

test('the page lists every variable, flag and default', () => {
  const page = settingsDocument();
  for (const row of Object.values(settingsTable)) {
    assert.ok(page.includes(`| \`${row.variable}\` | \`${flagOf(row.variable)}\` |`));
    assert.ok(page.includes(row.sentence));
  }
  for (const { variable, sentence } of clientVariables) {
    assert.ok(page.includes(`| \`${variable}\` |`));
    assert.ok(page.includes(sentence));
  }
  assert.equal(settingsHelp().length, Object.keys(settingsTable).length);
});
