// Dialog "Go to": finds screens, and wallets, policies, users and activities by name, id or address.

import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Dialog } from '../../components/dialog.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf, type Screen } from '../paths.ts';
import { shown } from '../service/activity_text.ts';
import { type Read, useRead } from '../service/queries.ts';
import { type Account, usePolicies, useUsers, useWallets } from '../service/reads.ts';
import { useSession } from '../session/context.ts';

type Place = { readonly name: string; readonly kind: string; readonly path: string };

const maximumShown = 8;
/** Number of typed characters from which accounts are searched too. */
const addressFrom = 6;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function GoTo(props: { readonly screens: readonly Screen[]; readonly onClose: () => void }) {
  const { onClose } = props;
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const found = usePlaces(text, props.screens);
  const chosen = Math.min(at, found.length - 1);
  const go = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    route(hrefOf(place.path));
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      go(found[chosen]);
    } else if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + found.length) % Math.max(found.length, 1));
    }
  };
  return (
    <Dialog title={t('shell.goTo')} onClose={onClose}>
      <div class="field">
        <label for={id}>{t('shell.goToLabel')}</label>
        <input
          id={id}
          role="combobox"
          type="text"
          autocomplete="off"
          spellcheck={false}
          autofocus
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
          value={text}
          onKeyDown={onKey}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t('shell.goTo')} class="places">
        {found.map((place, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
          <div
            key={`${place.path} ${place.name}`}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => go(place)}
          >
            <span>{place.name}</span>
            <span class="hint">{place.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" class="hint">
        {found.length === 0 ? t('shell.goToNone') : t('shell.goToCount', { count: found.length })}
      </p>
    </Dialog>
  );
}

/** Reads the accounts of all wallets, once they are needed. */
function useAccounts(isNeeded: boolean): Read<readonly Account[]> {
  const { client } = useSession();
  return useRead(['accounts', isNeeded], async (signal) => {
    const rows: Account[] = [];
    if (!isNeeded) return rows;
    for await (const row of client.pages('list_wallet_accounts', {}, { signal })) rows.push(row);
    return rows;
  });
}

function usePlaces(text: string, screens: readonly Screen[]): readonly Place[] {
  const { data: wallets = [] } = useWallets();
  const { data: policies = [] } = usePolicies();
  const { data: users = [] } = useUsers();
  const query = text.trim().toLowerCase();
  const ofScreens = screens.flatMap(({ link, path }) =>
    link === undefined
      ? []
      : [{ name: t(link.name), kind: t(link.group), path: link.path ?? path }],
  );
  const ofWallets = wallets.map(({ walletId, walletName }) => ({
    name: shown(walletName),
    kind: t('wallets.wallet'),
    path: `/wallets/${walletId}`,
  }));
  const ofPolicies = policies.map(({ policyId, policyName }) => ({
    name: shown(policyName),
    kind: t('decision.policy'),
    path: `/policies/${policyId}`,
  }));
  const ofUsers = users.map(({ userId, userName }) => ({
    name: shown(userName),
    kind: t('users.user'),
    path: `/users/${userId}`,
  }));
  const ofIds = uuid.test(query)
    ? [{ name: query, kind: t('activities.activity'), path: `/activities/${query}` }]
    : [];
  const { data: accounts = [] } = useAccounts(query.length >= addressFrom);
  const ofAddresses = accounts.map(({ address, walletId }) => ({
    name: address,
    kind: t('wallets.address'),
    path: `/wallets/${walletId}`,
  }));
  return [...ofScreens, ...ofWallets, ...ofPolicies, ...ofUsers, ...ofAddresses]
    .filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(query))
    .concat(ofIds)
    .slice(0, maximumShown);
}
