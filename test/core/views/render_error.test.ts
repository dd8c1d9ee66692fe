import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf } from '../../../src/core/base/table.ts';
import { errors, grpcStatuses, ServiceError } from '../../../src/core/errors/errors.ts';
import type { Decision } from '../../../src/core/policy/decision/decision.ts';
import { refusalOf } from '../../../src/core/views/explanation.ts';
import { renderError } from '../../../src/core/views/render_error.ts';

const bodyOf = (error: ServiceError) => JSON.parse(Buffer.from(renderError(error).body).toString());

test('a refusal has code, message, details and the machine code', () => {
  const error = new ServiceError('activity_not_found', { activityId: 'a', organizationId: 'o' });
  assert.equal(renderError(error).status, 404);
  assert.deepEqual(bodyOf(error), {
    code: 5,
    message: 'unable to find activity a in organization o: not found',
    details: [
      {
        '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail',
        turnkeyErrorCode: 'REQUEST_INVALID',
      },
    ],
    turnkeyErrorCode: 'REQUEST_INVALID',
  });
});

test('wrong members of the request come first in the details', () => {
  const error = new ServiceError('field_invalid', { field: 'parameters.a', reason: 'no' }, [
    { field: 'parameters.a', description: 'no' },
    { field: 'parameters.b', description: 'nor this' },
  ]);
  const { details } = bodyOf(error);
  assert.deepEqual(details[0], {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [
      { field: 'parameters.a', description: 'no' },
      { field: 'parameters.b', description: 'nor this' },
    ],
  });
  assert.equal(details[1].turnkeyErrorCode, 'REQUEST_INVALID');
});

test('a refusal by policies shows their outcomes', () => {
  const decision = {
    outcome: 'refuse',
    reason: 'no_policy_allows',
    verdicts: [],
    denying: [],
    voterIds: [],
  };
  const { details } = bodyOf(refusalOf(decision as Decision, {}));
  const message = 'No policies evaluated to outcome: Allow';
  assert.deepEqual(details, [
    {
      '@type': 'type.googleapis.com/errors.v1.PolicyEnginePermissionError',
      message,
      policyEvaluations: [],
    },
    {
      '@type': 'type.googleapis.com/keywright.v1.DecisionExplanation',
      outcome: 'REFUSE',
      reason: 'NO_POLICY_ALLOWS',
      message,
      policies: [],
    },
    {
      '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail',
      turnkeyErrorCode: 'REQUEST_NOT_AUTHORIZED',
    },
  ]);
});

test('every code of the table renders with its own status', () => {
  for (const code of namesOf(errors)) {
    const error = new ServiceError(code);
    const row: { grpc: keyof typeof grpcStatuses; http?: number } = errors[code];
    assert.equal(renderError(error).status, row.http ?? grpcStatuses[row.grpc].http);
    assert.equal(bodyOf(error).code, grpcStatuses[row.grpc].number);
  }
  assert.equal(renderError(new ServiceError('body_too_large')).status, 413);
  assert.equal(renderError(new ServiceError('method_not_allowed')).status, 405);
});

test('words that are not ASCII survive', () => {
  const error = new ServiceError('operation_unknown', { operation: 'é"\n' });
  assert.match(bodyOf(error).message, /^unknown operation `é"\n`: /);
});
