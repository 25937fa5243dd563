import { ActionIcon, Button, Card, Group, Menu, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDots, IconDownload, IconEdit, IconFolder, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Bot, BotGroup } from '../../../shared/contracts/bots.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { State } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { stateOf } from './bot-header.tsx';
import classes from './bots.module.css';
import { useDuplicateBot, useExportBot, useRemoveBot, useRestoreBot } from './bots.queries.ts';

interface Props {
  bot: Bot;
  groups: BotGroup[];
  /** What one drags it by. */
  handle?: ReactNode;
  onMove(botgroup: string | null): void;
}

export function BotCard({ bot, groups, handle, onMove }: Props) {
  const { t } = useTranslation('bots');
  const duplicate = useDuplicateBot();
  const remove = useRemoveBot();
  const restore = useRestoreBot();
  const save = useExportBot();
  const canEdit = useMay('edit');
  const fail = (error: Error) => toast.error(error.message);
  const onRemove = () =>
    remove.mutate(bot.uuid, {
      onError: fail,
      onSuccess: () =>
        toast.undo(t('common:trashed', { name: bot.name }), t('common:undo'), () =>
          restore.mutate(bot.uuid, { onError: fail }),
        ),
    });
  const state = stateOf(bot);
  return (
    <Card withBorder padding="md" component="article" aria-label={bot.name} className={classes['card']}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
        <Group wrap="nowrap" gap="sm" miw={0} style={{ flex: 1 }}>
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={44} />
          <div style={{ minWidth: 0 }}>
            <Text fw={600} lineClamp={2} title={bot.name} style={{ overflowWrap: 'anywhere' }}>
              <Link to="/Bot/$id/Chat" params={{ id: bot.uuid }} className={classes['cardLink']}>
                {bot.name}
              </Link>
            </Text>
            <Text size="xs" c="dimmed" title={formatMoment(bot.updatedAt)}>
              {formatAgo(bot.updatedAt)}
            </Text>
          </div>
        </Group>
        {handle}
        {canEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                className={classes['above']}
                aria-label={t('common:menuOf', { name: bot.name })}
              >
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
              <Menu.Item leftSection={<IconEdit size={15} />} component={Link} to={`/Bot/${bot.uuid}`}>
                {t('common:edit')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconCopy size={15} />}
                onClick={() =>
                  duplicate.mutate(bot.uuid, {
                    onError: fail,
                    onSuccess: (copy) => toast.success(t('list.duplicated', { name: copy.name })),
                  })
                }
              >
                {t('list.duplicate')}
              </Menu.Item>
              <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => save.mutate(bot, { onError: fail })}>
                {t('list.export')}
              </Menu.Item>
              {groups.length > 0 && (
                <>
                  <Menu.Divider />
                  <Menu.Label>{t('groups.move')}</Menu.Label>
                  {[...groups, undefined].map((group) => {
                    const isHere = bot.botgroup === (group?.uuid ?? null);
                    return (
                      <Menu.Item
                        key={group?.uuid ?? ''}
                        leftSection={
                          isHere ? (
                            <IconCheck size={15} />
                          ) : (
                            <IconFolder size={15} color={group && `var(--mantine-color-${group.color}-6)`} />
                          )
                        }
                        disabled={isHere}
                        onClick={() => onMove(group?.uuid ?? null)}
                      >
                        {group?.name ?? t('groups.none')}
                      </Menu.Item>
                    );
                  })}
                </>
              )}
              <Menu.Divider />
              <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={onRemove}>
                {t('common:delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt="sm" lineClamp={2} mih={44}>
        {bot.description || t('list.noDescription')}
      </Text>
      <Group mt="sm" justify="space-between" gap="xs">
        <State kind={state.kind}>{t(`state.${state.name}`)}</State>
        {canEdit && (
          <Button
            size="compact-sm"
            variant="default"
            component={Link}
            to={`/Bot/${bot.uuid}`}
            className={classes['above']}
            ml="auto"
          >
            {t('common:edit')}
          </Button>
        )}
      </Group>
    </Card>
  );
}
