import { activityStatuses, voteSchemes } from '../../core/base/enums.ts';
import { voteSelections } from '../../core/organization/records/activity.ts';
import {
  answerInteger,
  answerList,
  answerText,
  anyObject,
  boolean,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../core/schema/schema.ts';
import { userShape } from '../credential_shapes.ts';
import { appProofShape } from '../proofs/proof_shapes.ts';
import { explanationShape } from './explanation_shape.ts';

/** A time in an activity: text, or an object for clients whose decoders require one. */
const activityTime = () =>
  text({
    maximum: 24,
    description:
      'RFC 3339 in UTC with milliseconds; a Timestamp object for clients that send `X-Client-Version`.',
  });

const voteShape = () =>
  object({
    id: answerText(),
    userId: answerText(),
    user: userShape(),
    activityId: answerText(),
    selection: oneOf(voteSelections),
    message: answerText(),
    publicKey: answerText(),
    signature: answerText(),
    scheme: oneOf(voteSchemes),
    createdAt: timestamp(),
  });

/** The failure of an activity, in the form of error bodies. */
export const failureShape = () =>
  object({
    code: answerInteger(),
    message: answerText(),
    details: answerList(anyObject('Why, for programs.')),
  });

const fullShape = () =>
  object({
    id: answerText(),
    organizationId: answerText(),
    status: oneOf(activityStatuses),
    type: answerText(),
    intent: anyObject(),
    result: anyObject(),
    votes: answerList(voteShape()),
    fingerprint: text({
      maximum: 71,
    }),
    canApprove: boolean(),
    canReject: boolean(),
    createdAt: activityTime(),
    updatedAt: activityTime(),
    explanation: optional(explanationShape()),
    appProofs: optional(answerList(appProofShape())),
    failure: optional(failureShape()),
    request: optional(
      object({
        userId: answerText(),
        message: answerText(),
        publicKey: optional(answerText()),
        signature: optional(answerText()),
        scheme: optional(oneOf(voteSchemes)),
      }),
    ),
  });

/** An activity in the form of answers. `activityView` creates it and types its members. */
export const activityShape = () => fullShape() as unknown as ReturnType<typeof anyObject>;
