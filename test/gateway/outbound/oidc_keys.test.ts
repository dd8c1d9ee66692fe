import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { Json } from '../../../src/core/schema/json.ts';
import { outboundLimits } from '../../../src/gateway/outbound/limits.ts';
import {
  createIssuerKeys,
  issuerKeyLimits,
  type KeysOf,
} from '../../../src/gateway/outbound/oidc_keys.ts';
import type {
  OutboundAnswer,
  OutboundFailure,
  OutboundRequest,
} from '../../../src/gateway/outbound/request.ts';

type Sent = OutboundAnswer | OutboundFailure;

const issuer = 'https://issuer.example';
const discoveryOf = (name: string): string => `${name}/.well-known/openid-configuration`;
const keysUrl = 'https://keys.example/jwks';

function json(value: Json, headers: OutboundAnswer['headers'] = {}, status = 200): OutboundAnswer {
  return { status, headers, body: utf8(JSON.stringify(value)) };
}

/** Creates simulated URLs, counts their requests, and has a clock that tests set. */
function world(acceptedIssuers?: readonly string[]): {
  answers: Map<string, Sent | (() => Promise<Sent>)>;
  asked: string[];
  requests: OutboundRequest[];
  time: { nowMs: number };
  keysOf: KeysOf;
} {
  const answers = new Map<string, Sent | (() => Promise<Sent>)>([
    [discoveryOf(issuer), json({ issuer, jwks_uri: keysUrl })],
    [keysUrl, json({ keys: [{ kid: 'a' }] })],
  ]);
  const requests: OutboundRequest[] = [];
  const asked: string[] = [];
  const time = { nowMs: 1000 };
  const { keysOf } = createIssuerKeys({
    acceptedIssuers,
    clock: () => time.nowMs,
    outbound: {
      send: async (request) => {
        requests.push(request);
        asked.push(request.url);
        const answer = answers.get(request.url);
        if (typeof answer === 'function') return answer();
        return answer ?? { failure: 'name_not_found', detail: 'nobody' };
      },
    },
  });
  return { answers, asked, requests, time, keysOf };
}

async function refusalOf(keys: Promise<unknown>): Promise<string> {
  try {
    await keys;
    return 'none';
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return `${error.code}: ${error.details['reason'] ?? ''}`;
  }
}

test('the keys are fetched from the address that the issuer names, within bounds', async () => {
  const { keysOf, asked, requests } = world();
  assert.deepEqual(await keysOf(issuer, 'a'), { keys: [{ kid: 'a' }] });
  assert.deepEqual(asked, [discoveryOf(issuer), keysUrl]);
  for (const { method, maximumBytes, timeoutMs } of requests) {
    assert.deepEqual([method, maximumBytes, timeoutMs], ['GET', 262_144, 5000]);
  }
});

test('a trailing slash of an issuer is not doubled', async () => {
  const { keysOf, answers } = world();
  const slashed = 'https://slash.example/tenant/';
  const url = 'https://slash.example/tenant/.well-known/openid-configuration';
  answers.set(url, json({ issuer: slashed, jwks_uri: keysUrl }));
  assert.deepEqual(await keysOf(slashed), { keys: [{ kid: 'a' }] });
});

const other = 'https://other.example';
const wrong: Readonly<Record<string, readonly [discovery: Sent, keys: Sent, reason: RegExp]>> = {
  'another issuer': [
    json({ issuer: other, jwks_uri: keysUrl }),
    json({ keys: [] }),
    /another issuer/,
  ],
  'an issuer with a slash': [
    json({ issuer: `${issuer}/`, jwks_uri: keysUrl }),
    json({ keys: [] }),
    /another issuer/,
  ],
  'no issuer': [json({ jwks_uri: keysUrl }), json({ keys: [] }), /another issuer/],
  'no address of keys': [json({ issuer }), json({ keys: [] }), /no `jwks_uri`/],
  'an address that is no text': [
    json({ issuer, jwks_uri: [keysUrl] }),
    json({ keys: [] }),
    /no `jwks_uri`/,
  ],
  'a list': [json([]), json({ keys: [] }), /not a JSON object/],
  'no JSON': [
    { status: 200, headers: {}, body: utf8('<html>') },
    json({ keys: [] }),
    /not a JSON object/,
  ],
  'an issuer twice': [
    {
      status: 200,
      headers: {},
      body: utf8(`{"issuer":"${other}","issuer":"${issuer}","jwks_uri":"${keysUrl}"}`),
    },
    json({ keys: [] }),
    /not a JSON object/,
  ],
  'a redirect': [json({}, { location: discoveryOf(other) }, 302), json({ keys: [] }), /status 302/],
  'a redirect of keys': [json({ issuer, jwks_uri: keysUrl }), json({}, {}, 301), /status 301/],
  'no keys': [json({ issuer, jwks_uri: keysUrl }), json({}), /no set of at most 100 keys/],
  'keys that are no list': [
    json({ issuer, jwks_uri: keysUrl }),
    json({ keys: {} }),
    /no set of at most/,
  ],
  'too many keys': [
    json({ issuer, jwks_uri: keysUrl }),
    json({ keys: Array(101).fill({}) }),
    /at most 100/,
  ],
  'nothing in time': [
    { failure: 'timeout', detail: '' },
    json({ keys: [] }),
    /the request failed \(timeout\)/,
  ],
  'too much': [
    json({ issuer, jwks_uri: keysUrl }),
    { failure: 'too_large', detail: '' },
    /\(too_large\)/,
  ],
  'a private address of keys': [
    json({ issuer, jwks_uri: keysUrl }),
    { failure: 'refused_target', detail: 'the address is link-local' },
    /the address of its keys is not public/,
  ],
};
for (const [name, [discovery, keys, reason]] of Object.entries(wrong)) {
  test(`an issuer that answers with ${name} is unavailable`, async () => {
    const { keysOf, answers } = world();
    answers.set(discoveryOf(issuer), discovery).set(keysUrl, keys);
    const refusal = await refusalOf(keysOf(issuer));
    assert.match(refusal, /^oidc_issuer_unavailable: /);
    assert.match(refusal, reason);
  });
}

test('an issuer without a public address is refused', async () => {
  const { keysOf, answers, asked } = world();
  answers.set(discoveryOf(other), { failure: 'refused_target', detail: 'the address is private' });
  for (const name of [other, '', 'issuer', `${issuer}?a`, `${issuer}#`, 'not a url']) {
    assert.match(await refusalOf(keysOf(name)), /^oidc_issuer_not_accepted/, name);
  }
  assert.deepEqual(asked, [discoveryOf(other)]);
});

test('with a list of issuers, only exact matches are requested', async () => {
  const { keysOf, asked } = world([issuer]);
  for (const name of [other, `${issuer}/`, issuer.toUpperCase(), `${issuer}:443`, ` ${issuer}`]) {
    assert.match(await refusalOf(keysOf(name)), /^oidc_issuer_not_accepted/, name);
  }
  assert.deepEqual(asked, []);
  assert.deepEqual(await keysOf(issuer), { keys: [{ kid: 'a' }] });
  assert.match(await refusalOf(world([]).keysOf(issuer)), /^oidc_issuer_not_accepted/);
});

test('the name of an issuer is shown shortened and on one line', async () => {
  const { keysOf } = world();
  const name = `https://a.example/\n\u2028${'x'.repeat(500)}\ud800`;
  await assert.rejects(keysOf(name), (error) => {
    assert.ok(error instanceof ServiceError);
    const shown = String(error.details['issuer']);
    assert.ok(shown.length <= 128 && shown.isWellFormed());
    assert.doesNotMatch(shown, /[\n\u2028]/);
    return true;
  });
});

const hour = 3_600_000;
const lifetimes: readonly (readonly [OutboundAnswer['headers'], number])[] = [
  [{}, 600_000],
  [{ 'cache-control': 'public' }, 600_000],
  [{ 'cache-control': 'max-age=3600' }, hour],
  [{ 'cache-control': 'public, Max-Age = 3600, must-revalidate' }, hour],
  [{ 'cache-control': 'max-age="3600"' }, hour],
  [{ 'cache-control': 's-maxage=7200, max-age=3600' }, hour],
  [{ 'cache-control': 's-maxage=7200' }, 600_000],
  [{ 'cache-control': 'max-age=3600', age: '1800' }, hour / 2],
  [{ 'cache-control': 'max-age=3600', age: '9999' }, 60_000],
  [{ 'cache-control': 'max-age=0' }, 60_000],
  [{ 'cache-control': 'max-age=59' }, 60_000],
  [{ 'cache-control': 'max-age=-1' }, 600_000],
  [{ 'cache-control': 'no-store' }, 60_000],
  [{ 'cache-control': 'no-cache, max-age=3600' }, 60_000],
  [{ 'cache-control': 'max-age=86400' }, 24 * hour],
  [{ 'cache-control': 'max-age=86401' }, 24 * hour],
  [{ 'cache-control': 'max-age=99999999999999999999' }, 24 * hour],
];
for (const [headers, lifetimeMs] of lifetimes) {
  test(`keys with ${JSON.stringify(headers)} are used for ${lifetimeMs / 1000} seconds`, async () => {
    const { keysOf, answers, asked, time } = world();
    answers.set(keysUrl, json({ keys: [{ kid: 'a' }] }, headers));
    await keysOf(issuer, 'a');
    time.nowMs += lifetimeMs - 1;
    await keysOf(issuer, 'a');
    assert.equal(asked.length, 2);
    // Not a moment longer, even while the issuer is down.
    time.nowMs += 1;
    answers.clear();
    assert.match(await refusalOf(keysOf(issuer, 'a')), /^oidc_issuer_unavailable/);
    assert.equal(asked.length, 3);
  });
}

test('an unknown key id causes a fetch at most once a minute', async () => {
  const { keysOf, answers, asked, time } = world();
  await keysOf(issuer, 'b');
  assert.equal(asked.length, 2);
  // The set was fetched just now.
  assert.deepEqual(await keysOf(issuer, 'b'), { keys: [{ kid: 'a' }] });
  time.nowMs += issuerKeyLimits.refreshMs - 1;
  await keysOf(issuer, 'b');
  assert.equal(asked.length, 2);
  time.nowMs += 1;
  answers.set(keysUrl, json({ keys: [{ kid: 'a' }, { kid: 'b' }] }));
  assert.deepEqual(await keysOf(issuer, 'b'), { keys: [{ kid: 'a' }, { kid: 'b' }] });
  assert.equal(asked.length, 4);
  await keysOf(issuer, 'c');
  await keysOf(issuer, 'd');
  await keysOf(issuer);
  assert.equal(asked.length, 4);
});

test('keys that could not be renewed are used until they expire', async () => {
  const { keysOf, answers, asked, time } = world();
  await keysOf(issuer);
  answers.clear();
  time.nowMs += issuerKeyLimits.refreshMs;
  assert.deepEqual(await keysOf(issuer, 'b'), { keys: [{ kid: 'a' }] });
  assert.equal(asked.length, 3);
  // The failed attempt counts, too.
  await keysOf(issuer, 'b');
  assert.equal(asked.length, 3);
  assert.deepEqual(await keysOf(issuer, 'a'), { keys: [{ kid: 'a' }] });
});

test('keys that expire during a failed renewal are not used', async () => {
  const { keysOf, answers, time } = world();
  await keysOf(issuer);
  time.nowMs += issuerKeyLimits.defaultMs - 1;
  answers.set(discoveryOf(issuer), async () => {
    time.nowMs += 1;
    return { failure: 'timeout', detail: '' };
  });
  assert.match(await refusalOf(keysOf(issuer, 'b')), /^oidc_issuer_unavailable/);
});

test('a failure is cached for ten seconds', async () => {
  const { keysOf, answers, asked, time } = world();
  const discovery = answers.get(discoveryOf(issuer)) ?? assert.fail();
  answers.delete(discoveryOf(issuer));
  assert.match(await refusalOf(keysOf(issuer)), /name_not_found/);
  answers.set(discoveryOf(issuer), discovery);
  time.nowMs += 9999;
  assert.match(await refusalOf(keysOf(issuer)), /name_not_found/);
  assert.equal(asked.length, 1);
  time.nowMs += 1;
  assert.deepEqual(await keysOf(issuer), { keys: [{ kid: 'a' }] });
});

test('an overload is not cached', async () => {
  const { keysOf, answers } = world();
  const keys = answers.get(keysUrl) ?? assert.fail();
  answers.set(keysUrl, { failure: 'busy', detail: '' });
  assert.match(await refusalOf(keysOf(issuer)), /^overloaded/);
  answers.set(keysUrl, keys);
  assert.deepEqual(await keysOf(issuer), { keys: [{ kid: 'a' }] });
});

test('concurrent callers share one fetch, and its failure', async () => {
  const { keysOf, answers, asked, time } = world();
  const release = Promise.withResolvers<Sent>();
  answers.set(keysUrl, () => release.promise);
  const all = Promise.all(Array.from({ length: 50 }, (_, i) => keysOf(issuer, `k${i % 3}`)));
  release.resolve(json({ keys: [{ kid: 'a' }] }));
  assert.equal(new Set(await all).size, 50);
  assert.equal(asked.length, 2);
  time.nowMs += issuerKeyLimits.defaultMs;
  answers.set(discoveryOf(issuer), { failure: 'network', detail: '' });
  const refusals = Array.from({ length: 50 }, () => refusalOf(keysOf(issuer)));
  assert.equal(new Set(await Promise.all(refusals)).size, 1);
  assert.equal(asked.length, 3);
});

test('of 501 issuers the least recently used is evicted, and failures evict none', async () => {
  const { keysOf, answers, asked } = world();
  const name = (i: number): string => `https://i${i}.example`;
  for (let i = 0; i <= issuerKeyLimits.issuers; i += 1) {
    answers.set(discoveryOf(name(i)), json({ issuer: name(i), jwks_uri: keysUrl }));
  }
  for (let i = 0; i < issuerKeyLimits.issuers; i += 1) await keysOf(name(i));
  for (let i = 0; i < 600; i += 1) await refusalOf(keysOf(`https://nobody${i}.example`));
  asked.length = 0;
  await keysOf(name(0));
  assert.deepEqual(asked, []);
  await keysOf(name(issuerKeyLimits.issuers));
  await keysOf(name(0));
  assert.equal(asked.length, 2);
  await keysOf(name(1));
  assert.equal(asked.length, 4);
});

test('unknown issuers do not delay known issuers', async () => {
  const { keysOf, answers, time } = world();
  await keysOf(issuer);
  const slow = Promise.withResolvers<Sent>();
  const strangers = Array.from({ length: issuerKeyLimits.doubtfulIssuers }, (_, i) => {
    const name = `https://slow-${i}.example`;
    answers.set(discoveryOf(name), () => slow.promise);
    return refusalOf(keysOf(name));
  });
  assert.match(await refusalOf(keysOf('https://one-more.example')), /^overloaded/);
  // Further callers may join a request that already waits.
  const same = refusalOf(keysOf('https://slow-0.example'));
  time.nowMs += issuerKeyLimits.defaultMs;
  answers.set(keysUrl, json({ keys: [{ kid: 'b' }] }));
  assert.deepEqual(await keysOf(issuer), { keys: [{ kid: 'b' }] });
  slow.resolve({ failure: 'timeout', detail: '' });
  for (const refusal of [...(await Promise.all(strangers)), await same]) {
    assert.match(refusal, /^oidc_issuer_unavailable/);
  }
  answers.set(discoveryOf(other), json({ issuer: other, jwks_uri: keysUrl }));
  assert.deepEqual(await keysOf(other), { keys: [{ kid: 'b' }] });
});

test('formerly known issuers take only the slots of unknown ones', async () => {
  const { keysOf, answers, time } = world();
  const names = Array.from({ length: issuerKeyLimits.askedIssuers }, (_, i) => {
    const name = `https://known-${i}.example`;
    answers.set(discoveryOf(name), json({ issuer: name, jwks_uri: keysUrl }));
    return name;
  });
  for (const name of names) await keysOf(name);
  await keysOf(issuer);
  time.nowMs += issuerKeyLimits.defaultMs;
  const slow = Promise.withResolvers<Sent>();
  for (const name of names) answers.set(discoveryOf(name), () => slow.promise);
  const waiting = names.map((name) => refusalOf(keysOf(name)));
  assert.ok(issuerKeyLimits.askedIssuers < outboundLimits.requests);
  assert.match(await refusalOf(keysOf(issuer)), /^overloaded/);
  slow.resolve({ failure: 'timeout', detail: '' });
  await Promise.all(waiting);
  assert.deepEqual(await keysOf(issuer), { keys: [{ kid: 'a' }] });
});

test('issuers of one site evict each other, and not those of other sites', async () => {
  const { keysOf, answers, asked } = world();
  await keysOf(issuer);
  const names = Array.from({ length: 2 * issuerKeyLimits.issuers }, (_, i) =>
    i % 2 === 0 ? `https://attacker.example/${i}` : `https://i${i}.attacker.example`,
  );
  for (const name of names) {
    answers.set(discoveryOf(name), json({ issuer: name, jwks_uri: keysUrl }));
    await keysOf(name);
  }
  asked.length = 0;
  assert.deepEqual(await keysOf(issuer), { keys: [{ kid: 'a' }] });
  await keysOf(names.at(-1) ?? '');
  assert.deepEqual(asked, []);
  await keysOf(names[0] ?? '');
  assert.equal(asked.length, 2, 'the oldest of the site made room');
});

test('slow issuers of one site take only a few slots, known or not', async () => {
  const { keysOf, answers, time } = world();
  const slow = Promise.withResolvers<Sent>();
  const slowOnes = (prefix: string) =>
    Array.from({ length: issuerKeyLimits.doubtfulIssuers }, (_, i) => `${prefix}/${i}`);
  const known = slowOnes('https://192.0.2.1').map((name, i) => `${name}-${i}`);
  for (const name of known) {
    answers.set(discoveryOf(name), json({ issuer: name, jwks_uri: keysUrl }));
    await keysOf(name);
  }
  time.nowMs += issuerKeyLimits.defaultMs;
  const waiting = [...known, ...slowOnes('https://attacker.example')].map((name) => {
    answers.set(discoveryOf(name), () => slow.promise);
    return refusalOf(keysOf(name));
  });
  assert.deepEqual(await keysOf(issuer), { keys: [{ kid: 'a' }] });
  answers.set(discoveryOf(other), json({ issuer: other, jwks_uri: keysUrl }));
  assert.deepEqual(await keysOf(other), { keys: [{ kid: 'a' }] });
  slow.resolve({ failure: 'timeout', detail: '' });
  const refusals = await Promise.all(waiting);
  const asked = refusals.filter((refusal) => !refusal.startsWith('overloaded'));
  assert.equal(asked.length, issuerKeyLimits.askedOfSite + issuerKeyLimits.doubtfulOfSite);
});

test('slow and unknown issuers leave slots to another issuer of their site', async () => {
  const { keysOf, answers, time } = world();
  const shared = 'https://login.cloud.example';
  const slowOnes = Array.from({ length: 2 * issuerKeyLimits.askedOfSite }, (_, i) => [
    `https://i${i}.cloud.example`,
    `https://unknown.cloud.example/${i}`,
  ]).flat();
  const known = slowOnes.filter((name) => !name.includes('unknown'));
  for (const name of [shared, ...known]) {
    answers.set(discoveryOf(name), json({ issuer: name, jwks_uri: keysUrl }));
    await keysOf(name);
  }
  /** Requests all of them concurrently, without answers; `meanwhile` is the refusal of the other issuer. */
  const round = async (): Promise<string> => {
    time.nowMs += issuerKeyLimits.defaultMs;
    const hangs = Promise.withResolvers<Sent>();
    for (const name of slowOnes) answers.set(discoveryOf(name), () => hangs.promise);
    const waiting = slowOnes.map((name) => refusalOf(keysOf(name)));
    const meanwhile = await refusalOf(keysOf(shared));
    hangs.resolve({ failure: 'timeout', detail: '' });
    await Promise.all(waiting);
    return meanwhile;
  };
  // Each formerly good issuer takes one slot when it is slow for the first time.
  const { askedOfSite, doubtfulOfSite } = issuerKeyLimits;
  for (let left = known.length; left > 0; left -= askedOfSite - doubtfulOfSite) await round();
  assert.deepEqual([await round(), await round()], ['none', 'none']);
});

test('cached key sets take about as much memory as their transferred bytes', async () => {
  const { keysOf, answers } = world();
  const count = 20;
  // Parsed, each of these objects takes twenty times its three characters.
  const many = Array.from({ length: 80_000 }, () => ({}));
  const issuers = Array.from({ length: count }, (_, n) => `https://issuer${n}.example`);
  for (const name of issuers) {
    answers.set(discoveryOf(name), json({ issuer: name, jwks_uri: keysUrl }));
  }
  answers.set(keysUrl, async () => json({ keys: [{ kid: 'a', many }] }));
  const before = heapBytes();
  for (const name of issuers) await keysOf(name);
  // Includes room for other objects of the test; parsed key sets would exceed it five times.
  assert.ok(heapBytes() - before < 4 * count * issuerKeyLimits.documentBytes);
  assert.equal((await keysOf('https://issuer0.example', 'a')).keys.length, 1);
});

/** Returns the used heap after a full garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
