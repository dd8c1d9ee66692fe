import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createNews } from '../../src/gateway/admission/news.ts';
import { activityOf } from '../store/samples.ts';
import { manualClock } from './manual_clock.ts';

const topic = { kind: 'activities', id: 'a' } as const;
const changeIn = (organizationId: string) => ({
  activities: [activityOf(1, { organizationId })],
  events: [],
});

describe('news of this process', () => {
  test('wakes the followers of the topic, once, and no others', () => {
    const news = createNews({ clock: manualClock().clock });
    const told: string[] = [];
    for (const id of ['a', 'b']) {
      news.follow({ ...topic, id }).next(news.moment(), () => told.push(id));
    }
    news.committed(changeIn('a'));
    news.committed(changeIn('a'));
    assert.deepEqual(told, ['a']);
  });

  test('after the start of the query is reported at once', () => {
    const news = createNews({ clock: manualClock().clock });
    const follower = news.follow(topic);
    const since = news.moment();
    news.committed(changeIn('a'));
    let count = 0;
    follower.next(since, () => {
      count += 1;
    });
    assert.equal(count, 1);
    follower.next(news.moment(), () => {
      count += 1;
    });
    assert.equal(count, 1);
  });

  test('of events of an endpoint is news of its deliveries', () => {
    const news = createNews({ clock: manualClock().clock });
    let isTold = false;
    news.follow({ kind: 'deliveries', id: 'e' }).next(news.moment(), () => {
      isTold = true;
    });
    const event = { endpointId: 'e', organizationId: 'a', eventId: '', createdAtMs: 0 };
    news.committed({ activities: [], events: [{ ...event, body: new Uint8Array(0) }] });
    assert.ok(isTold);
  });

  test('after many other topics is assumed and not missed', () => {
    const news = createNews({ clock: manualClock().clock });
    const since = news.moment();
    news.committed(changeIn('a'));
    for (let i = 0; i < 5_000; i += 1) news.committed(changeIn(`other ${i}`));
    let isTold = false;
    news.follow(topic).next(since, () => {
      isTold = true;
    });
    assert.ok(isTold);
  });

  test('the topic with the oldest news is evicted first', () => {
    for (const order of ['abb', 'aba']) {
      const news = createNews({ clock: manualClock().clock });
      for (const id of order) news.committed(changeIn(id));
      for (let i = 0; i < 4_095; i += 1) news.committed(changeIn(`other ${i}`));
      let isTold = false;
      // The evicted topic had its last news before this moment.
      news.follow({ ...topic, id: 'x' }).next(2, () => {
        isTold = true;
      });
      assert.ok(!isTold, order);
    }
  });

  test('a follower that has ended is not notified', () => {
    const news = createNews({ clock: manualClock().clock });
    const follower = news.follow(topic);
    follower.next(news.moment(), () => assert.fail('told after the end'));
    follower.end();
    news.committed(changeIn('a'));
  });
});

describe('news of other nodes', () => {
  function sharedNews() {
    const time = manualClock();
    const looks: string[][] = [];
    const marks = new Map([['a', '1']]);
    let isAway = false;
    const news = createNews({
      clock: time.clock,
      shared: {
        pollMs: 500,
        marks: async (topics) => {
          looks.push(topics.map(({ id }) => id));
          if (isAway) throw new Error('the database is away');
          return topics.map(({ id }) => marks.get(id) ?? '');
        },
      },
    });
    return { time, looks, marks, news, setAway: (is: boolean) => (isAway = is) };
  }

  test('the first check counts as news, then only a changed mark does', async () => {
    const { time, marks, news } = sharedNews();
    const follower = news.follow(topic);
    let count = 0;
    const again = () =>
      follower.next(news.moment(), () => {
        count += 1;
        again();
      });
    again();
    await time.advance(500);
    assert.equal(count, 1);
    await time.advance(2_000);
    assert.equal(count, 1);
    marks.set('a', '2');
    await time.advance(500);
    assert.equal(count, 2);
  });

  test('news between two checks is not missed', async () => {
    const { time, marks, news } = sharedNews();
    const follower = news.follow(topic);
    await time.advance(500);
    const since = news.moment();
    marks.set('a', '2');
    await time.advance(500);
    let isTold = false;
    follower.next(since, () => {
      isTold = true;
    });
    assert.ok(isTold);
  });

  test('the database is checked while there are followers, once per topic, and never after the end', async () => {
    const { time, looks, news } = sharedNews();
    await time.advance(5_000);
    assert.deepEqual(looks, []);
    const followers = ['a', 'a', 'b'].map((id) => news.follow({ ...topic, id }));
    await time.advance(500);
    assert.deepEqual(looks, [['a', 'b']]);
    for (const follower of followers) follower.end();
    await time.advance(5_000);
    assert.ok(looks.length <= 2);
    assert.equal(time.pending(), 0);
  });

  test('a database that is down is checked again', async () => {
    const { time, news, setAway } = sharedNews();
    setAway(true);
    let isTold = false;
    news.follow(topic).next(news.moment(), () => {
      isTold = true;
    });
    await time.advance(2_000);
    assert.ok(!isTold);
    setAway(false);
    await time.advance(500);
    assert.ok(isTold);
    news.close();
    assert.equal(time.pending(), 0);
  });
});
