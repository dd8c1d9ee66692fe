// Screen of one activity: the request, the decision, the votes and the result.

import { useRoute } from 'preact-iso';
import type { Client } from '../../../src/client/connect.ts';
import { RequestFailed, Unreachable } from '../../../src/client/errors.ts';
import { type AppProof, verifyAppProof } from '../../../src/client/proofs.ts';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { DecisionText } from '../../components/decision.tsx';
import { Icon } from '../../components/icons.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Status, Terms, Time } from '../../components/small.tsx';
import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { listText, t } from '../../messages/text.ts';
import { Progress } from '../approvals/progress.tsx';
import { NamedJson } from '../headlines/named.tsx';
import { hrefOf } from '../paths.ts';
import { msOf, shown, stateOf } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { type Activity, type Explanation, useQuery } from '../service/reads.ts';
import { useSession } from '../session/context.ts';
import { jsonText } from './json_text.ts';
import { Path } from './path.tsx';
import { Receipt } from './receipt.tsx';

export default function ActivityScreen() {
  const { params } = useRoute();
  const activityId = params['id'] ?? '';
  const { client } = useSession();
  const read = useQuery(['activity', activityId], 'get_activity', ({ activity }) => activity, {
    activityId,
  });
  const explained = useRead(['explained', activityId], (signal) =>
    client.query('explain_activity', { activityId }, { signal }),
  );
  return (
    <Screen
      heading={read.data === undefined ? t('activities.activity') : activityTitle(read.data.type)}
    >
      <Loaded read={read}>
        {(activity) => (
          <>
            <Request activity={activity} explanation={explained.data} />
            <Section title={t('decision.heading')}>
              <Loaded read={explained}>
                {(explanation) => <Decisions explanation={explanation} activity={activity} />}
              </Loaded>
            </Section>
            <Votes activity={activity} explanation={explained.data} />
            <div class="columns">
              <Section title={t('activities.result')}>
                <ExportHint activity={activity} />
                {Object.keys(activity.result).length === 0 ? (
                  <p>{t(noResultTexts[stateOf(activity.status)])}</p>
                ) : (
                  <NamedJson value={activity.result} />
                )}
              </Section>
              <Section title={t('activities.proofs')}>
                <Proofs activity={activity} />
              </Section>
            </div>
            <Receipt activityId={activity.id} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

const noResultTexts = {
  done: 'activities.emptyResult',
  waiting: 'activities.noResult',
  refused: 'activities.noResultEver',
} as const;

/** The key that opens an export exists only in the page that created it. */
function ExportHint({ activity: { type, status } }: { readonly activity: Activity }) {
  const state = stateOf(status);
  if (!type.startsWith('ACTIVITY_TYPE_EXPORT_') || state === 'refused') return null;
  const text = state === 'waiting' ? 'activities.exportWaits' : 'activities.exportSealed';
  return <p class="hint">{t(text)}</p>;
}

function Request({
  activity,
  explanation: decided,
}: {
  readonly activity: Activity;
  readonly explanation: Explanation | undefined;
}) {
  const { id, type, fingerprint, createdAt, status, intent, explanation, canApprove } = activity;
  return (
    <Section title={t('activities.request')} actions={<Status status={status} />}>
      {explanation !== undefined && <p class="sentence">{shown(explanation.summary)}</p>}
      <Path activity={activity} explanation={decided} />
      <Progress explanation={decided} />
      {canApprove && <a href={hrefOf('/approvals')}>{t('overview.review')}</a>}
      <details>
        <summary>{t('action.details')}</summary>
        <Terms
          rows={[
            { term: t('activities.when'), value: <Time ms={msOf(createdAt)} /> },
            { term: t('activities.type'), value: <code>{type}</code> },
            { term: t('activities.id'), value: <Copyable text={id} /> },
            { term: t('activities.fingerprint'), value: <Copyable text={fingerprint} /> },
          ]}
        />
        <pre>{jsonText(intent)}</pre>
      </details>
    </Section>
  );
}

/**
 * Shows the decision of the newest vote in full, earlier decisions on a click, and the decision as of now.
 */
function Decisions(props: { readonly explanation: Explanation; readonly activity: Activity }) {
  const { votes, now, failure } = props.explanation;
  const decided = votes.flatMap((vote) =>
    vote.decision === undefined ? [] : [{ ...vote, decision: vote.decision }],
  );
  const last = decided.at(-1);
  const isOpen = stateOf(props.activity.status) === 'waiting';
  const failed = failure ?? now?.failure;
  const ends = votes.flatMap(({ countsUntil }) => (countsUntil ? [msOf(countsUntil)] : []));
  return (
    <>
      {failed !== undefined && (
        <p class="bad">{t('activities.failure', { reason: shown(failed.message) })}</p>
      )}
      {last === undefined ? (
        now?.decision && <DecisionText decision={now.decision} />
      ) : (
        <DecisionText decision={last.decision} />
      )}
      {isOpen && now !== undefined && (
        <Terms
          rows={[
            {
              term: t('activities.mayVote'),
              value: votersText(now.voters.filter(({ canApprove }) => canApprove)),
            },
            {
              term: t('activities.lapses'),
              value: ends.length === 0 ? t('activities.never') : <Time ms={Math.min(...ends)} />,
            },
          ]}
        />
      )}
      {decided.slice(0, -1).map((vote) => (
        <details key={vote.voteId}>
          <summary>
            {t('activities.atVote', {
              user: shown(vote.userName ?? vote.userId),
              vote: voteText(vote.selection),
            })}
          </summary>
          <DecisionText decision={vote.decision} />
        </details>
      ))}
    </>
  );
}

function votersText(voters: readonly { readonly userName: string }[]): string {
  if (voters.length === 0) return t('activities.unknownUser');
  return listText(voters.map(({ userName }) => shown(userName)));
}

function Votes(props: {
  readonly activity: Activity;
  readonly explanation?: Explanation | undefined;
}) {
  const { activity, explanation } = props;
  const countsOf = (voteId: string) =>
    explanation?.votes.find((vote) => vote.voteId === voteId)?.counts !== false;
  return (
    <Section title={t('activities.votes')}>
      <Table
        name={t('activities.votes')}
        rows={activity.votes}
        keyOf={({ id }) => id}
        columns={{
          [t('activities.user')]: ({ user }) => shown(user.userName),
          [t('activities.vote')]: ({ selection }) => voteText(selection),
          [t('activities.when')]: ({ createdAt }) => <Time ms={msOf(createdAt)} />,
          [t('activities.key')]: ({ publicKey }) => <code>{publicKey}</code>,
          [t('activities.counts')]: ({ id }) =>
            t(countsOf(id) ? 'activities.yes' : 'activities.no'),
        }}
      />
    </Section>
  );
}

type Proved = { readonly what: string; readonly ms?: number; readonly problem?: string };

/** Shows the proofs that the enclave signed, each verified in this page with the pinned attestation key. */
function Proofs({ activity }: { readonly activity: Activity }) {
  const { client } = useSession();
  const proofs = activity.appProofs ?? [];
  const signed = [activity.id, activity.fingerprint, activity.result, proofs];
  const read = useRead(['proofs', signed], () =>
    Promise.all(proofs.map((proof) => provedBy(client, proof, activity))),
  );
  if (proofs.length === 0) return <p>{t('activities.noProofs')}</p>;
  return (
    <Loaded read={read}>
      {(rows) => (
        <ul class="list">
          {rows.map(({ what, ms, problem }, i) =>
            problem === undefined ? (
              // Two proofs of an activity can have equal content, so the index is the key.
              <li key={String(i)} class="verified">
                <Icon name="check" />
                <span>
                  {t('activities.proved', { what })} {ms !== undefined && <Time ms={ms} />}
                </span>
              </li>
            ) : (
              <li key={String(i)}>
                <div role="alert" class="alert">
                  <Icon name="warning" />
                  <p>{t('activities.notProved', { reason: shown(problem) })}</p>
                </div>
              </li>
            ),
          )}
        </ul>
      )}
    </Loaded>
  );
}

/** Verifies a proof. Returns its content, or the reason why it was rejected. Throws if the service fails. */
async function provedBy(client: Client, proof: AppProof, activity: Activity): Promise<Proved> {
  try {
    const { type, timestampMs } = await verifyAppProof(client, proof, activity);
    return { what: activityTitle(type), ms: Number(timestampMs) };
  } catch (error) {
    if (error instanceof RequestFailed || error instanceof Unreachable) throw error;
    return { what: '', problem: error instanceof Error ? error.message : String(error) };
  }
}

const voteText = (selection: string): string =>
  t(selection === 'VOTE_SELECTION_REJECTED' ? 'activities.rejected' : 'activities.approved');
