import { ActionIcon, Loader, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Drawer } from '../../ui/overlays.tsx';
import { messagesIn, useMessages } from './conversations.queries.ts';
import { useSource } from './use-source.ts';
import classes from './conversations.module.css';

const Source = lazy(() => import('./source.tsx'));

interface Props {
  thread: string | undefined;
  /** How wide the window is where there is room beside the conversation. */
  besideFrom?: string;
}

/** The document that an answer cites, opened at the passage: beside the answer, or over it where there is no room. */
export function SourcePanel({ thread, besideFrom = '62em' }: Props) {
  const { t } = useTranslation('conversations');
  const { place, close } = useSource();
  const messages = useMessages(thread);
  const isBeside = useMediaQuery(`(min-width: ${besideFrom})`, undefined, { getInitialValueInEffect: false });
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  const isOpen = place !== undefined;
  useEffect(() => {
    if (isOpen && document.activeElement !== document.body) {
      opener.current = document.activeElement;
      panel.current?.focus({ preventScroll: true });
    } else if (!isOpen && opener.current instanceof HTMLElement) {
      opener.current.focus({ preventScroll: true });
      opener.current = null;
    }
  }, [isOpen]);
  useEffect(() => {
    const element = panel.current;
    if (!isOpen || !element) return undefined;
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    element.addEventListener('keydown', leave);
    return () => element.removeEventListener('keydown', leave);
  }, [isOpen, isBeside, close]);
  const citation = messagesIn(messages.data?.pages ?? [])
    .flatMap(({ citations }) => citations)
    .findLast(({ embedding }) => embedding === place?.chunk);
  const title = citation?.document.name ?? t('citation.source');
  const source = place && (
    <Suspense fallback={<Loader mx="auto" my="xl" />}>
      <Source key={place.chunk} place={place} citation={citation} />
    </Suspense>
  );
  if (!isBeside) {
    return (
      <Drawer
        opened={isOpen}
        onClose={close}
        position="right"
        size="xl"
        title={title}
        styles={{ title: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } }}
      >
        {source}
      </Drawer>
    );
  }
  return (
    isOpen && (
      <div ref={panel} role="dialog" className={classes['sourcePanel']} tabIndex={-1} aria-label={title}>
        <div className={classes['sourceBar']}>
          <Text fw={600} size="sm" truncate title={title}>
            {title}
          </Text>
          <ActionIcon variant="subtle" color="gray" onClick={close} aria-label={t('citation.close')}>
            <IconX size={18} />
          </ActionIcon>
        </div>
        <div className={classes['sourceBody']}>{source}</div>
      </div>
    )
  );
}
