// The frame of a screen: its heading, the title of the page, and the focus after a change of screen.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { session } from '../app/session/session.ts';
import { t } from '../messages/text.ts';

/** Counts the screens shown. The first screen does not move the focus. */
let shownScreens = 0;

/** Number of approvals that wait for the user. The title shows it while the page is in the background. */
export const waitingCount = signal(0);

export function Screen(props: {
  readonly heading: string;
  /** A paragraph below the heading. */
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
    const updateTitle = () => {
      // A visible page shows the count next to "Approvals".
      const showsCount = document.hidden && count > 0;
      document.title = showsCount ? t('app.titleWaiting', { count, title }) : title;
    };
    updateTitle();
    document.addEventListener('visibilitychange', updateTitle);
    return () => document.removeEventListener('visibilitychange', updateTitle);
  }, [heading, organization, count]);
  useEffect(() => {
    shownScreens += 1;
    // Focuses the heading of each later screen. A closing dialog returns its focus after this effect.
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
