// Compares the dashboard of a service with the files of this package. Fetches every file, every screen and
// unknown paths, with the headers of programs and of browsers.

import type { BuiltDashboard } from '../../gateway/dashboard/built_files.ts';
import { scriptHeaders, unregisteringScript } from '../../gateway/dashboard/foreign_worker.ts';
import { pageHeaders } from '../../gateway/dashboard/headers.ts';
import { cacheControlOf } from '../../gateway/dashboard/routes.ts';
import { screenPaths } from '../../gateway/dashboard/screen_paths.ts';
import { type AsWhom, type Fetched, fetcher } from './fetch_as_browser.ts';

const indexFile = 'index.html';
/** Maximum concurrent requests. */
const maximumAtOnce = 6;

/** Headers that may have any value: those of the connection, of this service, and of common proxies. */
const harmless: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding', 'vary'],
  ...['content-encoding', 'age', 'server', 'via', 'strict-transport-security'],
  ...[
    'x-keywright-development',
    'x-request-id',
    'ratelimit-limit',
    'ratelimit-remaining',
    'access-control-expose-headers',
  ],
]);

type Expected = {
  readonly path: string;
  readonly as: AsWhom;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Default: the content is not compared. */
  readonly bytes?: Uint8Array;
};

/**
 * Returns a sentence for each file and header that differs from `build`, and for a configuration that
 * redirects the page. `unknown` returns an unpredictable path segment. Throws the errors of the requests.
 */
export async function differences(
  build: BuiltDashboard,
  serviceUrl: string,
  { signal, unknown }: { readonly signal: AbortSignal; readonly unknown: () => string },
): Promise<readonly string[]> {
  const base = new URL('dashboard/', serviceUrl.endsWith('/') ? serviceUrl : `${serviceUrl}/`);
  const { fetched, end } = fetcher(signal);
  const found = new Set<string>();
  const left = await expectedOf(build, unknown);
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const answer = await fetched(new URL(next.path, base), next.as);
      for (const difference of differencesOf(next, answer)) found.add(difference);
    }
  };
  try {
    await Promise.all(Array.from({ length: maximumAtOnce }, work));
    for (const as of ['program', 'script'] as const) {
      const config = await fetched(new URL('config.json', base), as);
      for (const difference of configDifferences(config, base)) found.add(difference);
    }
  } finally {
    end();
  }
  return [...found];
}

/** Returns the expected responses of a service that serves this build. */
async function expectedOf(build: BuiltDashboard, unknown: () => string): Promise<Expected[]> {
  const headers = pageHeaders(build.importMap);
  const files = await Promise.all(
    [...build.files].map(async ([path, file]) => ({
      path,
      bytes: await file.encoded('identity'),
      status: 200,
      headers: { ...headers, 'content-type': file.type, 'cache-control': cacheControlOf(file) },
    })),
  );
  const index = files.filter(({ path }) => path === indexFile);
  const pages = [...screenPaths, ':random', ':random/:random'].map((path) =>
    path.replaceAll(/:\w+/g, unknown),
  );
  const led = { status: 302, headers: { location: '/dashboard/' }, as: 'page' } as const;
  return [
    ...files.flatMap((file) => [
      { ...file, as: 'program' as const },
      { ...file, as: 'script' as const },
    ]),
    ...index.flatMap((page) => pages.map((path) => ({ ...page, path, as: 'page' as const }))),
    ...index.map((page) => ({ ...page, path: '', as: 'program' as const })),
    { ...led, path: '/' },
    { ...led, path: '/dashboard' },
    // A page at another path of this origin could read what the dashboard stores.
    {
      path: `/${unknown()}`,
      status: 404,
      headers: { 'content-type': 'application/json' },
      as: 'page',
    },
    ...[`${unknown()}.js`, `/${unknown()}.js`].map((path) => ({
      path,
      as: 'worker' as const,
      status: 200,
      headers: scriptHeaders,
      bytes: Buffer.from(unregisteringScript),
    })),
  ];
}

function differencesOf(expected: Expected, answer: Fetched): readonly string[] {
  const { status, headers, bytes } = expected;
  const shown = expected.path === '' ? 'the page' : expected.path;
  const name = expected.as === 'program' ? shown : `${shown}, fetched as a browser does,`;
  if (answer.status !== status) return [`${name} answers ${answer.status}`];
  const isOther = bytes !== undefined && !Buffer.from(bytes).equals(answer.bytes);
  return [
    ...(isOther ? [`${name} is another file`] : []),
    ...headerDifferences(headers, answer, status === 200),
  ];
}

/** Compares the expected headers, and reports headers that this version never sends. */
function headerDifferences(
  expected: Readonly<Record<string, string>>,
  { headers }: Fetched,
  areAllListed: boolean,
): readonly string[] {
  const differing = Object.entries(expected)
    .filter(([name, value]) => headers.get(name)?.join(', ') !== value)
    .map(([name]) => `the header ${name} differs from this version`);
  const foreign = [...headers.keys()].filter(
    (name) => !harmless.has(name) && !Object.hasOwn(expected, name),
  );
  const listed = areAllListed ? foreign : foreign.filter((name) => acting.includes(name));
  return [...differing, ...listed.map((name) => `this version sends no header ${name}`)];
}

/** Headers that can change the behavior of a browser in any response. */
const acting: readonly string[] = ['refresh', 'set-cookie', 'clear-site-data', 'link', 'alt-svc'];

/** Returns a sentence for each member that would make the page call another service. */
function configDifferences({ status, bytes }: Fetched, base: URL): readonly string[] {
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
