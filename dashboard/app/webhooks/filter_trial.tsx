// Section "Try a filter": tests a filter on past events, with the code of the service.

import { useState } from 'preact/hooks';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { activityKinds, kindOfType } from '../../../src/core/policy/activity_kinds.ts';
import { passes, readFilters } from '../../../src/core/webhooks/filters.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { Problem, Section } from '../../components/states.tsx';
import { number, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { shown } from '../service/activity_text.ts';
import { useSession } from '../session/context.ts';

const eventType = 'ACTIVITY_UPDATES';
/** Number of past events to test. */
const triedEvents = 100;

type Event = {
  readonly sequence: string;
  readonly type: string;
  readonly status: string;
  readonly organizationId: string;
};

type Tried = { readonly matching: readonly Event[]; readonly of: number };

export function FilterTrial({ endpointId }: { readonly endpointId: string }) {
  const { client } = useSession();
  const [text, setText] = useState('{"resources": ["WALLET"]}');
  const [tried, setTried] = useState<Tried>();
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const problem = problemOf(text);
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const events = await pastEvents();
      const accepted = readFilters(eventType, text, '');
      setTried({
        matching: events.filter((event) => passes(accepted, factsOf(event))),
        of: events.length,
      });
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    } finally {
      setBusy(false);
    }
  };
  const pastEvents = async (): Promise<readonly Event[]> => {
    const { lastSequence } = await client.query('list_webhook_deliveries', {
      endpointId,
      limit: 1,
    });
    const { deliveries } = await client.query('list_webhook_deliveries', {
      endpointId,
      afterSequence: Math.max(0, Number(lastSequence) - triedEvents),
      limit: triedEvents,
      withBodies: true,
    });
    return deliveries
      .filter((delivery) => delivery.eventType === eventType && delivery.body !== undefined)
      .map(({ sequence, body = '' }) => ({ ...(JSON.parse(body) as Event), sequence }))
      .toReversed();
  };
  return (
    <Section title={t('webhooks.tryFilter')}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextField
          label={t('webhooks.filter')}
          hint={t('webhooks.filterHint')}
          problem={problem}
          value={text}
          rows={2}
          isCode
          onInput={(next) => {
            setText(next);
            setTried(undefined);
          }}
        />
        <div class="buttons">
          <Button submits isBusy={isBusy} disabled={problem !== undefined}>
            {t('webhooks.tryPast')}
          </Button>
        </div>
      </form>
      {error && <Problem error={error} />}
      <div role="status">
        {tried && (
          <strong>
            {t('webhooks.matches', { count: number(tried.matching.length), of: number(tried.of) })}
          </strong>
        )}
      </div>
      {tried && tried.matching.length > 0 && (
        <ul class="list">
          {tried.matching.map(({ sequence, type }) => (
            <li key={sequence}>
              <a href={hrefOf(`/webhooks/${endpointId}/${sequence}`)}>
                {t('webhooks.deliveryOf', { number: sequence })}
              </a>{' '}
              {shown(activityTitle(type))}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function problemOf(text: string): string | undefined {
  try {
    readFilters(eventType, text, t('webhooks.filter'));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns the facts that filters compare. */
function factsOf({ type, status, organizationId }: Event) {
  const kind = kindOfType(type);
  const resource = activityKinds.find(({ name }) => name === kind)?.resource;
  return {
    activityTypes: [type],
    statuses: [status],
    resources: resource === undefined ? [] : [resource],
    organizationIds: [organizationId],
  };
}
