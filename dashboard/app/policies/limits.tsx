// Draws the used part of each velocity control as a bar.

import type { Client } from '../../../src/client/connect.ts';
import { Failed, Section } from '../../components/states.tsx';
import { durationText, t } from '../../messages/text.ts';
import { noNames, useNames } from '../headlines/names.ts';
import { shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

type Limit = {
  readonly key: string;
  readonly name: string;
  readonly groupId: string;
  readonly used: string;
  readonly threshold: string;
  /** Undefined if the control counts all time. */
  readonly seconds: number | undefined;
};

/** Maximum number of bars. */
const mostShown = 50;

/** Shows nothing for an organization without limits. */
export function Limits() {
  const { client } = useSession();
  const names = useNames().data ?? noNames;
  const read = useRead(['limits'], (signal) => limitsOf(client, signal));
  const { data } = read;
  if (data === undefined) return <Failed read={read} />;
  if (data.length === 0) return null;
  return (
    <Section title={t('limits.title')}>
      <ul class="limits">
        {data.slice(0, mostShown).map((limit) => (
          <li key={limit.key} class="limit">
            <span>
              <strong>{shown(limit.name)}</strong>{' '}
              <span class="hint">{shown(names.get(limit.groupId) ?? '')}</span>
            </span>
            <span>{usedText(limit)}</span>
            <Bar limit={limit} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

async function limitsOf(client: Client, signal: AbortSignal): Promise<readonly Limit[]> {
  const [{ velocityControls }, { usages }] = await Promise.all([
    client.query('list_velocity_controls', {}, { signal }),
    client.query('list_velocity_usage', {}, { signal }),
  ]);
  return velocityControls.flatMap(({ velocityControlId, name, aggregation }) => {
    const { threshold, window } = aggregation;
    const seconds = window.rolling === undefined ? undefined : Number(window.rolling.duration);
    const found = usages.filter((each) => each.velocityControlId === velocityControlId);
    const counted = found.length === 0 ? [{ groupId: '', used: '0' }] : found;
    return counted.map(({ groupId, used }) => ({
      key: `${velocityControlId} ${groupId}`,
      ...{ name, groupId, used, threshold, seconds },
    }));
  });
}

function usedText({ used, threshold, seconds }: Limit): string {
  if (seconds === undefined) return t('limits.used', { used, threshold });
  return t('limits.usedIn', { used, threshold, time: durationText(seconds) });
}

/** Hidden from assistive technology, because the adjacent text has the same values. */
function Bar({ limit: { used, threshold } }: { readonly limit: Limit }) {
  const share = Math.min(1, Number(used) / Math.max(Number(threshold), Number.MIN_VALUE));
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="6" rx="1" />
      <rect class={share >= 1 ? 'used full' : 'used'} width={share * 100} height="6" rx="1" />
    </svg>
  );
}
