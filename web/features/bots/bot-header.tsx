import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { State, type StateKind } from '../../ui/page.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import classes from './bot-header.module.css';

const views = { edit: '/Bot/$id', chat: '/Bot/$id/Chat', embed: '/Bot/$id/chat_embed' } as const;
type View = keyof typeof views;

/** `Object.keys` knows only of texts. */
const viewNames = Object.keys(views) as View[];

interface Props {
  bot: { uuid: string; name: string; mark: number; avatar: { url: string } | null };
  /** Which of the views this is, where it is one of them: then the bot is what the page is about. */
  active?: View;
  canEdit: boolean;
  /** `label` in place of its own words. */
  state?: ReturnType<typeof stateOf> & { label?: string };
  actions?: ReactNode;
}

interface Published {
  published: object | null;
  changed: boolean;
}

/** Draft, live, or live with changes that nobody gets yet. */
export function stateOf({ published, changed }: Published): {
  name: 'draft' | 'changed' | 'published';
  kind: StateKind;
} {
  if (!published) return { name: 'draft', kind: 'draft' };
  return changed ? { name: 'changed', kind: 'warning' } : { name: 'published', kind: 'live' };
}

/** The head of a bot's pages: who it is, where one is, what can be done. */
export function BotHeader({ bot, active, canEdit, state, actions }: Props) {
  const { t } = useTranslation('bots');
  return (
    <Box
      component="header"
      px={{ base: 'xs', xs: 'md' }}
      mih={48}
      style={{ borderBottom: '1px solid var(--line)', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs" wrap="nowrap" miw={0} flex={1}>
          <ActionIcon
            component={Link}
            to="/Bot"
            variant="subtle"
            color="gray"
            aria-label={t('header.back')}
            className={classes['back'] ?? ''}
            // On a phone a page that is none of its views has a way back of its own.
            {...(!active && { visibleFrom: 'sm' })}
          >
            <IconArrowLeft size={18} />
          </ActionIcon>
          <Box flex="none" {...(active === 'edit' && { visibleFrom: 'xs' })}>
            <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={28} />
          </Box>
          <div className={classes['who']}>
            <Text component={active ? 'h1' : 'p'} fw={600} fz={14} m={0} truncate {...(active && pageTitle)}>
              {bot.name}
            </Text>
            {state && <State kind={state.kind}>{state.label ?? t(`state.${state.name}`)}</State>}
          </div>
          {canEdit && (
            <nav className={classes['views']} aria-label={t('header.tabs')}>
              {viewNames.map((view) => (
                <Link
                  key={view}
                  to={views[view]}
                  params={{ id: bot.uuid }}
                  activeOptions={{ exact: true, includeSearch: false }}
                >
                  {t(`header.${view}`)}
                </Link>
              ))}
            </nav>
          )}
        </Group>
        <Group gap="xs" wrap="nowrap">
          {actions}
        </Group>
      </Group>
    </Box>
  );
}
