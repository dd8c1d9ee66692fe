// Screen "Webhooks": endpoints, newest first.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { listText, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { shown } from '../service/activity_text.ts';
import { eventText } from './events.ts';
import { NewEndpoint } from './new_endpoint.tsx';
import { type Endpoint, useEndpoints } from './reads.ts';

export default function Webhooks() {
  const endpoints = useEndpoints();
  const [isNew, setNew] = useState(false);
  const create = (
    <Button kind="primary" icon="plus" popup="dialog" onClick={() => setNew(true)}>
      {t('webhooks.new')}
    </Button>
  );
  const isEmpty = endpoints.data?.length === 0;
  return (
    <Screen heading={t('screen.webhooks')} actions={isEmpty ? undefined : create}>
      <Loaded read={endpoints}>
        {(rows) => (
          <Table
            empty={
              <Empty text={t('webhooks.empty')} more={t('webhooks.emptyText')}>
                {create}
              </Empty>
            }
            name={t('screen.webhooks')}
            rows={rows}
            keyOf={({ endpointId }) => endpointId}
            columns={{
              [t('webhooks.name')]: ({ endpointId, name }) => (
                <a href={hrefOf(`/webhooks/${endpointId}`)}>{shown(name)}</a>
              ),
              [t('webhooks.url')]: urlText,
              [t('webhooks.events')]: ({ subscriptions = [] }) =>
                listText(subscriptions.map(({ eventType }) => eventText(eventType))),
              [t('webhooks.state')]: stateText,
            }}
          />
        )}
      </Loaded>
      {isNew && <NewEndpoint onClose={() => setNew(false)} />}
    </Screen>
  );
}

/** Returns the address of an endpoint, or a note that programs fetch its events. */
export const urlText = ({ url }: Endpoint): string =>
  url === '' ? t('webhooks.pulled') : shown(url);

export const stateText = ({ isActive }: Endpoint): string =>
  t(isActive ? 'webhooks.active' : 'webhooks.paused');
