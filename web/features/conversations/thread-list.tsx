import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconPin, IconPlus, IconShare2 } from '@tabler/icons-react';
import { useState, type KeyboardEvent } from 'react';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { later } from '../../ui/later.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { useThreads } from './conversations.queries.ts';
import { groupByDay, type Section } from './thread-days.ts';
import type { ThreadAction } from './thread-dialogs.tsx';
import { ThreadMenu } from './thread-menu.tsx';
import classes from './conversations.module.css';

const ThreadDialogs = later(async () => (await import('./thread-dialogs.tsx')).ThreadDialogs);

interface Props {
  bot: string;
  active: string | undefined;
  onPick(thread: string | undefined): void;
}

/** Arrow keys go from thread to thread, F2 renames and Delete deletes, as in a list of files. */
export function ThreadList({ bot, active, onPick }: Props) {
  const { t } = useTranslation('conversations');
  const zone = useUser()?.timezone || undefined;
  const [q, setQ] = useState('');
  const threads = useThreads(bot, q);
  const [chosen, setChosen] = useState<{ thread: Thread; action: ThreadAction }>();
  const all = threads.data?.pages.flatMap((page) => page.data) ?? [];

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, thread: Thread) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const links = [...(event.currentTarget.closest('nav')?.querySelectorAll<HTMLElement>('[data-thread]') ?? [])];
      links[links.indexOf(event.currentTarget) + step]?.focus();
    }
    if (event.key === 'F2') setChosen({ thread, action: 'rename' });
    if (event.key === 'Delete') setChosen({ thread, action: 'remove' });
  };

  return (
    <>
      <Stack p={8} gap={8}>
        <Button leftSection={<IconPlus size={16} />} variant="light" onClick={() => onPick(undefined)}>
          {t('threads.new')}
        </Button>
        <SearchInput value={q} onChange={setQ} label={t('threads.search')} clearLabel={t('common:clear')} />
      </Stack>
      <nav className={classes['threadList']} aria-label={t('threads.label')}>
        {threads.isPending && Array.from({ length: 4 }, (_, at) => <Skeleton key={at} height={32} mb={6} />)}
        {threads.isError && (
          <Alert color="red" p="xs">
            {errorText(threads.error)}
            <Button
              size="compact-xs"
              variant="light"
              color="red"
              mt={6}
              display="block"
              onClick={() => void threads.refetch()}
            >
              {t('common:retry')}
            </Button>
          </Alert>
        )}
        {threads.isSuccess && all.length === 0 && (
          <Text size="sm" c="dimmed" p={8}>
            {q ? t('threads.noMatch') : t('threads.empty')}
          </Text>
        )}
        {groupByDay(all, zone).map(({ section, threads: some }) => (
          <section key={section}>
            <Text component="h2" className={classes['threadDay'] ?? ''}>
              <SectionName section={section} />
            </Text>
            {some.map((thread) => (
              <div key={thread.uuid} className={classes['thread']} data-active={thread.uuid === active || undefined}>
                <button
                  type="button"
                  data-thread
                  className={classes['threadLink']}
                  onClick={() => onPick(thread.uuid)}
                  onKeyDown={(event) => onKeyDown(event, thread)}
                  aria-current={thread.uuid === active ? 'page' : undefined}
                  title={thread.title}
                >
                  {thread.pinned && <IconPin size={13} aria-hidden />}
                  {thread.shared && <IconShare2 size={13} aria-label={t('share.badge')} />}
                  <bdi>{thread.title}</bdi>
                </button>
                <ThreadMenu
                  thread={thread}
                  isShown={thread.uuid === active}
                  onAction={(action) => setChosen({ thread, action })}
                  onPrint={() => onPick(thread.uuid)}
                />
              </div>
            ))}
          </section>
        ))}
        {threads.hasNextPage && (
          <Button
            variant="subtle"
            size="xs"
            fullWidth
            loading={threads.isFetchingNextPage}
            onClick={() => void threads.fetchNextPage()}
          >
            {t('common:more')}
          </Button>
        )}
      </nav>
      {chosen && (
        <ThreadDialogs
          key={chosen.thread.uuid}
          thread={chosen.thread}
          action={chosen.action}
          onClose={() => setChosen(undefined)}
          onFail={() => setChosen(undefined)}
          onRemoved={() => chosen.thread.uuid === active && onPick(undefined)}
        />
      )}
    </>
  );
}

function SectionName({ section }: { section: Section }) {
  const { t } = useTranslation('conversations');
  if (section === 'pinned' || section === 'today' || section === 'yesterday' || section === 'week')
    return t(`threads.day.${section}`);
  return new Intl.DateTimeFormat(formatLocale(), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${section}-01T00:00:00Z`),
  );
}
