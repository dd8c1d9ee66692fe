// Compares the dashboard that a service serves with the files of this package.

import type { BuiltDashboard } from '../gateway/dashboard/built_files.ts';
import { pageHeaders } from '../gateway/dashboard/headers.ts';

/** Longer than any file of a build. */
const maximumFileBytes = 8 * 1024 * 1024;
const timeoutMs = 30_000;
const indexFile = 'index.html';

/**
 * Returns a sentence for each file and each header of the page that is not as in `build`, and for a
 * configuration that sends the page elsewhere; an empty list where all is the same. Raises what `fetch`
 * raises.
 */
export async function differences(
  build: BuiltDashboard,
  serviceUrl: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const base = new URL('dashboard/', serviceUrl.endsWith('/') ? serviceUrl : `${serviceUrl}/`);
  const found: string[] = [];
  for (const [path, file] of build.files) {
    // A browser asks for the page by its folder.
    const url = new URL(path === indexFile ? '' : path, base);
    const { status, headers, bytes } = await fetched(url, signal);
    const expected = await file.encoded('identity');
    if (status !== 200) found.push(`${path} answers ${status}`);
    else if (!Buffer.from(expected).equals(bytes)) found.push(`${path} is another file`);
    if (path === indexFile) found.push(...headerDifferences(build, headers));
  }
  return [...found, ...(await configDifferences(base, signal))];
}

function headerDifferences({ importMap }: BuiltDashboard, headers: Headers): readonly string[] {
  return Object.entries(pageHeaders(importMap)).flatMap(([name, expected]) =>
    headers.get(name) === expected ? [] : [`the header ${name} is not that of this version`],
  );
}

/** Members that would have the page ask somebody else. */
async function configDifferences(base: URL, signal: AbortSignal): Promise<readonly string[]> {
  const { status, bytes } = await fetched(new URL('config.json', base), signal);
  if (status !== 200) return [`config.json answers ${status}`];
  let config: unknown;
  try {
    config = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return ['config.json is not JSON'];
  }
  return ['apiUrl', 'authProxyUrl'].flatMap((name) => {
    const value: unknown = Object.entries(config ?? {}).find(([key]) => key === name)?.[1];
    if (value === undefined || (typeof value === 'string' && isSameOrigin(value, base))) return [];
    return [`${name} of config.json leads elsewhere`];
  });
}

function isSameOrigin(url: string, base: URL): boolean {
  return URL.parse(url, base)?.origin === base.origin;
}

/** Redirects are not followed: they would lead a browser to another page. */
async function fetched(url: URL, signal: AbortSignal) {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maximumFileBytes) throw new Error(`${url.pathname} has no end`);
    chunks.push(chunk);
  }
  return { status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) };
}
