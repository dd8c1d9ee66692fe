// A gateway alters or removes one member of an answer that the screen "Approvals" reads. The page detects it
// ("Do not approve"), or shows the same content, or the member is in the table of facts that a page cannot
// verify. docs/THREAT_MODEL.md lists these facts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { apiKey, type Client, connect } from '../../src/client/index.ts';
import { until } from '../e2e/service.ts';
import { alterAnswers, before, dashboardOfThisFile, goTo, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

/** Number of waiting activities: one for each alteration on a page. The inbox shows more. */
const atOnce = 30;

/** Facts that only the service can report, by answer path, with words from the threat model. */
const namedThere: readonly (readonly [path: RegExp, words: string])[] = [
  [/^get_activity\.activity\.votes\.0\.user\.userName$/, 'other names of users'],
  [/^get_activity\.activity\.votes\.0\.(userId|selection|user)$/, 'who voted'],
  [/^get_activity\.activity\.(canApprove|canReject)$/, 'withhold'],
  [/^explain_activity\.now\.voters(\.\d+)?$/, 'who may vote'],
  [/^explain_activity\.now\.voters\.\d+\.(userId|userName|canApprove)$/, 'who may vote'],
  [/^explain_activity\.now\.voters\.\d+\.neededAfter$/, 'how many approvals are missing'],
  [/^explain_activity\.now\.approvals/, 'how many approvals are missing'],
  [/^explain_activity\.now(\.decision)?$/, 'which policy asks'],
  [/^explain_activity\.now\.decision\.(policies|message)/, 'which policy asks'],
  [/^explain_activity\.votes/, 'until when votes count'],
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Alteration = { readonly path: string; readonly how: string; readonly answer: Json };

let page: Page;
/** Requests without an answer, except for long-polling requests. */
const openRequests = new Set<Request>();
/** Number of these requests. */
let requests = 0;
/** Queries that all approvals of a page share until a refresh. */
const shared = ['list_freezes', 'list_wallet_accounts'];
/** Number of requests for each of these queries. */
const readsOf = new Map<string, number>();
let alice: Client;
let root: Client;
before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  [root, alice] = [await clientOf('root-credentials'), await clientOf('alice')];
  page = await dashboard.openAs('Root user', { isHostile: true, path: 'approvals' });
  page.on('request', (request) => {
    if (request.headers()['prefer'] !== undefined) return;
    requests += 1;
    const query = request.url().split('/').at(-1) ?? '';
    readsOf.set(query, (readsOf.get(query) ?? 0) + 1);
    openRequests.add(request);
  });
  page.on('requestfinished', (request) => openRequests.delete(request));
  page.on('requestfailed', (request) => openRequests.delete(request));
  await goTo(page, 'Approvals');
});

const waiting = 'ACTIVITY_STATUS_CONSENSUS_NEEDED';

type Kind = {
  readonly what: string;
  /** Number of intent members that the page compares with the signed bytes. */
  readonly members: number;
  /** Submits as many waiting activities of this kind as one page shows. */
  readonly ask: () => Promise<void>;
};

const kinds: readonly Kind[] = [
  {
    what: 'transaction',
    members: 3,
    ask: async () => {
      // The demo contains one waiting transaction.
      const [first] = await waitingActivities();
      assert(first !== undefined);
      const { intent } = await root.activity(first.id);
      for (let count = 1; count < atOnce; count += 1) {
        const { outcome } = await alice.ask('sign_transaction', intent as never);
        assert.equal(outcome, 'waiting');
      }
    },
  },
  {
    what: 'policy',
    members: 5,
    ask: async () => {
      for (const { id } of await waitingActivities()) await root.reject(await root.activity(id));
      await root.submit('create_policy', {
        policyName: 'two change policies',
        effect: 'EFFECT_ALLOW',
        condition: "activity.resource == 'POLICY'",
        consensus: 'approvers.count() >= 2',
        notes: '',
      });
      const { policies } = await root.query('list_policies');
      const { policyId = '' } =
        policies.find(({ policyName }) => policyName === 'carol creates wallets') ?? {};
      for (let count = 0; count < atOnce; count += 1) {
        const { outcome } = await alice.ask('update_policy', {
          policyId,
          policyName: 'alice creates wallets',
          policyCondition: "activity.kind == 'CREATE_WALLET'",
          policyConsensus: 'approvers.count() >= 1',
          policyNotes: 'carol is away',
        });
        assert.equal(outcome, 'waiting');
      }
    },
  },
];

async function waitingActivities() {
  const { activities } = await root.query('list_activities', {
    filterByStatus: [waiting],
    paginationOptions: { limit: String(atOnce) },
  });
  return activities;
}

/** The texts of unaltered answers, by kind. They show no relative times. */
const truths = new Map<string, Promise<readonly string[]>>();

const cases = kinds.flatMap((kind) =>
  (['get_activity', 'explain_activity'] as const).map((query) => ({ kind, query })),
);
for (const { kind, query } of cases) {
  const name = `each member of ${query} of a ${kind.what}, changed or left out`;
  test(`${name}, is detected, not shown, or named`, async () => {
    if (query === 'get_activity') await kind.ask();
    const truth = await truths.getOrInsertComputed(kind.what, loadedArticles);
    const ids = (await waitingActivities()).map(({ id }) => id);
    assert.deepEqual([truth.length, ids.length], [atOnce, atOnce]);
    const example: Json = JSON.parse(
      JSON.stringify(await root.query(query, { activityId: ids[0] ?? '' })),
    );
    const paths = chosen(alterationsOf(example, query).map(({ path, how }) => `${how} ${path}`));
    assert(paths.length > 40, `${paths.length}`);
    const found: { readonly at: string; readonly came: string }[] = [];
    for (let from = 0; from < paths.length; from += atOnce) {
      const batch = paths.slice(from, from + atOnce);
      const pass = await alterAnswers(page, `query/${query}`, (json: Json, { body }) => {
        const wanted = batch[ids.indexOf(JSON.parse(body).activityId)];
        return alterationsOf(json, query).find(({ path, how }) => `${how} ${path}` === wanted)
          ?.answer;
      });
      const shown = await loadedArticles();
      await pass();
      assert.equal(shown.length, atOnce);
      for (const [i, at] of batch.entries()) {
        const [text, known] = [shown[i] ?? '', truth[i] ?? ''];
        const isCaught = /^Do not approve/.test(text) || /cannot be trusted/.test(text);
        const came = isCaught ? 'caught' : text === known ? 'not shown' : 'shown';
        assert(!isCaught || !/Approve$|Reject$/.test(text), `${at} is caught, and has buttons`);
        found.push({ at, came });
      }
    }
    const pathOf = (at: string) => at.slice(at.indexOf(' ') + 1);
    const unnamed = found.filter(
      ({ at, came }) => came === 'shown' && !namedThere.some(([path]) => path.test(pathOf(at))),
    );
    assert.deepEqual(unnamed, []);
    if (query === 'get_activity') {
      const caught = new Set(found.flatMap(({ at, came }) => (came === 'caught' ? [at] : [])));
      for (const member of ['votes.0.message', 'votes.0.signature', 'votes.0.publicKey']) {
        assert(caught.has(`change ${query}.activity.${member}`), member);
      }
      for (const member of ['fingerprint', 'type', 'id']) {
        assert(caught.has(`change ${query}.activity.${member}`), member);
      }
      const ofIntent = [...caught].filter((at) => /^change .*\.intent\./.test(at));
      assert(ofIntent.length >= kind.members, `${ofIntent}`);
    }
  });
}

/** Loads the page again, because it caches answers, and returns the texts of all articles. */
async function loadedArticles(): Promise<readonly string[]> {
  readsOf.clear();
  await page.reload();
  const texts = await shownArticles();
  for (const query of shared) {
    const reads = readsOf.get(query) ?? 0;
    assert(reads < atOnce / 2, `${reads} requests for ${query}`);
  }
  return texts;
}

/** Returns the texts of all articles in the order of the inbox, once the page has finished reading. */
async function shownArticles(): Promise<readonly string[]> {
  const shown = 'main > :is(article, .alert)';
  await page
    .locator(shown)
    .nth(atOnce - 1)
    .waitFor({ timeout: 60_000 });
  // Answers may cause further requests, so require that none started while the texts were stable.
  for (;;) {
    await until('all answers have arrived', () => openRequests.size === 0);
    const before = requests;
    const texts = await quietTexts(shown);
    if (openRequests.size === 0 && requests === before) return texts;
  }
}

/** Returns the texts once they have not changed for 15 frames. */
function quietTexts(shown: string): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(
    `(async () => {
      const texts = () => [...document.querySelectorAll('${shown}')].map((each) => each.textContent);
      let [before, quiet] = ['', 0];
      while (quiet < 15) {
        const now = texts().join();
        quiet = now === before && document.querySelector('main .loading') === null ? quiet + 1 : 0;
        before = now;
        await new Promise(requestAnimationFrame);
      }
      return texts();
    })()`,
  );
}

/** Removes list indexes from a path, because items of a list are alike. */
const kindOf = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '.*');

/**
 * Selects alterations: of those that differ only in list indexes, the first and the last. `npm run soak`
 * tries all.
 */
function chosen(paths: readonly string[]): readonly string[] {
  if (process.env['SOAK'] !== undefined) return paths;
  return [...Map.groupBy(paths, kindOf).values()].flatMap((alike) => [
    ...new Set([alike[0] ?? '', alike.at(-1) ?? '']),
  ]);
}

/** Returns each member changed to another value of its type, and each member removed. */
function alterationsOf(answer: Json, name: string): readonly Alteration[] {
  const found: Alteration[] = [];
  const walk = (value: Json, path: string, put: (next: Json | undefined) => Json): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [member, each] of Object.entries(value)) {
        const within = `${path}.${member}`;
        const replaced = (next: Json | undefined): Json =>
          put(
            Array.isArray(value)
              ? withItem(value, Number(member), next)
              : withMember(value as { readonly [name: string]: Json }, member, next),
          );
        walk(each, within, replaced);
        found.push({ path: within, how: 'omit', answer: replaced(undefined) });
      }
    } else found.push({ path, how: 'change', answer: put(otherThan(value)) });
  };
  walk(answer, name, (next) => next ?? null);
  return found;
}

const withItem = (all: readonly Json[], at: number, next: Json | undefined): Json =>
  next === undefined ? all.toSpliced(at, 1) : all.with(at, next);

function withMember(
  all: { readonly [name: string]: Json },
  member: string,
  next: Json | undefined,
): Json {
  const { [member]: _gone, ...others } = all;
  return next === undefined ? others : { ...all, [member]: next };
}

function otherThan(value: null | boolean | number | string): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (value === null) return 'x';
  const last = value.at(-1) ?? '';
  // Replaces the last character by another one of the same kind: digit or letter.
  const other = /[0-9a-f]/.test(last) ? (last === '1' ? '2' : '1') : last === 'x' ? 'y' : 'x';
  return `${value.slice(0, -1)}${other}`;
}

test('the threat model names each fact that a page cannot verify, in these words', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/THREAT_MODEL.md'), 'utf8');
  for (const [, words] of namedThere) assert(text.includes(words), words);
});
