// The frame of one screen: its heading, its title, and the focus that comes with a change of screen.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { session } from '../app/session/session.ts';
import { t } from '../messages/text.ts';

/** Counts the screens shown; the first screen does not move the focus. */
let shownScreens = 0;

/** Number of approvals that wait for the user. A page in the background shows it in its title. */
export const waitingCount = signal(0);

export function Screen(props: {
  readonly heading: string;
  /** Text of others that the heading shows. */
  readonly lead?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { heading, lead, actions, children } = props;
  const place = useRef<HTMLHeadingElement>(null);
  const organization = session.value?.organizationName;
  const count = organization === undefined ? 0 : waitingCount.value;
  useEffect(() => {
    const title =
      organization === undefined
        ? t('app.titleSignedOut', { heading })
        : t('app.title', { heading, organization });
    const tell = () => {
      // A visible page shows the count next to "Approvals".
      const isToldHere = document.hidden && count > 0;
      document.title = isToldHere ? t('app.titleWaiting', { count, title }) : title;
    };
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => document.removeEventListener('visibilitychange', tell);
  }, [heading, organization, count]);
  useEffect(() => {
    shownScreens += 1;
    // A closing dialog returns its focus later than this.
    if (shownScreens > 1) place.current?.focus();
  }, []);
  return (
    <>
      <div class="screen-head">
        <h1 ref={place} tabIndex={-1}>
          {heading}
        </h1>
        {actions && <div class="buttons">{actions}</div>}
      </div>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </>
  );
}
