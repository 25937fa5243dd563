import { ActionIcon, Badge, Box, Button, Group, Text } from '@mantine/core';
import { IconArrowLeft, IconMessage, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { pageTitle } from '../../ui/page-title.ts';

interface Props {
  bot: { uuid: string; name: string; avatar: { url: string } | null };
  active: 'edit' | 'chat';
  canEdit: boolean;
  badge?: { text: string; color: string };
  actions?: ReactNode;
}

/** The head of a bot's pages: who it is, where one is, what can be done. */
export function BotHeader({ bot, active, canEdit, badge, actions }: Props) {
  const { t } = useTranslation('bots');
  return (
    <Box
      component="header"
      px={{ base: 'xs', xs: 'md' }}
      py={8}
      style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
    >
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs" wrap="nowrap" miw={0} flex={1}>
          <ActionIcon component={Link} to="/Bot" variant="subtle" color="gray" aria-label={t('header.back')}>
            <IconArrowLeft size={18} />
          </ActionIcon>
          <Box flex="none" {...(active === 'edit' && { visibleFrom: 'xs' })}>
            <Avatar id={bot.uuid} name={bot.name} url={bot.avatar?.url} size={32} />
          </Box>
          <Text component="h1" fw={650} fz="md" m={0} truncate {...pageTitle}>
            {bot.name}
          </Text>
          {badge && (
            <Badge variant="light" color={badge.color} style={{ flex: 'none' }} visibleFrom="xs">
              {badge.text}
            </Badge>
          )}
        </Group>
        <Group gap="xs" wrap="nowrap">
          {canEdit && (
            <Group component="nav" gap={2} wrap="nowrap" visibleFrom="xs" aria-label={t('header.tabs')}>
              {(['edit', 'chat'] as const).map((view) => (
                <Button
                  key={view}
                  component={Link}
                  to={view === 'edit' ? `/Bot/${bot.uuid}` : `/Bot/${bot.uuid}/Chat`}
                  size="compact-sm"
                  variant={view === active ? 'light' : 'subtle'}
                  color={view === active ? 'green' : 'gray'}
                  aria-current={view === active ? 'page' : undefined}
                >
                  {t(`header.${view}`)}
                </Button>
              ))}
            </Group>
          )}
          {canEdit && (
            <ActionIcon
              hiddenFrom="xs"
              component={Link}
              to={active === 'edit' ? `/Bot/${bot.uuid}/Chat` : `/Bot/${bot.uuid}`}
              variant="default"
              size={30}
              aria-label={t(active === 'edit' ? 'header.chat' : 'header.edit')}
            >
              {active === 'edit' ? <IconMessage size={16} /> : <IconPencil size={16} />}
            </ActionIcon>
          )}
          {actions}
        </Group>
      </Group>
    </Box>
  );
}
