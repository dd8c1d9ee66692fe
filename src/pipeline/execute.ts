// Step 9: executes an allowed activity on a draft. Only `obtain` makes external calls.

import { strangerAt } from '../core/auth/one_time_codes/otp_limits.ts';
import { hex } from '../core/base/bytes.ts';
import type { Context } from '../core/base/context.ts';
import { assert, RecordedRefusalError, type ServiceError } from '../core/errors/errors.ts';
import type { OutgoingMessage } from '../core/external/outgoing_message.ts';
import type { OrganizationHead } from '../core/organization/model.ts';
import {
  createDraft,
  newOrganizationState,
  type OrganizationDraft,
  type OrganizationState,
} from '../core/organization/state.ts';
import { countRequest } from '../core/policy/velocity/counting.ts';
import type { JsonObject } from '../core/schema/json.ts';
import type { Origin } from '../core/settings/ip_allowlist.ts';
import type { Warnings } from '../operations/once.ts';
import type { ChildDraft } from '../operations/operation.ts';
import type { ApplyServices } from '../operations/services.ts';
import type { NewOrganization, Ports, SponsorChange } from './ports.ts';
import type { Preparation } from './prepare.ts';

export type Executed = {
  readonly result: JsonObject;
  readonly draft: OrganizationDraft;
  readonly children: readonly NewOrganization[];
  /** The change of the sponsoring organization, if it is a different one. */
  readonly sponsor?: SponsorChange;
  readonly warnings: Warnings;
  readonly messages: readonly OutgoingMessage[];
  readonly afterCommit?: readonly (() => void)[];
  /** True if the activity needs app proofs. */
  readonly needsProofs: boolean;
  /** The refusal of an activity whose draft is committed nevertheless. */
  readonly refusal?: ServiceError;
};

/** The outcome of the asynchronous steps, before the activity writes anything. */
export type Obtained = {
  /** The value that the operation obtained; undefined if a dry run skips the operation. */
  readonly value: unknown;
  readonly isLeftOut: boolean;
};

/**
 * Performs the asynchronous steps of an allowed activity: external calls and long derivations. The request
 * holds no turn of the organization meanwhile. A dry run signs nothing and tries no code. Raises the
 * operation's errors. Returns no promise if the request needs no such step.
 */
export function obtain(preparation: Preparation, dryRun: boolean): Obtained | Promise<Obtained> {
  assert(!preparation.cannotPass, 'what is allowed was loaded as a whole');
  const { operation } = preparation.parsed;
  const { concurrent, signs, countsTries } = operation;
  const isLeftOut = dryRun && (concurrent === true || signs === true || countsTries === true);
  if (isLeftOut) return { value: undefined, isLeftOut };
  const obtaining = operation.obtain(preparation);
  if (obtaining === undefined) return { value: undefined, isLeftOut };
  return obtaining.then((value) => ({ value, isLeftOut }));
}

/**
 * Executes an allowed activity on a draft, synchronously. `origin` belongs to the request that completes the
 * activity. Raises the errors of the operation.
 */
export function execute(
  preparation: Preparation,
  { value: obtained, isLeftOut, needsProofs }: Obtained & Pick<Executed, 'needsProofs'>,
  origin: Origin,
  ports: Ports,
): Executed {
  const { activityId, parsed, state, submitter, submittedWith, context, loaded } = preparation;
  const { operation, parameters } = parsed;
  const draft = createDraft(state);
  if (isLeftOut) return { ...nothing, draft, needsProofs };

  const messages: OutgoingMessage[] = [];
  const afterCommit: (() => void)[] = [];
  const children: { readonly id: string; readonly draft: OrganizationDraft }[] = [];
  const createChild = (id: string, head: OrganizationHead): ChildDraft => {
    const child = createDraft(newOrganizationState(id, state.id, head));
    children.push({ id, draft: child });
    return { organization: child, keyring: ports.keyring(id) };
  };
  let sponsor: { readonly state: OrganizationState; readonly draft: OrganizationDraft } | undefined;
  const changeSponsor = (paying: OrganizationState): OrganizationDraft => {
    if (paying.id === state.id) return draft;
    sponsor ??= { state: paying, draft: createDraft(paying) };
    return sponsor.draft;
  };
  const admitTry: ApplyServices['admitTry'] = (code) => {
    const request = hex(parsed.fingerprint.digest);
    return ports.rememberedTries.admit({
      organizationId: state.id,
      code,
      request,
      now: context.now,
    });
  };
  const { serviceKeys, deployment, random } = ports;
  let result: JsonObject;
  try {
    result = operation.apply({
      activityId,
      organization: draft,
      parameters,
      loaded,
      obtained,
      submitter,
      submitterCredentialId: submittedWith.credentialId,
      origin,
      keyring: preparation.keyring,
      context,
      services: {
        serviceKeys,
        deployment,
        random,
        send: (message) => messages.push(addressed(message, state.id, origin, context)),
        admitTry,
        afterCommit: (run) => afterCommit.push(run),
      },
      createChild,
      changeSponsor,
    });
  } catch (error) {
    if (!(error instanceof RecordedRefusalError)) throw error;
    return { ...nothing, draft, needsProofs: false, refusal: error };
  }
  countRequest(preparation.organization, preparation.counted, draft, context);
  return {
    result,
    draft,
    children: children.map(({ id, draft: child }) => ({
      id,
      parentId: state.id,
      head: child.head,
      changes: child.changes(),
    })),
    ...(sponsor === undefined
      ? {}
      : { sponsor: { state: sponsor.state, changes: sponsor.draft.changes() } }),
    warnings: operation.warnings({ organization: draft, result }),
    messages,
    ...(afterCommit.length === 0 ? {} : { afterCommit }),
    needsProofs,
  };
}

const nothing = { result: {}, children: [], warnings: [], messages: [] };

/** Adds the charged account to a message, and the carrier's reference to a mail. */
function addressed(
  message: OutgoingMessage,
  organizationId: string,
  { isOwn, address }: Origin,
  { newId }: Pick<Context, 'newId'>,
): OutgoingMessage {
  const account = isOwn ? `${organizationId} ${strangerAt(address)}` : organizationId;
  if (message.channel !== 'email') return { ...message, account };
  return { ...message, account, reference: { organizationId, messageId: newId() } };
}
