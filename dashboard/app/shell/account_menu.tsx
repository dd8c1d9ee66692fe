import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { t } from '../../messages/text.ts';
import { useSession } from '../session/context.ts';
import { signOut } from '../session/session.ts';
import { nextTheme, theme, themeText } from './theme.ts';

type Entry = {
  readonly name: string;
  /** The current value, if the item is a setting. */
  readonly now?: string;
  readonly run: () => void;
  readonly stays: boolean;
};

export function AccountMenu() {
  const { userName } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const items = () => [...(place.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const close = () => {
    setOpen(false);
    place.current?.querySelector('button')?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    items()[0]?.focus();
    const leave = (event: Event) => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (step !== undefined) {
      event.preventDefault();
      const all = items();
      const at = all.indexOf(document.activeElement as HTMLElement);
      all[(at + step + all.length) % all.length]?.focus();
    }
  };
  const entries: readonly Entry[] = [
    { name: t('shell.theme'), now: t(themeText[theme.value]), run: nextTheme, stays: true },
    { name: t('shell.shortcuts'), run: () => setShowsShortcuts(true), stays: false },
    { name: t('shell.signOut'), run: () => void signOut(), stays: false },
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the menu, wherever its focus is
    <div class="account" ref={place} onKeyDown={isOpen ? onKey : undefined}>
      <span class="who">{userName}</span>
      <Button
        kind="quiet"
        icon="account"
        popup="menu"
        expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('shell.account')}
      </Button>
      {isOpen && (
        <div role="menu" aria-label={t('shell.account')} class="menu">
          {entries.map(({ name, now, run, stays }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                if (!stays) close();
                run();
              }}
            >
              <span>{name}</span>
              {now && (
                <span class="hint" aria-hidden="true">
                  {now}
                </span>
              )}
            </button>
          ))}
        </div>
      )}
      {showsShortcuts && (
        <Dialog title={t('shell.shortcuts')} onClose={() => setShowsShortcuts(false)}>
          <ul>
            <li>{t('shell.shortcutGoTo')}</li>
            <li>{t('shell.shortcutEscape')}</li>
          </ul>
          <div class="buttons">
            <Button onClick={() => setShowsShortcuts(false)}>{t('action.close')}</Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
