// Section "Service keys": the keys that this browser pinned. They verify bundles and codes.

import { useState } from 'preact/hooks';
import { connect } from '../../../src/client/connect.ts';
import { readOnlySession } from '../../../src/client/stamps.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icons.tsx';
import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { useRead } from '../service/queries.ts';
import { useConfig, useSession } from '../session/context.ts';
import { pinKeys, pinnedKeys } from '../session/pins.ts';
import { watchedFetch } from '../session/reach.ts';

export function PinnedKeys() {
  const { organizationId } = useSession();
  const { apiUrl: url } = useConfig();
  const place = { apiUrl: url, organizationId };
  const [pinned, setPinned] = useState(() => pinnedKeys(place));
  // A client without pins fetches the keys that the service publishes now.
  const published = useRead(['service keys'], (signal) =>
    connect({ url, organizationId, stamp: readOnlySession(''), fetch: watchedFetch }).serviceKeys({
      signal,
    }),
  );
  return (
    <Section title={t('settings.keys')}>
      <p class="hint">{t('settings.keysHint')}</p>
      <Loaded read={published}>
        {(now) => {
          const known = pinned ?? now;
          const roles = Object.keys({ ...known, ...now }).sort();
          const hasChanged = roles.some((role) => known[role] !== now[role]);
          const pin = () => {
            pinKeys(place, now);
            setPinned(now);
          };
          return (
            <>
              {hasChanged && (
                <div role="alert" class="alert">
                  <Icon name="warning" />
                  <div>
                    <p>{t('settings.keysChanged')}</p>
                    <Button kind="danger" onClick={pin}>
                      {t('settings.pin')}
                    </Button>
                  </div>
                </div>
              )}
              <Table
                name={t('settings.keys')}
                rows={roles}
                keyOf={(role) => role}
                columns={{
                  [t('settings.role')]: (role) => role.replaceAll('_', ' '),
                  [t('settings.pinned')]: (role) => <code>{known[role]}</code>,
                  [t('settings.published')]: (role) =>
                    known[role] === now[role] ? (
                      t('settings.same')
                    ) : (
                      <code class="bad">{now[role]}</code>
                    ),
                }}
              />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
