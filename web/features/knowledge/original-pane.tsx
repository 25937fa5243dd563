import { ActionIcon, Alert, Loader, SegmentedControl } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react';
import { useEventListener } from '@mantine/hooks';
import { Suspense, useState, type ReactNode } from 'react';
import type { Document } from '../../../shared/contracts/knowledge.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './chunks.module.css';
import { DownloadButton } from './download-button.tsx';

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

interface Props {
  document: Document;
  page: number;
  /** The names of its sheets, where it has any. */
  sheets: string[];
  onTurn(page: number): void;
  /** Draws the page. */
  draw(page: { zoom: number; label: string; failed: ReactNode; onPages(pages: number): void }): ReactNode;
}

/** A page of the original, beside its chunks. Arrows turn it, plus and minus draw it larger or smaller. */
export function OriginalPane({ document, page, sheets, onTurn, draw }: Props) {
  const { t } = useTranslation('knowledge', 'conversations');
  const [pages, setPages] = useState(document.pages);
  const [zoom, setZoom] = useState(1);
  const turn = (to: number) => to >= 1 && to <= (pages ?? 1) && onTurn(to);
  const scale = (by: 1 | -1) => setZoom((before) => zooms[zooms.indexOf(before) + by] ?? before);
  const sheet = useEventListener('keydown', (event: KeyboardEvent) => {
    const act: Record<string, () => unknown> = {
      ArrowLeft: () => turn(page - 1),
      PageUp: () => turn(page - 1),
      ArrowRight: () => turn(page + 1),
      PageDown: () => turn(page + 1),
      '+': () => scale(1),
      '-': () => scale(-1),
    };
    const key = act[event.key];
    if (!key || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    key();
  });
  const icon = (label: string, Icon: typeof IconPlus, isOff: boolean, onClick: () => unknown) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      disabled={isOff}
      aria-label={label}
      title={label}
      onClick={() => void onClick()}
    >
      <Icon size={16} />
    </ActionIcon>
  );
  return (
    <section className={classes['original']} aria-label={t('document.originalPane')}>
      <div className={classes['toolbar']}>
        {pages !== null && (
          <>
            {icon(t('conversations:citation.previousPage'), IconChevronLeft, page <= 1, () => turn(page - 1))}
            <span className={classes['pages']}>
              {t('page.of', { page: formatNumber(page), pages: formatNumber(pages) })}
            </span>
            {icon(t('conversations:citation.nextPage'), IconChevronRight, page >= pages, () => turn(page + 1))}
          </>
        )}
        <span className={classes['space']} />
        {icon(t('page.zoomOut'), IconMinus, zoom === zooms[0], () => scale(-1))}
        <span className={classes['zoom']}>{formatNumber(zoom * 100)}%</span>
        {icon(t('page.zoomIn'), IconPlus, zoom === zooms.at(-1), () => scale(1))}
      </div>
      {sheets.length > 1 && (
        <div className={classes['sheets']}>
          <SegmentedControl
            size="xs"
            value={sheets[page - 1] ?? ''}
            onChange={(name) => turn(sheets.indexOf(name) + 1)}
            data={sheets}
            aria-label={t('document.sheets')}
          />
        </div>
      )}
      <div
        ref={sheet}
        className={classes['sheet']}
        tabIndex={0}
        role="region"
        aria-label={t('conversations:citation.page', { page })}
      >
        <Suspense fallback={<Loader mx="auto" my="xl" />}>
          {draw({
            zoom,
            label: t('conversations:citation.page', { page }),
            failed: (
              <Alert color="yellow">
                {t('document.originalFailed')} <DownloadButton document={document} />
              </Alert>
            ),
            onPages: setPages,
          })}
        </Suspense>
      </div>
    </section>
  );
}
