// The addresses of screens.

import type { ComponentType } from 'preact';
import type { IconName } from '../components/icons.tsx';
import type { MessageName } from '../messages/en.ts';

export type Screen = {
  /** Below `/dashboard`. */
  readonly path: string;
  /** Reads what the address names by `useRoute`. */
  readonly component: ComponentType<{ readonly path?: string }>;
  /** Shown in the navigation. Default: a screen that other screens link to. */
  readonly link?: {
    /** The target of the link, if the path of the screen has parameters. */
    readonly path?: string;
    readonly name: MessageName;
    readonly icon: IconName;
    readonly group: MessageName;
    /** Shown only while the service runs in development mode. */
    readonly isForDevelopment?: true;
  };
};

/** The address of a screen, or of a thing on it. */
export const hrefOf = (path: string): string => `${base}${path}${kept()}`;

const base = '/dashboard';

/** Returns the part of an address that stays from one screen to the next. */
function kept(): string {
  const locale = new URLSearchParams(location.search).get('locale');
  return locale === null ? '' : `?locale=${encodeURIComponent(locale)}`;
}
