// Section "Try it": decides past activities again with the policy of the editor, or one request as a dry run.

import { useEffect, useState } from 'preact/hooks';
import type { Queries } from '../../../src/client/generated/operations.ts';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { Button } from '../../components/button.tsx';
import { Time } from '../../components/small.tsx';
import { Problem, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { known, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { shown } from '../service/activity_text.ts';
import type { Policy } from '../service/reads.ts';
import { useSession } from '../session/context.ts';
import { type Draft, parametersOf, problemsOf } from './policy_form.tsx';
import { TryRequest } from './try_request.tsx';

type Change = Queries['simulate_policies']['parameters']['changes'][number];
type Flip = Queries['simulate_policies']['result']['decisions'][number];

type Tried = {
  readonly flips: readonly Flip[];
  readonly decided: number;
  readonly undecided: number;
  readonly next: string | undefined;
};

const nothingTried: Tried = { flips: [], decided: 0, undecided: 0, next: undefined };
/** Maximum decisions in one answer of the service. */
const pageSize = 100;
/** Pages of one trial. The button "Try older activities" reads the next pages. */
const pagesAtOnce = 5;

export function TryIt(props: {
  readonly draft: Draft;
  readonly stored?: Policy;
  readonly change: Change;
}) {
  const { draft, stored, change } = props;
  const { client } = useSession();
  const [tried, setTried] = useState<Tried>();
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const [asksRequest, setAsksRequest] = useState(false);
  const key = JSON.stringify(change);
  // A trial is valid only for the expressions that it used.
  useEffect(() => setTried(undefined), [key]);
  const run = async (from: Tried) => {
    setBusy(true);
    setError(undefined);
    try {
      let result = from;
      for (let page = 0; page < pagesAtOnce; page += 1) {
        const answer = await client.query('simulate_policies', {
          changes: [change],
          onlyFlips: true,
          limit: pageSize,
          ...(result.next === undefined ? {} : { after: result.next }),
        });
        result = {
          flips: [...result.flips, ...answer.decisions],
          decided: result.decided + answer.decided,
          undecided: result.undecided + answer.undecided,
          next: answer.nextCursor,
        };
        setTried(result);
        if (result.next === undefined) break;
      }
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    } finally {
      setBusy(false);
    }
  };
  const isWrong = problemsOf(draft, stored).length > 0;
  return (
    <Section title={t('policies.tryIt')}>
      <p class="hint">{t('policies.tryItHint')}</p>
      <div class="buttons">
        <Button
          icon="clock"
          disabled={isWrong}
          isBusy={isBusy}
          onClick={() => void run(nothingTried)}
        >
          {t('policies.tryPast')}
        </Button>
        <Button popup="dialog" onClick={() => setAsksRequest(true)}>
          {t('policies.tryOne')}
        </Button>
      </div>
      {isWrong && <p class="hint">{t('policies.tryMend')}</p>}
      {error && <Problem error={error} />}
      <div role="status">
        {tried && (
          <p>
            <strong>
              {t('policies.flips', { flipped: tried.flips.length, decided: tried.decided })}
            </strong>{' '}
            {tried.undecided > 0 && t('policies.undecided', { count: tried.undecided })}
          </p>
        )}
      </div>
      {tried && tried.flips.length > 0 && <Flips flips={tried.flips} />}
      {tried?.next !== undefined && (
        <p>
          <Button isBusy={isBusy} onClick={() => void run(tried)}>
            {t('policies.tryMore')}
          </Button>
        </p>
      )}
      {asksRequest && (
        <TryRequest
          draft={isWrong ? undefined : { ...parametersOf(draft), policyId: stored?.policyId }}
          onClose={() => setAsksRequest(false)}
        />
      )}
    </Section>
  );
}

function Flips({ flips }: { readonly flips: readonly Flip[] }) {
  return (
    <Table
      name={t('policies.wouldHave')}
      rows={flips}
      keyOf={({ activityId }) => activityId}
      columns={{
        [t('activities.activity')]: ({ activityId, type }) => (
          <a href={hrefOf(`/activities/${activityId}`)}>{activityTitle(type)}</a>
        ),
        [t('activities.when')]: ({ activityId }) => <Time ms={timeOfId(activityId)} />,
        [t('policies.was')]: ({ was }) => outcomeText(was),
        [t('policies.wouldBe')]: ({ wouldBe, message }) => (
          <>
            <strong>{outcomeText(wouldBe)}</strong>
            {message !== undefined && <span class="hint"> {shown(message)}</span>}
          </>
        ),
      }}
    />
  );
}

const outcomeText = (outcome: string | undefined): string =>
  known(`policies.${outcome ?? 'UNKNOWN'}`, outcome ?? '');

/** Returns the creation time of an activity: UUIDs of version 7 (RFC 9562) begin with milliseconds. */
const timeOfId = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
