// Tests that need a program: one fails, one is skipped.

import assert from 'node:assert/strict';
import { testsThatNeed } from '../../support/tests_that_need.ts';

const present = testsThatNeed(undefined);
const absent = testsThatNeed('needs a program that is not here');

present.test('a test fails although its program is here', () => assert.fail('on purpose'));
absent.test('a test is skipped', () => assert.fail('it does not run'));
