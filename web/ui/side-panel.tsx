import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { createContext, use, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { isComposingNow } from './keyboard.ts';
import classes from './side-panel.module.css';

/** Where a panel of this area is shown; null until it is on the screen. */
const Place = createContext<HTMLElement | null | undefined>(undefined);

/** A work surface beside which a panel opens: it makes room, and lies under the panel only where there is none. */
export function PanelArea({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Place value={place}>
      <div className={classes['area']}>
        <div className={`${classes['content']} ${className ?? ''}`}>{children}</div>
        <div ref={setPlace} className={classes['place']} />
      </div>
    </Place>
  );
}

interface Props {
  opened: boolean;
  onClose(): void;
  title: string;
  /** Of what it lists. */
  count?: number;
  /** At the end of its bar, before the cross. */
  end?: ReactNode;
  /** On a phone it covers the page at once: nothing there is read beside it. */
  tall?: boolean;
  children: ReactNode;
}

/**
 * What belongs to a part of the page and is read beside it: from 1200 px on it pushes the page, below that it slides over
 * from the right, on a phone it is a sheet from below that leaves half of the page in sight. Of several, the last is seen.
 */
export function SidePanel({ opened, onClose, title, count = 0, end, tall = false, children }: Props) {
  const { t } = useTranslation('common');
  const place = use(Place);
  const panel = useRef<HTMLDivElement>(null);
  const [isTall, setIsTall] = useState(tall);
  const isShown = opened && place !== null;
  useEffect(() => {
    if (!isShown) return undefined;
    const opener = document.activeElement;
    if (opener instanceof HTMLElement && opener !== document.body) {
      panel.current?.focus({ preventScroll: true });
      // The page above a sheet is shorter than it was.
      opener.scrollIntoView({ block: 'nearest' });
    }
    return () => {
      // Whoever is somewhere else by now stays there.
      if (document.activeElement === document.body && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true });
    };
  }, [isShown]);
  const leave = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, defaultPrevented } = event;
    if (key !== 'Escape' || defaultPrevented || isComposingNow(event)) return;
    // Of several panels only the one in sight, and not what closes a list in it.
    const isBehind = place && panel.current !== place.lastElementChild;
    if (isBehind || (target instanceof Element && target.closest('[aria-haspopup][aria-expanded="true"]'))) return;
    // What is elsewhere on the page has an Escape of its own, but for a dialog that holds this panel.
    const within = panel.current?.closest('[aria-modal="true"]') ?? panel.current;
    if (target !== document.body && !(target instanceof Node && within?.contains(target))) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    if (!isShown) return undefined;
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [isShown]);
  if (!isShown) return null;
  const content = (
    <div
      ref={panel}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      className={classes['panel']}
      data-tall={isTall || undefined}
    >
      <UnstyledButton
        className={classes['grip']}
        aria-label={t(isTall ? 'panel.lower' : 'panel.raise')}
        onClick={() => setIsTall(!isTall)}
      />
      <div className={classes['bar']}>
        <h2 title={title}>
          {title} {count > 0 && <small>{count}</small>}
        </h2>
        {end}
        <ActionIcon variant="subtle" color="gray" onClick={onClose} aria-label={t('close')}>
          <IconX size={18} />
        </ActionIcon>
      </div>
      <div className={classes['body']}>{children}</div>
    </div>
  );
  return place ? createPortal(content, place) : content;
}
