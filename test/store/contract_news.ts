// Contract: notifications of news.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { NewsTopic } from '../../src/core/base/news.ts';
import type { StoreChange, StorePort } from '../../src/store/port.ts';
import type { News } from '../../src/store/reads/news.ts';
import { committed } from './asking.ts';
import { activityOf, eventOf, home, idAt, organizationOf } from './samples.ts';

type OnWholeStore = (
  title: string,
  run: (store: { readonly port: StorePort; readonly news: News }) => Promise<void>,
) => void;

export function newsContract(name: string, on: OnWholeStore): void {
  const ofHome: NewsTopic = { kind: 'activities', id: home };
  const ofEndpoint: NewsTopic = { kind: 'deliveries', id: idAt(70) };

  describe(`${name}: news`, () => {
    on('have a mark for each topic, in order, also where there is nothing', async ({ news }) => {
      assert.deepEqual(await news.marks([]), []);
      assert.equal((await news.marks([ofHome, ofEndpoint])).length, 2);
    });

    on('change the mark of their topic, and no other', async ({ port, news }) => {
      const topics = [ofHome, { ...ofHome, id: idAt(8) }, ofEndpoint];
      const steps: readonly (readonly [string, Partial<StoreChange>, readonly boolean[]])[] = [
        ['made', { organizations: [organizationOf()] }, [true, false, false]],
        ['signed', { activities: [activityOf(5)] }, [true, false, false]],
        // A node whose clock is behind.
        ['signed with a smaller id', { activities: [activityOf(4)] }, [true, false, false]],
        ['changed', { organizations: [organizationOf({ version: 2 })] }, [true, false, false]],
        ['told', { events: [eventOf(1, { endpointId: idAt(70) })] }, [false, false, true]],
        [
          'nothing of these',
          { events: [eventOf(2, { endpointId: idAt(71) })] },
          [false, false, false],
        ],
      ];
      let before = await news.marks(topics);
      for (const [what, change, expected] of steps) {
        await committed(port, change);
        const after = await news.marks(topics);
        assert.deepEqual(
          after.map((mark, i) => mark !== before[i]),
          expected,
          what,
        );
        before = after;
      }
    });

    on('have the same marks as long as nothing changes', async ({ port, news }) => {
      const activities = Array.from({ length: 20 }, (_, n) => activityOf(n));
      await committed(port, { organizations: [organizationOf()], activities });
      const topics = [ofHome, ofEndpoint];
      assert.deepEqual(
        await news.marks(topics),
        await news.marks(topics.toReversed()).then((all) => all.toReversed()),
      );
    });
  });
}
