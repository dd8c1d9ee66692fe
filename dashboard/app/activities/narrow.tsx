// The filters of activities besides the state: type, user, wallet, period, and an id or address.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { t } from '../../messages/text.ts';
import type { Narrowing } from '../service/activity_pages.ts';
import { shown } from '../service/activity_text.ts';
import { useUsers, useWallets } from '../service/reads.ts';
import { type TypeGroup, typeGroups } from './type_groups.ts';

const periods = { all: 0, day: 1, week: 7, month: 30 } as const;
type Period = keyof typeof periods;

export type Chosen = {
  readonly types: TypeGroup;
  readonly userId: string;
  readonly walletId: string;
  readonly period: Period;
  /** A text of the line, or an id or address, which replaces the wallet filter. */
  readonly search: string;
};

/** Returns true for an id or an address. The service finds these; the page finds other texts in its rows. */
const isNamed = (search: string): boolean => /^(?:0x[0-9a-f]{6,}|[0-9a-z-]{26,})$/i.test(search);

/** Returns the text that the page looks for in the lines; undefined if the service does the search. */
export const textOf = ({ search }: Chosen): string | undefined =>
  search === '' || isNamed(search) ? undefined : search;

export const nothingChosen: Chosen = {
  types: 'all',
  userId: '',
  walletId: '',
  period: 'all',
  search: '',
};

const dayMs = 86_400_000;

export function narrowingOf(
  { types, userId, walletId, period, search }: Chosen,
  nowMs = Date.now(),
): Narrowing {
  const resource = isNamed(search) ? search : walletId;
  return {
    ...(types === 'all' ? {} : { filterByType: typeGroups[types] }),
    ...(userId === '' ? {} : { filterByUser: userId }),
    ...(resource === '' ? {} : { filterByResource: resource }),
    ...(period === 'all'
      ? {}
      : { filterByTime: { sinceMs: String(nowMs - periods[period] * dayMs) } }),
  };
}

const types = (Object.keys(typeGroups) as TypeGroup[]).map((value) => ({
  value,
  label: t(`activities.types.${value}`),
}));

const times = (Object.keys(periods) as Period[]).map((value) => ({
  value,
  label: t(`activities.period.${value}`),
}));

export function Narrow(props: {
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}) {
  const { chosen, onChange } = props;
  const users = useUsers().data ?? [];
  const wallets = useWallets().data ?? [];
  const [typed, setTyped] = useState('');
  const anybody = { value: '', label: t('activities.anyUser') };
  const anyWallet = { value: '', label: t('activities.anyWallet') };
  return (
    <>
      <SelectField
        label={t('activities.types')}
        value={chosen.types}
        options={types}
        onChange={(value) => onChange({ ...chosen, types: value })}
      />
      <SelectField
        label={t('activities.user')}
        value={chosen.userId}
        options={[
          anybody,
          ...users.map(({ userId, userName }) => ({ value: userId, label: shown(userName) })),
        ]}
        onChange={(userId) => onChange({ ...chosen, userId })}
      />
      <SelectField
        label={t('wallets.wallet')}
        value={chosen.walletId}
        options={[
          anyWallet,
          ...wallets.map(({ walletId, walletName }) => ({
            value: walletId,
            label: shown(walletName),
          })),
        ]}
        onChange={(walletId) => onChange({ ...chosen, walletId })}
      />
      <SelectField
        label={t('activities.period')}
        value={chosen.period}
        options={times}
        onChange={(period) => onChange({ ...chosen, period })}
      />
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ ...chosen, search: typed.trim() });
        }}
      >
        <TextField
          label={t('activities.search')}
          type="search"
          value={typed}
          maxLength={256}
          onInput={(value) => {
            setTyped(value);
            if (value === '' && chosen.search !== '') onChange({ ...chosen, search: '' });
          }}
        />
        <Button submits>{t('activities.find')}</Button>
      </form>
    </>
  );
}
