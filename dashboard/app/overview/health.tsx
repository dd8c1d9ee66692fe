// Balances by chain, and the health of nodes, webhooks and backups for operators.

import { Time } from '../../components/small.tsx';
import { Failed, Loading, Section } from '../../components/states.tsx';
import { listText, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { chainName, useServiceHealth } from '../service/chains.ts';
import { type ServiceHealth, useConfigs } from '../service/reads.ts';
import { useSession } from '../session/context.ts';
import { useFailingEndpoints } from '../webhooks/reads.ts';
import { useChainBalances } from './chain_balances.ts';

export default function Health() {
  return (
    <>
      <ChainBalances />
      <OfOperator />
    </>
  );
}

/** Shows the balances of all accounts by chain. A slow node delays only its own line. */
function ChainBalances() {
  const { data } = useServiceHealth();
  if (data === undefined || data.chains.length === 0) return null;
  return (
    <Section title={t('wallets.balances')}>
      <dl class="terms">
        {data.chains.map(({ caip2, nodeState }) => (
          <div key={caip2}>
            <dt>{chainName(caip2)}</dt>
            <dd>{nodeState === 'SILENT' ? t('health.silent') : <BalancesOf caip2={caip2} />}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function BalancesOf({ caip2 }: { readonly caip2: string }) {
  const { data, error } = useChainBalances(caip2);
  if (data === undefined) {
    return error === null ? (
      <Loading />
    ) : (
      <span>{t('wallets.noBalance', { chain: chainName(caip2) })}</span>
    );
  }
  const { assets, counted, all } = data;
  if (assets.length === 0) return <span>{t('overview.holdsNothing')}</span>;
  return (
    <>
      <ul class="balances">
        {assets.map(({ caip19, symbol, amount, change }) => (
          <li key={caip19}>
            <strong>
              {amount} {shown(symbol)}
            </strong>{' '}
            {change && <span class="hint">{t('overview.change', { change })}</span>}
          </li>
        ))}
      </ul>
      {counted < all && <p class="hint">{t('overview.newestOnly', { counted, all })}</p>}
    </>
  );
}

/** Shows the health of the service to members of the root quorum. */
function OfOperator() {
  const { userId } = useSession();
  const { data } = useConfigs();
  return data?.quorum.userIds.includes(userId) ? <Operated /> : null;
}

function Operated() {
  const health = useServiceHealth();
  const failing = useFailingEndpoints();
  return (
    <Section title={t('health.title')}>
      <Failed read={health} />
      <Failed read={failing} />
      <dl class="terms">
        <div>
          <dt>{t('health.nodes')}</dt>
          <dd>{health.data && nodesText(health.data)}</dd>
        </div>
        <div>
          <dt>{t('screen.webhooks')}</dt>
          <dd>{failing.data && <a href={hrefOf('/webhooks')}>{webhooksText(failing.data)}</a>}</dd>
        </div>
        <div>
          <dt>{t('health.backup')}</dt>
          <dd>{health.data && <LastBackup health={health.data} />}</dd>
        </div>
      </dl>
    </Section>
  );
}

function nodesText({ chains }: ServiceHealth): string {
  const silent = chains.filter(({ nodeState }) => nodeState === 'SILENT');
  if (chains.length === 0) return t('health.noNodes');
  if (silent.length === 0) return t('health.answer', { count: chains.length });
  return t('health.silentOf', { chains: listText(silent.map(({ caip2 }) => chainName(caip2))) });
}

const webhooksText = (failing: readonly string[]): string =>
  failing.length === 0
    ? t('health.delivered')
    : t('overview.warnFailing', { name: listText(failing.map(shown)) });

function LastBackup({ health: { lastBackupAt } }: { readonly health: ServiceHealth }) {
  if (lastBackupAt === undefined) return <span>{t('health.noBackup')}</span>;
  return <Time ms={msOf(lastBackupAt)} />;
}
