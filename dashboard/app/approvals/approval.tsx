// One approval. The page verifies the digest and the signature of the submitted bytes, and shows the content
// of these bytes. It marks all other values as reported by the service.

import { useEffect, useErrorBoundary, useId } from 'preact/hooks';
import { approvalProgress } from '../../../src/client/approval_progress.ts';
import { Untrusted } from '../../../src/client/errors.ts';
import type { VerifiedActivity } from '../../../src/client/verified_activity.ts';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { marketKindOf } from '../../../src/core/transactions/headline/request_types.ts';
import { Outcome, PasskeyPrompt } from '../../components/form.tsx';
import { Icon } from '../../components/icons.tsx';
import { Terms, Time } from '../../components/small.tsx';
import { AllOrNothing, Loaded, Problem } from '../../components/states.tsx';
import { WeightyButton } from '../../components/weighty_button.tsx';
import { roughDurationText, t } from '../../messages/text.ts';
import { shortId } from '../headlines/named_ids.ts';
import { noNames, useNames } from '../headlines/names.ts';
import { policySentence } from '../policies/sentence.ts';
import { msOf, nameWithoutId, shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { type Explanation, useConfigs, usePolicies } from '../service/reads.ts';
import { useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { Content } from './content.tsx';
import { Fingerprint } from './fingerprint.tsx';
import { Progress } from './progress.tsx';
import { type SignedContent, useSignedContent } from './signed_content.ts';

type Opening = {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Called when the verification fails. The list then opens another approval by default. */
  readonly onMalformed: () => void;
};

export function Approval({ activityId, ...opening }: { readonly activityId: string } & Opening) {
  const { client } = useSession();
  // The answer of the service may lack members. Then only this approval shows an error.
  const [broken] = useErrorBoundary();
  const read = useRead(['verified', activityId], async (signal) =>
    client.activity(activityId, { signal }).then(
      (activity) => ({ activity, mismatch: undefined }),
      (error: unknown) => {
        if (error instanceof Untrusted) return { activity: undefined, mismatch: error.message };
        throw error;
      },
    ),
  );
  const { onMalformed } = opening;
  if (broken !== undefined) {
    return <DoNotApprove reason={t('approvals.malformed')} onShown={onMalformed} />;
  }
  return (
    <AllOrNothing.Provider value={true}>
      <Loaded read={read}>
        {({ activity, mismatch }) =>
          activity === undefined ? (
            <DoNotApprove reason={mismatch ?? ''} onShown={onMalformed} />
          ) : (
            <Verified activity={activity} {...opening} />
          )
        }
      </Loaded>
    </AllOrNothing.Provider>
  );
}

function DoNotApprove(props: { readonly reason: string; readonly onShown: () => void }) {
  const { reason, onShown } = props;
  useEffect(onShown, []);
  return (
    <article aria-label={t('approvals.doNotApprove', { reason: '' })}>
      <div role="alert" class="alert">
        <Icon name="warning" />
        <div>
          <p>{t('approvals.doNotApprove', { reason: shown(reason) })}</p>
          <p class="hint">{t('approvals.reportToOperator')}</p>
        </div>
      </div>
    </article>
  );
}

function Verified({
  activity,
  isOpen,
  onToggle,
  onMalformed,
}: { readonly activity: VerifiedActivity } & Opening) {
  const { client, userId } = useSession();
  const { id, type, fingerprint, timestampMs, submitter, said } = activity;
  const explained = useRead(['explained', id], (signal) =>
    client.query('explain_activity', { activityId: id }, { signal }),
  );
  const content = useSignedContent(activity);
  const heading = useId();
  // The service may list the votes in any order, so find the vote of the verified submitter.
  const signedBy = said.votes.find(({ userId }) => userId === submitter.userId);
  const user = shown(signedBy?.user.userName ?? submitter.userId);
  const what = activityTitle(type);
  if (explained.error instanceof Untrusted) {
    return <DoNotApprove reason={explained.error.message} onShown={onMalformed} />;
  }
  if (content.data?.mismatch !== undefined) {
    return <DoNotApprove reason={content.data.mismatch} onShown={onMalformed} />;
  }
  return (
    <article aria-labelledby={heading} class={isOpen ? 'approval' : 'approval closed'}>
      <h2 id={heading}>
        <button type="button" class="disclosure" aria-expanded={isOpen} onClick={onToggle}>
          {t('approvals.item', { what, user })}
        </button>
      </h2>
      {/* A closed approval shows only its sentence. The page verifies it too, so a mismatch shows without a
          click. */}
      <div class="approval-body">
        <Progress explanation={explained.data} />
        <BesidePolicy explanation={explained.data} />
        <Loaded read={content}>
          {(signed) => <Content signed={signed} activity={activity} />}
        </Loaded>
        <Terms
          rows={[
            { term: t('approvals.askedBy'), value: user },
            { term: t('approvals.askedAt'), value: <Time ms={timestampMs} /> },
            { term: t('activities.fingerprint'), value: <Fingerprint fingerprint={fingerprint} /> },
            { term: t('approvals.policy'), value: <AskingPolicies explanation={explained.data} /> },
            {
              term: t('approvals.votes'),
              value: <Votes explanation={explained.data} requesterId={submitter.userId} />,
            },
            { term: t('approvals.lapses'), value: <Lapses explanation={explained.data} /> },
            { term: t('approvals.key'), value: <code>{submitter.publicKey}</code> },
          ]}
        />
        {explained.error && !explained.data && <Problem error={explained.error} />}
        {content.data !== undefined && (
          <Decide
            activity={activity}
            what={what}
            consequence={consequenceOf(type, content.data, explained.data, userId)}
          />
        )}
      </div>
    </article>
  );
}

/** Returns the effect of the votes that the reader can give. */
function consequenceOf(
  type: string,
  { isSignature }: SignedContent,
  explanation: Explanation | undefined,
  userId: string,
): string {
  const isSent = type.includes('_SEND_') || marketKindOf(type) !== undefined;
  const approval = isSent ? 'sends' : isSignature ? 'signs' : 'changes';
  const completes = explanation && approvalProgress(explanation, userId)?.own === 'completes';
  return [
    ...(completes === true ? [t(`approvals.${approval}AtOnce`)] : []),
    t('approvals.endsAtOnce'),
  ].join(' ');
}

/** Shows the buttons that approve or reject. The vote contains the digest of the verified bytes. */
function Decide({
  activity,
  what,
  consequence,
}: {
  readonly activity: VerifiedActivity;
  readonly what: string;
  readonly consequence: string;
}) {
  const write = useWrite();
  const { canApprove, canReject } = activity.said;
  const { isPending } = write.writing;
  return (
    <>
      <Outcome write={write} />
      <p>{consequence}</p>
      <div class="buttons decide">
        {canApprove && (
          <WeightyButton
            kind="primary"
            icon={write.requiresPasskey ? 'passkey' : 'check'}
            isBusy={isPending}
            onClick={() =>
              void write.send(
                (client) => client.approve(activity),
                t('approvals.approved', { what }),
              )
            }
          >
            {t(write.requiresPasskey ? 'approvals.approvePasskey' : 'approvals.approve')}
          </WeightyButton>
        )}
        {canReject && (
          <WeightyButton
            icon="cross"
            isBusy={isPending}
            onClick={() =>
              void write.send(
                // The client reports a final rejection as refused; here it is the requested outcome.
                async (client) => {
                  const outcome = await client.reject(activity);
                  return outcome.outcome === 'refused' && outcome.error.code === 'REJECTED'
                    ? { outcome: 'done', result: {}, activity: activity.said, warnings: [] }
                    : outcome;
                },
                t('approvals.rejected', { what }),
              )
            }
          >
            {t('approvals.reject')}
          </WeightyButton>
        )}
        <PasskeyPrompt />
      </div>
    </>
  );
}

const decisionOf = (explanation: Explanation | undefined) =>
  explanation?.now?.decision ?? explanation?.votes.at(-1)?.decision;

const askingIn = ({ policies }: NonNullable<ReturnType<typeof decisionOf>>) =>
  policies.filter(({ outcome }) => outcome === 'OUTCOME_REQUIRES_CONSENSUS');

/** States that members of the root quorum can approve without the policy. */
function BesidePolicy({ explanation }: { readonly explanation: Explanation | undefined }) {
  const { userId } = useSession();
  const quorum = useConfigs().data?.quorum;
  const decision = decisionOf(explanation);
  if (quorum === undefined || !quorum.userIds.includes(userId)) return null;
  if (decision === undefined || askingIn(decision).length === 0) return null;
  return <p>{t('approvals.besidePolicy', { threshold: quorum.threshold })}</p>;
}

/** Shows the policies that require more votes in one sentence each, or the message of the decision. */
function AskingPolicies({ explanation }: { readonly explanation: Explanation | undefined }) {
  const policies = usePolicies().data ?? [];
  const names = useNames().data ?? noNames;
  const decision = decisionOf(explanation);
  if (decision === undefined) return null;
  const asking = askingIn(decision);
  if (asking.length === 0) return <>{shown(decision.message)}</>;
  return (
    <>
      {asking.map(({ policyName, policyId }) => {
        const policy = policies.find((each) => each.policyId === policyId);
        return (
          <div key={policyId}>
            {t('approvals.policyName', {
              name: shown(nameWithoutId(policyName ?? shortId(policyId))),
            })}
            {policy !== undefined && <p class="hint">{policySentence(policy, names)}</p>}
          </div>
        );
      })}
      <p class="hint">{t('approvals.quorumBeside')}</p>
    </>
  );
}

/** Lists the approvals with their times, and marks the expired ones. */
function Votes(props: {
  readonly explanation: Explanation | undefined;
  readonly requesterId: string;
}) {
  const { explanation, requesterId } = props;
  const votes = explanation?.votes.filter(({ replaced }) => replaced !== true) ?? [];
  return (
    <>
      {votes.map(({ voteId, userId, userName, createdAt, counts }) => (
        <div key={voteId}>
          {t(
            counts === false
              ? 'approvals.voteExpired'
              : userId === requesterId
                ? 'approvals.voteOfRequest'
                : 'approvals.voteOf',
            { user: shown(userName ?? userId) },
          )}{' '}
          <Time ms={msOf(createdAt)} />
        </div>
      ))}
    </>
  );
}

function Lapses({ explanation }: { readonly explanation: Explanation | undefined }) {
  const ends = explanation?.votes.flatMap(({ countsUntil }) => (countsUntil ? [countsUntil] : []));
  if (ends === undefined) return null;
  if (ends.length === 0) return <>{t('activities.never')}</>;
  const endMs = Math.min(...ends.map(msOf));
  const seconds = Math.max((endMs - Date.now()) / 1000, 0);
  return (
    <>
      <Time ms={endMs} />{' '}
      <span class="hint">{t('approvals.expiresIn', { time: roughDurationText(seconds) })}</span>
    </>
  );
}
