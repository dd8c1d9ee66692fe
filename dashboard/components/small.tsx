// Small components: states, times, ids and addresses to copy, and lists of terms.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { stateOf, stateText } from '../app/service/activity_text.ts';
import { announce } from '../app/service/announcements.ts';
import { t, timeText } from '../messages/text.ts';
import { Icon, type IconName } from './icons.tsx';

const stateIcons: Readonly<Record<string, IconName>> = {
  done: 'check',
  waiting: 'clock',
  refused: 'cross',
};

/** Shows the state of an activity as a word with an icon and a colour of the same meaning. */
export function Status({ status }: { readonly status: string }) {
  const state = stateOf(status);
  return (
    <span class={`badge ${state}`}>
      <Icon name={stateIcons[state] ?? 'clock'} />
      {stateText(status)}
    </span>
  );
}

export function Time({ ms }: { readonly ms: number }) {
  return <time dateTime={new Date(ms).toISOString()}>{timeText(ms)}</time>;
}

/** Shows a text with a button that copies it. */
export function Copyable(props: { readonly text: string; readonly label?: string }) {
  const { text, label = t('action.copy') } = props;
  return (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      class="copy"
      aria-label={label}
      title={label}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
        announce(t('action.copied'));
      }}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}

export type Term = {
  readonly term: string;
  readonly value: ComponentChildren;
  /** Shown on a click: ids and other raw values. */
  readonly isDetail?: boolean;
};

export function Terms({ rows }: { readonly rows: readonly Term[] }) {
  const details = rows.filter(({ isDetail }) => isDetail);
  return (
    <>
      <TermList rows={rows.filter(({ isDetail }) => !isDetail)} />
      {details.length > 0 && (
        <details>
          <summary>{t('action.details')}</summary>
          <TermList rows={details} />
        </details>
      )}
    </>
  );
}

function TermList({ rows }: { readonly rows: readonly Term[] }) {
  return (
    <dl class="terms">
      {rows.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
