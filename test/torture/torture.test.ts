import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../e2e/service.ts';
import { torture } from './torture.ts';

test('killed ten times under load, the service keeps what it acknowledged and nothing else', async () => {
  const dataDirectory = temporaryDirectory();
  const { activities, cutOff } = await torture({ kills: 10, seed: 'keywright', dataDirectory });
  assert.ok(activities > 100, `only ${activities} activities`);
  assert.ok(cutOff > 0, 'no kill came in the middle of anything');
});
