// The alert rules, the dashboard and their page use only metrics that the service exports.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '../../src/gateway/observability/prometheus.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';

const project = join(import.meta.dirname, '../..');
const textOf = (path: string): string => readFileSync(join(project, path), 'utf8');

const alerts = textOf('deploy/alerts.yml');
const dashboard = textOf('deploy/grafana.json');
const page = textOf('docs/observability.md');

type Told = { readonly name: string; readonly type: string; readonly help: string };

/** The metrics of a service with a shared database. */
async function toldMetrics(): Promise<readonly Told[]> {
  const { render } = await createMetrics({
    subject: { version: '1.0.0', store: 'postgres', isReady: () => true },
    connections: () => [],
  });
  const text = await render();
  const types = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  return [...text.matchAll(/^# HELP (\w+) (.*)$/gm)].map(([, name = '', help = '']) => ({
    name,
    help,
    type: types.get(name) ?? '',
  }));
}

const seriesOf = ({ name, type }: Told): readonly string[] =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name];

for (const [what, text] of Object.entries({ 'alert rules': alerts, dashboard })) {
  test(`the ${what} ask for nothing that no scrape has`, async () => {
    const series = new Set((await toldMetrics()).flatMap(seriesOf));
    const asked = text.match(/\b(keywright|process|nodejs)_\w+/g) ?? [];
    assert.ok(asked.length > 10);
    assert.deepEqual(
      asked.filter((name) => !series.has(name)),
      [],
    );
  });
}

test('the page lists every metric of the service, with its kind and its help', async () => {
  const rows = (await toldMetrics())
    .filter(({ name }) => name.startsWith('keywright_'))
    .map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`);
  assert.deepEqual(page.match(/^\| `keywright_.*\|$/gm)?.sort(), rows.sort());
});

test('the page says of every alert what to do', () => {
  const named = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const told = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(told, named);
});

test('every alert has a test in which it fires, and one in which it is silent', () => {
  const tests = textOf('deploy/alerts.test.yml');
  for (const [, name] of alerts.matchAll(/- alert: (\w+)/g)) {
    assert.equal(tests.match(new RegExp(`alertname: ${name}\\b`, 'g'))?.length, 2, `${name}`);
  }
});

test('the panels of the dashboard lie beside each other', () => {
  const { panels }: { panels: { gridPos: object; id: number }[] } = JSON.parse(dashboard);
  assert.equal(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size, panels.length);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const outside = testsThatNeed(
  hasPromtool ? undefined : 'promtool is not installed (Debian: prometheus)',
);

outside.test('promtool accepts the alert rules, and their tests pass', () => {
  const cwd = join(project, 'deploy');
  assert.match(
    String(execFileSync('promtool', ['check', 'rules', 'alerts.yml'], { cwd })),
    /SUCCESS: \d+ rules/,
  );
  assert.match(
    String(execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd })),
    /SUCCESS/,
  );
});

outside.test('promtool finds no fault with the text of a scrape', async () => {
  const { render } = await createMetrics();
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: await render(),
    encoding: 'utf8',
  });
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('keywright_'));
  assert.deepEqual(ours, []);
});
