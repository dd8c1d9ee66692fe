// A gateway sends malformed answers: the page shows an error in place of the content, and shows nothing
// false.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page, Request } from 'playwright-core';
import { answerShapes } from '../../dashboard/app/generated/answer_shapes.ts';
import { checkAnswer } from '../../dashboard/app/service/answers.ts';
import { apiKey, type Client, connect } from '../../src/client/index.ts';
import { until } from '../e2e/service.ts';
import { alterAnswers, before, dashboardOfThisFile, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

let root: Client;
let page: Page;
/** Requests without an answer, except for long-polling requests. */
const unanswered = new Set<Request>();
/** Number of these requests. */
let requests = 0;
const ids = { user: '', policy: '', wallet: '', endpoint: '', activity: '', organization: '' };
before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const { organizationId } = of;
  root = connect({ url, organizationId, stamp: await apiKey(of) });
  const { userTagId } = await root.submit('create_user_tag', {
    userTagName: 'signers',
    userIds: [of.userId],
  });
  // Causes a warning of the service: no user has the tag in this policy.
  await root.submit('create_policy', {
    policyName: 'signers',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'SIGN_TRANSACTION'",
    consensus: `approvers.any(user, user.tags.contains('${userTagId}'))`,
    notes: '',
  });
  await root.submit('create_session_profile', { sessionProfileName: 'reads', scope: 'false' });
  await root.submit('set_ip_allowlist', {
    enabled: false,
    rules: [{ cidr: '192.0.2.0/24', label: 'office' }],
    onEvaluationError: 'ALLOW',
  });
  const { endpointId } = await root.submit('create_webhook_endpoint', {
    name: 'pulled',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
  const { subOrganizationId } = await root.submit('create_sub_organization', {
    subOrganizationName: 'branch',
    rootUsers: [
      {
        userName: 'erin',
        userEmail: 'erin@example.com',
        apiKeys: [],
        authenticators: [],
        oauthProviders: [],
      },
    ],
    rootQuorumThreshold: 1,
  });
  const { policies } = await root.query('list_policies');
  const { wallets } = await root.query('list_wallets');
  const { activities } = await root.query('list_activities');
  Object.assign(ids, {
    user: of.userId,
    policy: policies[0]?.policyId,
    wallet: wallets[0]?.walletId,
    endpoint: endpointId,
    organization: subOrganizationId,
    activity: activities[0]?.id,
  });
  page = await dashboard.openAs('Root user', { isHostile: true, path: 'users' });
  page.on('request', (request) => {
    if (request.headers()['prefer'] !== undefined) return;
    requests += 1;
    unanswered.add(request);
  });
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
});

/** Each screen with the queries whose answers it shows. */
const screens = (): readonly (readonly [path: string, ...queries: readonly string[]])[] => [
  [
    '',
    ...['get_user', 'list_users', 'list_wallets', 'get_organization_configs', 'list_policies'],
    ...['get_session_profiles', 'list_webhook_endpoints', 'list_activities', 'get_service_health'],
  ],
  ['users', 'list_users', 'list_user_tags', 'get_organization_configs'],
  [`users/${ids.user}`, 'get_user', 'list_user_tags', 'get_organization_configs', 'list_policies'],
  [
    'policies',
    ...['list_policies', 'get_policy_warnings', 'list_velocity_controls', 'list_velocity_usage'],
  ],
  [`policies/${ids.policy}`, 'get_policy', 'get_policy_warnings'],
  ['wallets', 'list_wallets'],
  [`wallets/${ids.wallet}`, 'get_wallet', 'list_wallet_accounts'],
  ['private-keys', 'list_private_keys'],
  ['secrets', 'list_secrets'],
  ['organizations', 'list_suborgs', 'get_organization'],
  [`organizations/${ids.organization}`, 'get_organization'],
  [`webhooks/${ids.endpoint}/1`, 'list_webhook_deliveries'],
  ['webhooks', 'list_webhook_endpoints'],
  [`webhooks/${ids.endpoint}`, 'list_webhook_endpoints', 'list_webhook_deliveries'],
  ['activities', 'list_activities'],
  [`activities/${ids.activity}`, 'get_activity', 'explain_activity'],
  [
    'settings',
    ...['get_organization_configs', 'list_users', 'get_ip_allowlist', 'get_auth_proxy_config'],
    'get_session_profiles',
  ],
];

/** Opens a screen. Returns its texts outside of headings and alerts, once they are stable. */
async function textsOf(path: string): Promise<readonly string[]> {
  await page.goto(`${dashboard.origin()}/dashboard/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Answers may cause further requests, so require that none started while the texts were stable.
  for (;;) {
    await until('all answers are there', () => unanswered.size === 0);
    const before = requests;
    const texts = await quietTexts();
    if (unanswered.size === 0 && requests === before) return texts;
  }
}

/** Returns the texts once they have not changed for 10 frames. */
function quietTexts(): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(async () => {
    const texts = () => {
      const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
      const found = [];
      while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode;
        if (parentElement.closest('h1, [role=alert], .loading') === null) found.push(textContent);
      }
      return found;
    };
    let [before, quiet] = ['', 0];
    while (quiet < 10) {
      const now = texts().join();
      quiet = now === before && document.querySelector('main .loading') === null ? quiet + 1 : 0;
      before = now;
      await new Promise(requestAnimationFrame);
    }
    return texts();
  })()`);
}

/**
 * Like `textsOf`, while the gateway alters the answers to one query. Long-polling requests are not altered.
 */
async function textsWith(path: string, query: string, alter: (answer: Json) => Json) {
  const pass = await alterAnswers(page, `query/${query}`, (answer: Json, request) =>
    request.isWaitingForNews || request.status !== 200 ? answer : alter(answer),
  );
  const texts = await textsOf(path);
  await pass();
  return texts;
}

test('an answer without members, or with unreadable times and figures, leaves an error in its place', async () => {
  const wrong: string[] = [];
  let unreadableAnswers = 0;
  for (const [path, ...queries] of screens()) {
    const truth = new Set(await textsOf(path));
    assert.equal(await page.locator('main').getByRole('alert').count(), 0, path);
    assert.doesNotMatch([...truth].join('\n'), unreadableWords, path);
    for (const query of queries) {
      const answers: Json[] = [];
      const texts = await textsWith(path, query, (answer) => {
        answers.push(answer);
        return {};
      });
      const alerts = page.locator('main').getByRole('alert');
      const isRead =
        (await alerts.filter({ hasText: `${query} was answered without` }).count()) > 0;
      if (!isRead) wrong.push(`${path}: ${query} is not read`);
      // Lists show the ends of an id whose name they cannot read.
      const isTrue = (text: string) => truth.has(text) || /^[0-9a-f]{4}…[0-9a-f]{4}$/.test(text);
      const other = texts.filter((text) => text.trim() !== '' && !isTrue(text));
      if (other.length > 0) wrong.push(`${path}: ${query}: ${other.join(' | ')}`);
      // Without times and figures, the screen would be the one that was just read.
      if (isDeepStrictEqual(answers.map(unreadable), answers)) continue;
      unreadableAnswers += 1;
      const shown = await textsWith(path, query, unreadable);
      assert.doesNotMatch(shown.join('\n'), unreadableWords, `${path}: ${query}`);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
    }
  }
  assert.deepEqual(wrong, []);
  assert(unreadableAnswers > 20, `${unreadableAnswers}`);
});

const unreadableWords = /NaN|Invalid|undefined/;

/** Returns an answer in which no time or figure can be read. */
function unreadable(value: Json): Json {
  if (Array.isArray(value)) return value.map(unreadable);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as { readonly [name: string]: Json });
    return Object.fromEntries(members.map(([name, member]) => [name, unreadable(member)]));
  }
  const isTime = typeof value === 'string' && /^\d+$|^\d{4}-\d\d-\d\dT/.test(value);
  return isTime ? 'soon' : value;
}

test('a dialog shows an error for options without an answer', async () => {
  const dialogs = [
    { path: 'users', button: 'New user', query: 'list_user_tags' },
    { path: 'users', button: 'New tag', query: 'list_users' },
    { path: `users/${ids.user}`, button: 'Change user', query: 'list_user_tags' },
  ];
  for (const { path, button, query } of dialogs) {
    const route = `**/public/v1/query/${query}`;
    await page.route(route, (matched) => matched.fulfill({ json: {} }));
    await page.goto(`${dashboard.origin()}/dashboard/${path}`);
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog', { name: button });
    await dialog
      .getByRole('alert')
      .filter({ hasText: `${query} was answered without` })
      .waitFor();
    await page.unroute(route);
  }
});

test('each query of the page has a shape, which the answer of the service matches', async () => {
  const folder = join(import.meta.dirname, '../../dashboard');
  const sources = globSync('app/**/*.{ts,tsx}', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  const queried = sources.flatMap((text) =>
    [...text.matchAll(/\.(?:query|pages)\(\s*'(\w+)'/g)].map(([, name = '']) => name),
  );
  assert(queried.length > 30, `${queried.length}`);
  assert.deepEqual(
    queried.filter((name) => !Object.hasOwn(answerShapes, name)),
    [],
  );
});

/** Optional members among those that the answers below contain. */
const mayLack: readonly RegExp[] = [
  /\.apiKeys\.\d+\.expirationSeconds$/,
  /\.users\.\d+\.userEmail$/,
  /\.features\.\d+\.value$/,
  /\.allowlist\.(enabled|rules\.\d+\.label)$/,
  /\.webhookEndpoints\.\d+\.subscriptions(\.\d+\.isActive)?$/,
  /\.accounts\.\d+\.(publicKey|caip2Prefix)$/,
  /\.deliveries\.\d+\.activityId$/,
  /activity\.explanation$|activities\.\d+\.explanation$/,
  /^explain_activity\.votes\.\d+\.(userName|decision)$/,
  /^explain_activity\.now\.(approvals|voters\.\d+\.neededAfter)$/,
];

test('an answer with a missing member or a member of another type is rejected', async () => {
  const parameters: Readonly<Record<string, object>> = {
    whoami: {},
    list_users: {},
    list_user_tags: {},
    list_wallets: {},
    list_policies: {},
    get_policy_warnings: {},
    get_organization_configs: {},
    get_session_profiles: {},
    get_ip_allowlist: {},
    list_webhook_endpoints: {},
    list_activities: { paginationOptions: { limit: '1' } },
    get_user: { userId: ids.user },
    get_policy: { policyId: ids.policy },
    get_wallet: { walletId: ids.wallet },
    list_wallet_accounts: { walletId: ids.wallet },
    list_webhook_deliveries: { endpointId: ids.endpoint },
    get_activity: { activityId: ids.activity },
    explain_activity: { activityId: ids.activity },
  };
  let count = 0;
  const accepted: string[] = [];
  for (const [query, given] of Object.entries(parameters)) {
    const answer: Json = JSON.parse(
      JSON.stringify(await root.query(query as never, given as never)),
    );
    checkAnswer(query, answer, answerShapes[query]);
    for (const { path, answer: altered } of malformed(answer, query)) {
      count += 1;
      try {
        checkAnswer(query, altered, answerShapes[query]);
        accepted.push(path);
      } catch (error) {
        assert(error instanceof Error && error.name === 'Untrusted', path);
      }
    }
  }
  assert(count > 300, `${count}`);
  assert.deepEqual(accepted, []);
});

type Malformed = { readonly path: string; readonly answer: Json };

/**
 * Returns the answer without each of its members, and with another type of each. Skips the free content of
 * activities.
 */
function malformed(answer: Json, name: string): readonly Malformed[] {
  const found: Malformed[] = [];
  const walk = (value: Json, path: string, put: (next: Json | undefined) => Json): void => {
    found.push({ path: `another type of ${path}`, answer: put(otherType(value)) });
    if (typeof value !== 'object' || value === null) return;
    if (/\.(intent|result|details|parameters)$/.test(path)) return;
    for (const [member, each] of Object.entries(value)) {
      const replaced = (next: Json | undefined): Json => {
        if (Array.isArray(value)) return put(value.with(Number(member), next ?? null));
        const { [member]: _gone, ...others } = value as { readonly [name: string]: Json };
        return put(next === undefined ? others : { ...others, [member]: next });
      };
      const within = `${path}.${member}`;
      walk(each, within, replaced);
      const isFree = Array.isArray(value) || mayLack.some((place) => place.test(within));
      if (!isFree) found.push({ path: `no ${within}`, answer: replaced(undefined) });
    }
  };
  walk(answer, name, (next) => next ?? null);
  return found;
}

const otherType = (value: Json): Json => (typeof value === 'string' ? {} : 'x');
