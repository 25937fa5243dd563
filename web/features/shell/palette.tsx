import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import {
  IconBooks,
  IconFile,
  IconFilePlus,
  IconLanguage,
  IconMessage,
  IconMessageChatbot,
  IconMessagePlus,
  IconPlus,
  IconSearch,
  IconSettings,
  IconSunMoon,
  IconUserPlus,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import icons from 'virtual:page-icons';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { labelledPages } from '../../../shared/pages.ts';
import { call } from '../../lib/api.ts';
import { formatAgo } from '../../lib/format.ts';
import { chooseLocale, may } from '../../lib/session.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import classes from './palette.module.css';

interface Item {
  id: string;
  label: string;
  description?: string;
  /** Said at the end of the line. */
  end?: string;
  Icon: typeof IconFile;
  /** The bot whose mark stands in place of the icon. */
  bot?: { name: string; mark: number; avatar: { url: string } | null } | undefined;
  /** Other words by which it is found. */
  words?: string;
  run(): void;
}

const settings = {
  token: { path: '/Token', access: 'manage', tabs: ['keys', 'models', 'usage'] },
  account: { path: '/Account', access: 'user', tabs: ['profile', 'security', 'data'] },
  operator: {
    path: '/Operator',
    access: 'operator',
    tabs: ['health', 'users', 'models', 'registration', 'audit', 'mail'],
  },
} as const;

/** Everything by a few letters: pages, settings, what can be made, and what was made and said. */
export function Palette({ isOpen, onClose, onShortcuts }: { isOpen: boolean; onClose(): void; onShortcuts(): void }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 200);
  const found = useQuery({
    queryKey: ['palette', q],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { ...(q && { q }), limit: q ? 5 : 4 };
      const [ownBots, every, threads, bases, files] = await Promise.all([
        call(bots.list, { query, signal }),
        call(bots.dropdown, { signal }),
        call(conversations.threads, { query, signal }),
        call(knowledge.list, { query, signal }),
        q ? call(documents.all, { query, signal }) : { data: [] },
      ]);
      const named = new Map(every.data.map((bot) => [bot.uuid, bot]));
      return { bots: ownBots.data, named, threads: threads.data, bases: bases.data, files: files.data };
    },
  });
  const newest = useQuery({
    queryKey: ['palette', 'newest base'],
    enabled: may('edit'),
    queryFn: async ({ signal }) => (await call(knowledge.list, { query: { limit: 1 }, signal })).data[0] ?? null,
  });
  const go = (href: string) => () => void navigate({ href });
  const matches = ({ label, words = '' }: Item) =>
    // At the beginning of a word, which Japanese does not show.
    ` ${label} ${words}`
      .toLocaleLowerCase()
      .includes(/^[\x20-\x7e]/.test(text.trim()) ? ` ${text.trim().toLocaleLowerCase()}` : text.trim());

  const { data } = found;
  const made = {
    threads: (data?.threads ?? []).map((thread): Item => ({
      id: thread.uuid,
      label: thread.title,
      description: data?.named.get(thread.bot)?.name ?? '',
      end: formatAgo(thread.updatedAt),
      Icon: IconMessage,
      bot: data?.named.get(thread.bot),
      run: go(`/Bot/${thread.bot}/Chat?thread=${thread.uuid}`),
    })),
    bots: (data?.bots ?? []).map((bot): Item => ({
      id: bot.uuid,
      label: bot.name,
      description: bot.description,
      Icon: IconMessageChatbot,
      bot,
      run: go(may('edit') ? `/Bot/${bot.uuid}` : `/Bot/${bot.uuid}/Chat`),
    })),
    knowledge: (data?.bases ?? []).map((base): Item => ({
      id: base.uuid,
      label: base.name,
      description: base.description,
      Icon: IconBooks,
      run: go(`/Knowledge/${base.uuid}/documents`),
    })),
    documents: (data?.files ?? []).map((file): Item => ({
      id: file.uuid,
      label: file.name,
      description: file.knowledgeName,
      Icon: IconFile,
      run: go(`/Knowledge/${file.knowledge}/documents/${file.uuid}`),
    })),
  };
  const base = newest.data?.uuid;
  const create: Item[] = [
    ...(may('edit')
      ? [
          { id: 'new-bot', label: t('create.bot'), Icon: IconMessagePlus, run: go('/Bot?new=true') },
          { id: 'new-base', label: t('create.knowledge'), Icon: IconPlus, run: go('/Knowledge/Add') },
          ...(base
            ? [
                {
                  id: 'new-text',
                  label: t('create.text'),
                  Icon: IconFilePlus,
                  run: go(`/Knowledge/${base}/documents/Create`),
                },
              ]
            : []),
        ]
      : []),
    ...(may('manage')
      ? [{ id: 'invite', label: t('create.invite'), Icon: IconUserPlus, run: go('/Team?new=true') }]
      : []),
  ];
  const places = labelledPages
    .filter(([name, { access = 'user' }]) => name !== 'knowledge-add' && may(access))
    .map(([name, { path, icon }]): Item => ({
      id: path,
      label: t(`common:page.${name}`),
      Icon: icon ? icons[icon] : IconFile,
      run: go(path),
    }));
  const switches: Item[] = [
    ...(['light', 'dark', 'auto'] as const).map((scheme): Item => ({
      id: scheme,
      label: t(`theme.${scheme}`),
      words: 'theme テーマ 外観',
      Icon: IconSunMoon,
      run: () => setColorScheme(scheme),
    })),
    currentLocale() === 'ja'
      ? {
          id: 'en',
          label: 'English',
          words: 'language 言語 英語',
          Icon: IconLanguage,
          run: () => void chooseLocale('en'),
        }
      : {
          id: 'ja',
          label: '日本語',
          words: 'language japanese nihongo',
          Icon: IconLanguage,
          run: () => void chooseLocale('ja'),
        },
    { id: 'keys', label: t('shortcuts.title'), Icon: IconSettings, run: onShortcuts },
  ];
  const tabs = Object.entries(settings)
    .filter(([, { access }]) => may(access))
    .flatMap(([name, { path, tabs: names }]) =>
      names.map((tab): Item => ({
        id: `${name}-${tab}`,
        // A border: `Object.entries` forgets which tabs belong to which page.
        label: t(`settings.${name}.${tab}` as 'settings.token.keys'),
        Icon: IconSettings,
        run: go(`${path}?tab=${tab}`),
      })),
    );
  // What was found for the letters of before stays only as far as it has those of now.
  const isStale = q !== text.trim() || found.isPlaceholderData;
  const fresh = (items: Item[]) =>
    isStale ? items.filter(({ label }) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())) : items;
  const groups: [label: string, items: Item[]][] = text.trim()
    ? [
        [t('groups.create'), create.filter(matches)],
        [t('groups.pages'), places.filter(matches)],
        [t('groups.bots'), q ? fresh(made.bots) : []],
        [t('groups.conversations'), q ? fresh(made.threads) : []],
        [t('groups.knowledge'), q ? fresh(made.knowledge) : []],
        [t('groups.documents'), fresh(made.documents)],
        [t('groups.settings'), [...tabs, ...switches].filter(matches)],
      ]
    : [
        [t('groups.recent'), [...made.threads, ...made.bots]],
        [t('groups.create'), create],
        [t('groups.pages'), places],
        [t('groups.settings'), switches],
      ];
  const shown = groups.filter(([, items]) => items.length > 0);

  const list = useRef<HTMLDivElement>(null);
  const first = shown[0]?.[1][0]?.id;
  // What is found comes later than the rest and stands above it, and Enter takes the first.
  useEffect(() => {
    if (text.trim() === '') return;
    for (const [at, action] of [...(list.current?.querySelectorAll('[data-action]') ?? [])].entries())
      action.toggleAttribute('data-selected', at === 0);
  }, [text, first]);

  useEffect(() => {
    if (isOpen) spotlight.open();
  }, [isOpen]);

  return (
    <Spotlight.Root
      onSpotlightClose={onClose}
      overlayProps={{ blur: 0 }}
      fullScreen={isPhone}
      attributes={{ content: { 'aria-label': t('common:search') } }}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      scrollable={!isPhone}
      maxHeight={460}
      classNames={{
        action: classes['action'] ?? '',
        actionsGroup: classes['group'] ?? '',
        search: classes['search'] ?? '',
        actionsList: classes['list'] ?? '',
      }}
    >
      <Spotlight.Search
        placeholder={t('placeholder')}
        aria-label={t('placeholder')}
        leftSection={<IconSearch size={16} />}
        {...(isPhone && {
          rightSectionWidth: 'auto',
          rightSectionPointerEvents: 'all',
          rightSection: (
            <UnstyledButton className={classes['cancel']} onClick={() => spotlight.close()}>
              {t('common:cancel')}
            </UnstyledButton>
          ),
        })}
      />
      <Spotlight.ActionsList ref={list}>
        {shown.map(([label, items]) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map(({ id, label: name, description, end, Icon, bot, run }) => (
              <Spotlight.Action key={id} onClick={run}>
                <span className={classes['line']}>
                  {bot ? (
                    <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
                  ) : (
                    <span className={classes['icon']}>
                      <Icon size={16} stroke={1.75} aria-hidden />
                    </span>
                  )}
                  <bdi>{name}</bdi>
                  {description && <small>{description}</small>}
                  {end && <time>{end}</time>}
                </span>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && !found.isFetching && <Spotlight.Empty>{t('nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <Spotlight.Footer className={classes['foot'] ?? ''} aria-hidden>
        <kbd>↑</kbd>
        <kbd>↓</kbd> {t('hint.move')}
        <kbd>↵</kbd> {t('hint.open')}
        <kbd>Esc</kbd> {t('hint.close')}
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}
