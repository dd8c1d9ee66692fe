// Selects the packages of the lockfile that a running service needs: exactly those that its dependencies
// reach.

import assert from 'node:assert/strict';

type Versions = Readonly<Record<string, string>>;

/** An entry of `packages` in a lockfile of version 3; its key is the path of the package. */
export type LockedPackage = {
  readonly version?: string;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
};

export type Lockfile = { readonly packages: Readonly<Record<string, LockedPackage>> };

/**
 * Returns the locked packages that `names` reach, by path, in order. Each keeps its path in the lockfile of
 * the project. Throws if a required package is missing.
 */
export function productionTree(
  { packages }: Lockfile,
  names: readonly string[],
): Readonly<Record<string, LockedPackage>> {
  const found = new Map<string, LockedPackage>();
  const ahead = names.map((name) => ({ name, from: '', required: true }));
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { name, from, required } = next;
    const path = placesOf(name, from).find((place) => Object.hasOwn(packages, place));
    const entry = path === undefined ? undefined : packages[path];
    if (path === undefined || entry === undefined) {
      assert(!required, `the lockfile has no ${name} for ${from || 'the project'}`);
      continue;
    }
    if (found.has(path)) continue;
    // Flags for development in the project do not apply to the service.
    const { dev: _dev, devOptional: _devOptional, peer: _peer, ...kept } = entry;
    found.set(path, kept);
    const optionalPeers = Object.entries(entry.peerDependenciesMeta ?? {}).flatMap(
      ([peer, { optional }]) => (optional ? [peer] : []),
    );
    for (const peer of Object.keys(entry.peerDependencies ?? {})) {
      if (!optionalPeers.includes(peer)) ahead.push({ name: peer, from: path, required: true });
    }
    for (const each of Object.keys(entry.optionalDependencies ?? {})) {
      ahead.push({ name: each, from: path, required: false });
    }
    for (const each of Object.keys(entry.dependencies ?? {})) {
      ahead.push({ name: each, from: path, required: true });
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a lockfile of version 3 for a package with that tree inside. */
export function lockfileOf(
  manifest: Readonly<Record<string, unknown>>,
  tree: Readonly<Record<string, LockedPackage>>,
): unknown {
  const { name, version, license, bin, engines, dependencies, bundleDependencies } = manifest;
  const top = { name, version, license, bin, engines, dependencies, bundleDependencies };
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': top, ...tree } };
}

/** Returns the paths where Node looks for a package imported at `from`, nearest first. */
function placesOf(name: string, from: string): readonly string[] {
  const parts = from === '' ? [] : from.split('/node_modules/');
  return Array.from({ length: parts.length + 1 }, (_, i) =>
    [...parts.slice(0, parts.length - i), ''].join('/node_modules/').replace(/^\//, ''),
  ).map((folder) => `${folder === '' ? 'node_modules/' : folder}${name}`);
}
