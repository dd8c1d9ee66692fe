import { fail } from '../../core/errors/errors.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { policyDigest, policySetText } from '../../core/policy/sets/policy_set.ts';
import { textOfPolicy } from '../../core/policy/sets/policy_text.ts';
import { answerList, answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { requireActivity } from '../activities/require_activity.ts';
import { query } from '../operation.ts';
import type { Reader } from '../reader.ts';

const receiptShape = () =>
  object(
    {
      receiptFormat: answerText(),
      entry: answerText(),
      salt: answerText(),
      record: optional(answerText()),
      proof: answerText(),
      bootEntry: optional(answerText()),
      bootPlace: optional(answerText()),
      runProof: optional(answerText()),
      policySets: optional(answerList(answerText())),
      policyTexts: optional(answerList(answerText())),
    },
    'A file that keywright verify receipt checks without a network. Not part of the common interface.',
  );

export const get_receipt = query({
  summary:
    'Returns the receipt of an activity: its entry in the log, with the proof that a checkpoint has it.',
  body: object({ activityId: uuid() }),
  response: object({ receipt: receiptShape() }),

  answer: async ({ organization, body, read, shownActivity, services }) => {
    const activity = await requireActivity(body.activityId, organization, read);
    const receipt = await services.receipts.receiptOf(activity);
    if (receipt === undefined) return fail('receipt_not_found', { activityId: activity.id });
    const { record, ...opened } = receipt;
    // The record may contain tokens and codes, so only their submitter receives it whole. The entry contains
    // its digest in any case.
    const isWhole = shownActivity(activity) === activity;
    const receiptFormat = 'keywright-receipt/v1';
    if (!isWhole) return { receipt: { receiptFormat, ...opened } };
    const policies = await policiesOf(activity, organization, read);
    return { receipt: { receiptFormat, ...opened, record, ...policies } };
  },
});

/** Maximum number of characters of the policy sets in a receipt. */
const maximumSetCharacters = 4 * 1024 * 1024;

/** Returns the policy sets of an activity, newest first, and the policy texts that have not changed since. */
async function policiesOf({ evaluations }: Activity, organization: OrganizationView, read: Reader) {
  const names = new Set(evaluations.toReversed().flatMap(({ policySetId }) => policySetId ?? []));
  const policySets: string[] = [];
  const digests = new Set<string>();
  let characters = 0;
  for (const name of names) {
    const set = await read.policySet(name);
    const text = set && policySetText(organization.id, set);
    if (text === undefined) continue;
    characters += text.length;
    if (characters > maximumSetCharacters) break;
    policySets.push(text);
    for (const digest of set?.digests ?? []) digests.add(digest);
  }
  if (policySets.length === 0) return {};
  const current = organization.list('policy').filter((each) => digests.has(policyDigest(each)));
  return { policySets, policyTexts: current.map(textOfPolicy) };
}
