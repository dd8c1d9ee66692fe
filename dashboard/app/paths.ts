import type { ComponentType } from 'preact';
import type { IconName } from '../components/icons.tsx';
import type { MessageName } from '../messages/en.ts';

export type Screen = {
  /** Relative to `/dashboard`. */
  readonly path: string;
  /** Gets the parameters of its path from `useRoute`. */
  readonly component: ComponentType<{ readonly path?: string }>;
  /** The link in the navigation. Default: none; other screens link to this screen. */
  readonly link?: {
    /** The target of the link. Required if the path of the screen has parameters. */
    readonly path?: string;
    readonly name: MessageName;
    readonly icon: IconName;
    readonly group: MessageName;
    readonly isForDevelopment?: true;
  };
};

/** Returns the address of a screen. */
export const hrefOf = (path: string): string => `${base}${path}${sharedQuery()}`;

const base = '/dashboard';

/** Returns the query that stays the same on all screens. */
function sharedQuery(): string {
  const locale = new URLSearchParams(location.search).get('locale');
  return locale === null ? '' : `?locale=${encodeURIComponent(locale)}`;
}
