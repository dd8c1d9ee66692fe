// Screen of one delivery: the attempts, the signed payload, and its signature, verified in this page.

import { useRoute } from 'preact-iso';
import { verifyWebhook, webhookKeys } from '../../../src/client/webhooks.ts';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { Button } from '../../components/button.tsx';
import { Outcome, PasskeyPrompt } from '../../components/form.tsx';
import { Icon } from '../../components/icons.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Terms, Time } from '../../components/small.tsx';
import { Empty, Loaded, Problem, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { number, t } from '../../messages/text.ts';
import { NamedJson } from '../headlines/named.tsx';
import { shortId } from '../headlines/named_ids.ts';
import { hrefOf } from '../paths.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { useQuery } from '../service/reads.ts';
import { useWrite } from '../service/write.ts';
import { useConfig } from '../session/context.ts';
import { watchedFetch } from '../session/reach.ts';
import { eventText } from './events.ts';
import { type Delivery, useDelivery, useEndpoints } from './reads.ts';
import { DeliveryState } from './webhook.tsx';

export default function DeliveryScreen() {
  const { params } = useRoute();
  const endpointId = params['id'] ?? '';
  const sequence = params['number'] ?? '';
  const read = useDelivery(endpointId, Number(sequence));
  const endpoint = useEndpoints().data?.find((each) => each.endpointId === endpointId);
  return (
    <Screen heading={t('webhooks.deliveryOf', { number: sequence })}>
      <p>
        <a href={hrefOf(`/webhooks/${endpointId}`)}>
          {endpoint === undefined ? t('webhooks.endpoint') : shown(endpoint.name)}
        </a>
      </p>
      <Loaded read={read}>
        {({ delivery }) =>
          delivery === undefined ? (
            <Empty text={t('webhooks.deliveryGone')} />
          ) : (
            <Delivered
              endpointId={endpointId}
              delivery={delivery}
              isPulled={endpoint?.url === ''}
            />
          )
        }
      </Loaded>
    </Screen>
  );
}

function Delivered(props: {
  readonly endpointId: string;
  readonly delivery: Delivery;
  readonly isPulled: boolean;
}) {
  const { endpointId, delivery, isPulled } = props;
  const { eventId, eventType, activityId, createdAt, state, nextAttemptAt } = delivery;
  const write = useWrite();
  const redeliver = () =>
    write.send(
      (client) => client.ask('redeliver_webhook_events', { endpointId, eventIds: [eventId] }),
      t('webhooks.redelivered', { count: 1 }),
    );
  return (
    <>
      <Terms
        rows={[
          { term: t('webhooks.event'), value: eventText(eventType) },
          { term: t('webhooks.state'), value: <DeliveryState state={state} /> },
          { term: t('activities.when'), value: <Time ms={msOf(createdAt)} /> },
          { term: t('webhooks.eventId'), value: <Copyable text={eventId} />, isDetail: true },
          ...(activityId === undefined
            ? []
            : [
                {
                  term: t('activities.activity'),
                  value: <ActivityLink activityId={activityId} />,
                },
              ]),
          ...(nextAttemptAt === undefined || state !== 'waiting'
            ? []
            : [{ term: t('webhooks.next'), value: <Time ms={msOf(nextAttemptAt)} /> }]),
        ]}
      />
      <Outcome write={write} />
      {!isPulled && (
        <div class="buttons">
          <Button kind="primary" isBusy={write.writing.isPending} onClick={() => void redeliver()}>
            {t('webhooks.redeliver')}
          </Button>
          <PasskeyPrompt />
        </div>
      )}
      <Section title={t('webhooks.attempts')}>
        {delivery.attempts.length === 0 ? (
          <p>{t('webhooks.noAttempts')}</p>
        ) : (
          <Attempts delivery={delivery} />
        )}
      </Section>
      <Payload delivery={delivery} />
    </>
  );
}

function Attempts({ delivery }: { readonly delivery: Delivery }) {
  return (
    <Table
      name={t('webhooks.attempts')}
      rows={delivery.attempts}
      keyOf={({ attempt }) => String(attempt)}
      columns={{
        [t('webhooks.attempt')]: ({ attempt }) => number(attempt),
        [t('activities.when')]: ({ at }) => <Time ms={msOf(at)} />,
        [t('webhooks.took')]: {
          number: ({ durationMs }) => t('webhooks.ms', { ms: number(durationMs) }),
        },
        [t('webhooks.answer')]: ({ outcome, status }) =>
          status === undefined
            ? shown(outcome.replaceAll('_', ' '))
            : `${status} ${shown(outcome.replaceAll('_', ' '))}`,
      }}
    />
  );
}

/** Shows the signed payload, and verifies it like a receiver does. */
function Payload({ delivery }: { readonly delivery: Delivery }) {
  const { apiUrl } = useConfig();
  const { body = '', headers = [], sequence, eventId } = delivery;
  const times = headers.map(({ value }) => value).join(' ');
  const verified = useRead(['verified delivery', eventId, sequence, times], async () => {
    const given = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
    // Use the signed time as the current time, because the user may open an old delivery.
    const now = () => Number(given['x-service-timestamp']);
    const keys = webhookKeys(apiUrl, { fetch: watchedFetch });
    return verifyWebhook({ headers: given, body }, keys, { now }).then(
      ({ eventId: signedId }) => ({
        problem: signedId === eventId ? undefined : t('webhooks.otherEvent', { id: signedId }),
      }),
      (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
    );
  });
  return (
    <Section title={t('webhooks.payload')}>
      {verified.error && <Problem error={verified.error} />}
      {verified.data &&
        (verified.data.problem === undefined ? (
          <p role="status" class="verified">
            <Icon name="check" />
            <span>{t('webhooks.verified')}</span>
          </p>
        ) : (
          <div role="alert" class="alert">
            <Icon name="warning" />
            <p>{t('webhooks.notVerified', { reason: shown(verified.data.problem) })}</p>
          </div>
        ))}
      <NamedJson value={parsed(body)} />
      <details>
        <summary>{t('webhooks.headers')}</summary>
        <pre>{headers.map(({ name, value }) => shown(`${name}: ${value}`)).join('\n')}</pre>
      </details>
    </Section>
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Show bodies that are not JSON unchanged.
    return body;
  }
}

/** Links an activity by its type, or by its shortened id while the type is unknown. */
function ActivityLink({ activityId }: { readonly activityId: string }) {
  const { data } = useQuery(['activity', activityId], 'get_activity', ({ activity }) => activity, {
    activityId,
  });
  return (
    <a href={hrefOf(`/activities/${activityId}`)}>
      {data === undefined ? shortId(activityId) : activityTitle(data.type)}
    </a>
  );
}
