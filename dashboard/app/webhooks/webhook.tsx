// Screen of one webhook endpoint: its state, its deliveries and a filter trial.

import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Outcome, PasskeyPrompt } from '../../components/form.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Terms, Time } from '../../components/small.tsx';
import { Empty, Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { known, listText, number, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { eventText } from './events.ts';
import { FilterTrial } from './filter_trial.tsx';
import { type Endpoint, useDeliveries, useEndpoints } from './reads.ts';
import { RedeliverRange } from './redeliver.tsx';
import { stateText, urlText } from './webhooks.tsx';

type OpenDialog = 'redeliver' | 'delete' | undefined;

export default function Webhook() {
  const { params } = useRoute();
  const endpointId = params['id'] ?? '';
  const endpoints = useEndpoints();
  const endpoint = endpoints.data?.find((each) => each.endpointId === endpointId);
  return (
    <Screen heading={endpoint === undefined ? t('webhooks.endpoint') : shown(endpoint.name)}>
      <Loaded read={endpoints}>
        {() =>
          endpoint === undefined ? (
            <Empty text={t('webhooks.gone')} />
          ) : (
            <Endpointed key={endpointId} endpoint={endpoint} />
          )
        }
      </Loaded>
    </Screen>
  );
}

function Endpointed({ endpoint }: { readonly endpoint: Endpoint }) {
  const { endpointId, name, isActive, url, subscriptions = [] } = endpoint;
  const write = useWrite();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const close = () => setOpenDialog(undefined);
  const turn = () =>
    write.send(
      (client) => client.ask('update_webhook_endpoint', { endpointId, isActive: !isActive }),
      t(isActive ? 'webhooks.nowPaused' : 'webhooks.nowActive', { name }),
    );
  return (
    <>
      <Terms
        rows={[
          { term: t('webhooks.url'), value: <code>{urlText(endpoint)}</code> },
          { term: t('webhooks.state'), value: stateText(endpoint) },
          { term: t('webhooks.id'), value: <Copyable text={endpointId} />, isDetail: true },
          {
            term: t('webhooks.events'),
            value: listText(subscriptions.map(({ eventType }) => eventText(eventType))),
          },
          ...subscriptions.flatMap(({ eventType, filtersJson }) =>
            filtersJson
              ? {
                  term: t('webhooks.filterOf', { event: eventText(eventType) }),
                  value: <code>{shown(filtersJson)}</code>,
                }
              : [],
          ),
        ]}
      />
      <Outcome write={write} />
      <div class="buttons">
        <Button isBusy={write.writing.isPending} onClick={() => void turn()}>
          {t(isActive ? 'webhooks.pause' : 'webhooks.resume')}
        </Button>
        {url !== '' && (
          <Button popup="dialog" onClick={() => setOpenDialog('redeliver')}>
            {t('webhooks.redeliver')}
          </Button>
        )}
        <Button kind="danger" popup="dialog" onClick={() => setOpenDialog('delete')}>
          {t('webhooks.delete')}
        </Button>
        <PasskeyPrompt />
      </div>
      <Deliveries endpointId={endpointId} />
      <FilterTrial endpointId={endpointId} />
      {openDialog === 'redeliver' && <RedeliverRange endpointId={endpointId} onClose={close} />}
      {openDialog === 'delete' && <DeleteEndpoint endpoint={endpoint} onClose={close} />}
    </>
  );
}

const pageSize = 25;

function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const [count, setCount] = useState(pageSize);
  const read = useDeliveries(endpointId, count);
  return (
    <Section title={t('webhooks.deliveries')}>
      <Loaded read={read}>
        {({ rows, hasMore }) => (
          <Table
            empty={
              <Empty text={t('webhooks.noDeliveries')} more={t('webhooks.noDeliveriesText')} />
            }
            name={t('webhooks.deliveries')}
            rows={rows}
            keyOf={({ sequence }) => sequence}
            isLoadingMore={read.isFetching}
            onMore={hasMore ? () => setCount(count + pageSize) : undefined}
            columns={{
              [t('webhooks.number')]: ({ sequence }) => (
                <a href={hrefOf(`/webhooks/${endpointId}/${sequence}`)}>{sequence}</a>
              ),
              [t('webhooks.event')]: ({ eventType }) => eventText(eventType),
              [t('activities.when')]: ({ createdAt }) => <Time ms={msOf(createdAt)} />,
              [t('webhooks.state')]: ({ state }) => <DeliveryState state={state} />,
              [t('webhooks.attempts')]: { number: ({ attempts }) => number(attempts.length) },
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}

const looks: Readonly<Record<string, string>> = {
  delivered: 'done',
  pulled: 'done',
  waiting: 'waiting',
};

export function DeliveryState({ state }: { readonly state: string }) {
  return (
    <span class={`badge plain ${looks[state] ?? 'refused'}`}>
      {known(`delivery.${state}`, state.replaceAll('_', ' '))}
    </span>
  );
}

function DeleteEndpoint(props: { readonly endpoint: Endpoint; readonly onClose: () => void }) {
  const { endpoint, onClose } = props;
  const { endpointId, name } = endpoint;
  const { route } = useLocation();
  const request = () => requestOf('delete_webhook_endpoint', { endpointId });
  return (
    <Confirm
      title={t('webhooks.deleteTitle', { name: shown(name) })}
      text={t('webhooks.deleteText')}
      name={name}
      request={request}
      said={t('webhooks.deleted', { name })}
      onDone={() => route(hrefOf('/webhooks'))}
      onClose={onClose}
    />
  );
}
