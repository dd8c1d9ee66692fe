// Shows which users may sign with which wallets, as a drawing and as a table.

import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../../src/client/connect.ts';
import { type MapRow, mapRowsOf } from '../../../src/core/policy/map/policy_map.ts';
import { drawMap } from '../../../src/core/policy/map/policy_map_drawing.ts';
import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

const [mostUsers, mostWallets] = [20, 12];
/** The number of columns in one drawing, and its width, on a wide page and on a narrow one. */
const [wide, narrow] = [
  { wallets: 5, width: 150 },
  { wallets: 2, width: 104 },
];

type PolicyMap = {
  readonly rows: readonly MapRow[];
  readonly wallets: number;
  readonly isWhole: boolean;
};

export default function PolicyMapSection() {
  const { client } = useSession();
  const read = useRead(['policy map'], (signal) => readMap(client, signal));
  return (
    <Section title={t('map.title')}>
      <Loaded read={read}>{(map) => <Bands map={map} />}</Loaded>
    </Section>
  );
}

async function readMap(client: Client, signal: AbortSignal): Promise<PolicyMap> {
  const [{ policies }, { users }, { wallets }, { configs }] = await Promise.all([
    client.query('list_policies', {}, { signal }),
    client.query('list_users', {}, { signal }),
    client.query('list_wallets', {}, { signal }),
    client.query('get_organization_configs', {}, { signal }),
  ]);
  const of = { policies, users, wallets: wallets.slice(0, mostWallets), quorum: configs.quorum };
  const at = new Date(client.now());
  const rows: MapRow[] = [];
  for (const user of users.slice(0, mostUsers)) {
    rows.push(...mapRowsOf(of, user, at));
    // Each user takes some milliseconds, so let the browser handle input in between.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  const isWhole = users.length <= mostUsers && wallets.length <= mostWallets;
  return { rows, wallets: of.wallets.length, isWhole };
}

function Bands({ map: { rows, wallets, isWhole } }: { readonly map: PolicyMap }) {
  const { wallets: most, width } = useIsNarrow() ? narrow : wide;
  if (wallets === 0) return <p>{t('wallets.empty')}</p>;
  const bands = Array.from({ length: Math.ceil(wallets / most) }, (_, band) =>
    rows.filter((_row, n) => Math.floor((n % wallets) / most) === band),
  );
  return (
    <>
      <p class="hint">{t('map.hint')}</p>
      {bands.map((band, i) => (
        <Drawing
          key={band[0]?.wallet}
          rows={band}
          wallets={Math.min(most, wallets - i * most)}
          width={width}
        />
      ))}
      {!isWhole && <p class="hint">{t('map.more', { users: mostUsers, wallets: mostWallets })}</p>}
      <details>
        <summary>{t('map.asTable')}</summary>
        <MapTable rows={rows} />
      </details>
    </>
  );
}

function Drawing(props: {
  readonly rows: readonly MapRow[];
  readonly wallets: number;
  readonly width: number;
}) {
  const words = {
    alone: t('map.alone'),
    votes: t('map.votes'),
    content: t('map.content'),
    never: '',
  };
  const { width, height, cells, texts } = drawMap(props.rows, props.wallets, words, props.width);
  return (
    <svg
      class="map"
      role="img"
      aria-label={t('map.drawing')}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      {cells.map(({ reach, ...place }) => (
        <rect key={`${place.x} ${place.y}`} class={`reach-${reach}`} {...place} />
      ))}
      {texts.map(({ text, x, y }) => (
        <text key={`${x} ${y}`} x={x} y={y}>
          {shown(text)}
        </text>
      ))}
    </svg>
  );
}

function MapTable({ rows }: { readonly rows: readonly MapRow[] }) {
  const numbered = rows.map((row, n) => ({ ...row, n }));
  return (
    <Table
      name={t('map.title')}
      rows={numbered}
      keyOf={({ n }) => String(n)}
      columns={{
        [t('users.user')]: ({ user }) => shown(user),
        [t('wallets.wallet')]: ({ wallet }) => shown(wallet),
        [t('map.messages')]: ({ messages }) => t(`map.${messages}`),
        [t('map.transactions')]: ({ transactions }) => t(`map.${transactions}`),
      }}
    />
  );
}

function useIsNarrow(): boolean {
  const [query] = useState(() => matchMedia('(max-width: 860px)'));
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const follow = () => setNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [query]);
  return isNarrow;
}
