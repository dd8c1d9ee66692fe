// The Kubernetes manifest names only what exists: settings and paths of the service, its ports, and names
// that other parts of the manifest define.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { lameDuckBehindProxyMs, readSettings, settingsTable } from '../../src/settings/settings.ts';

const project = join(import.meta.dirname, '../..');
const textOf = (path: string): string => readFileSync(join(project, path), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: the manifest is looked into by path
type Part = any;

const documents = parseAllDocuments(textOf('deploy/kubernetes.yml'), { version: '1.1' });
const parts: readonly Part[] = documents.map((document) => document.toJS());

function partOf(kind: string, name = 'keywright'): Part {
  const found = parts.filter((part) => part.kind === kind && part.metadata.name === name);
  assert.equal(found.length, 1, `${kind} ${name}`);
  return found[0];
}

const set = partOf('StatefulSet').spec;
const pod = set.template.spec;
const [container] = pod.containers;
const dockerfile = textOf('packaging/Dockerfile');

test('it is YAML without a fault, and each part has its kind and name once', () => {
  assert.deepEqual(
    documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]),
    [],
  );
  const names = parts.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  assert.equal(new Set(names).size, names.length);
});

test('its settings are settings, and the service takes their values', () => {
  const settings: Readonly<Record<string, string>> = partOf('ConfigMap').data;
  const known = new Set<string>(Object.values(settingsTable).map(({ variable }) => variable));
  assert.deepEqual(
    Object.keys(settings).filter((name) => !known.has(name)),
    [],
  );
  const databaseUrl = 'postgres://keywright:password@db.internal:5432/keywright';
  const read = readSettings({ ...settings, KEYWRIGHT_DATABASE_URL: databaseUrl }, []);
  const { mountPath } = container.volumeMounts.find((mount: Part) => mount.name === 'root-key');
  assert.equal(read.rootKeyFile, `${mountPath}/root.key`);
  const portOf = (name: string) => container.ports.find((port: Part) => port.name === name);
  assert.equal(portOf('metrics').containerPort, read.metricsPort);
  const [, port] = /KEYWRIGHT_PORT=(\d+)/.exec(dockerfile) ?? [];
  assert.equal(portOf('http').containerPort, Number(port));
  // The grace period covers the two phases of a stop, with some time left.
  const phasesMs = (read.lameDuckMs ?? lameDuckBehindProxyMs) + read.drainTimeoutMs;
  assert.ok(pod.terminationGracePeriodSeconds * 1000 >= phasesMs + 10_000);
  // By then the balancer sends no more requests to this node.
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  assert.ok(periodSeconds * failureThreshold * 1000 < lameDuckBehindProxyMs);
});

test('every reference leads to a part of it, or to a secret that the page tells to make', () => {
  const page = textOf('docs/deployment.md');
  const labels = set.template.metadata.labels;
  const selectors = [
    partOf('Service').spec.selector,
    partOf('Service', 'keywright-pods').spec.selector,
    partOf('PodDisruptionBudget').spec.selector.matchLabels,
    set.selector.matchLabels,
    ...pod.topologySpreadConstraints.map((each: Part) => each.labelSelector.matchLabels),
  ];
  for (const selector of selectors) assert.deepEqual(selector, labels);
  assert.equal(set.serviceName, partOf('Service', 'keywright-pods').metadata.name);
  const ports = new Set(container.ports.map(({ name }: Part) => name));
  const named = ['keywright', 'keywright-pods'].flatMap((name) =>
    partOf('Service', name).spec.ports.map(({ targetPort }: Part) => targetPort),
  );
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
  for (const name of [...named, ...probes.map(({ httpGet }) => httpGet.port)]) {
    assert.ok(ports.has(name), name);
  }
  const volumes = [...pod.volumes, ...set.volumeClaimTemplates.map((each: Part) => each.metadata)];
  assert.deepEqual(
    container.volumeMounts.map(({ name }: Part) => name).sort(),
    volumes.map(({ name }: Part) => name).sort(),
  );
  const secrets = [
    ...container.envFrom.flatMap(({ secretRef }: Part) => secretRef?.name ?? []),
    ...pod.volumes.flatMap(({ secret }: Part) => secret?.secretName ?? []),
  ];
  assert.equal(secrets.length, 2);
  for (const name of secrets) assert.match(page, new RegExp(`create secret generic ${name}\\b`));
  assert.equal(container.envFrom[0].configMapRef.name, partOf('ConfigMap').metadata.name);
  assert.equal(container.image, `keywright:${manifest.version}`);
});

test('one node is always left, and none has more rights than the image needs', () => {
  assert.ok(set.replicas > partOf('PodDisruptionBudget').spec.minAvailable);
  const [, user] = /^USER (\d+):/m.exec(dockerfile) ?? [];
  const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = pod.securityContext;
  assert.deepEqual([runAsUser, runAsGroup, fsGroup], Array(3).fill(Number(user)));
  assert.equal(runAsNonRoot, true);
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } =
    container.securityContext;
  assert.deepEqual(
    { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities },
    {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  );
  assert.equal(pod.automountServiceAccountToken, false);
  const { secret } = pod.volumes.find(({ name }: Part) => name === 'root-key');
  assert.equal(secret.defaultMode, 0o440);
  assert.equal(container.livenessProbe.httpGet.path, '/health/live');
  assert.equal(container.readinessProbe.httpGet.path, '/health/ready');
});
