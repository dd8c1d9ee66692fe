import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namesOf } from '../../../src/core/base/table.ts';
import {
  assert as assertOurs,
  errors,
  fail,
  failField,
  grpcStatuses,
  ServiceError,
} from '../../../src/core/errors/errors.ts';

const codes = namesOf(errors);

function thrownBy(run: () => void): ServiceError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error;
  }
  return assert.fail('nothing was refused');
}

// The numbers of google.rpc.Code and the HTTP statuses in its comments.
test('gRPC statuses have their public numbers and HTTP statuses', () => {
  const published = {
    INVALID_ARGUMENT: [3, 400],
    DEADLINE_EXCEEDED: [4, 504],
    NOT_FOUND: [5, 404],
    ALREADY_EXISTS: [6, 409],
    PERMISSION_DENIED: [7, 403],
    RESOURCE_EXHAUSTED: [8, 429],
    FAILED_PRECONDITION: [9, 400],
    ABORTED: [10, 409],
    UNIMPLEMENTED: [12, 501],
    INTERNAL: [13, 500],
    UNAVAILABLE: [14, 503],
    UNAUTHENTICATED: [16, 401],
  } as const;
  const ours = namesOf(grpcStatuses).map((name) => {
    const { number, http } = grpcStatuses[name];
    return [name, [number, http]];
  });
  assert.deepEqual(Object.fromEntries(ours), published);
});

for (const code of codes) {
  test(`the sentence of ${code} uses all of its parameters`, () => {
    const { sentence } = errors[code];
    assert.doesNotMatch(sentence, /^\s|\s$|\n/);
    const words = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, word]) => String(word));
    const details = Object.fromEntries(words.map((word, i) => [word, `word-${i}`]));
    const error = thrownBy(() => fail(code, details));
    assert.equal(error.code, code);
    assert.equal(error.name, 'ServiceError');
    assert.deepEqual(error.details, details);
    assert.deepEqual(error.fieldViolations, []);
    for (const word of words) assert.ok(error.message.includes(String(details[word])));
    assert.doesNotMatch(error.message, /[{}]/);
  });
}

test('values of a client appear unchanged in the sentence, once', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('{field}', '$&', '$1', '{reason}')),
      (sent) => {
        const { message } = thrownBy(() => fail('field_invalid', { field: 'a', reason: sent }));
        assert.equal(message, `invalid request body: \`a\`: ${sent}`);
      },
    ),
  );
});

test('a missing parameter leaves a gap in the sentence', () => {
  const { message } = thrownBy(() => fail('body_malformed'));
  assert.equal(message, 'bad request body: ');
});

test('a wrong member appears in the sentence and in the violations', () => {
  const error = thrownBy(() => failField('parameters.users.0.userName', 'expected text'));
  assert.equal(error.code, 'field_invalid');
  assert.equal(error.message, 'invalid request body: `parameters.users.0.userName`: expected text');
  assert.deepEqual(error.fieldViolations, [
    { field: 'parameters.users.0.userName', description: 'expected text' },
  ]);
});

test('an internal error is not a refusal', () => {
  assertOurs('anything', 'holds');
  for (const nothing of [false, 0, '', undefined, null]) {
    assert.throws(
      () => assertOurs(nothing, 'the sky is up'),
      (error) =>
        error instanceof Error &&
        !(error instanceof ServiceError) &&
        error.message === 'assertion failed: the sky is up',
    );
  }
});
