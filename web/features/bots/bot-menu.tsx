import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconCopy, IconDots, IconDownload, IconEdit, IconFolder, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Bot, BotGroup } from '../../../shared/contracts/bots.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toast } from '../../ui/toast.tsx';
import classes from './bot-list.module.css';
import { useDuplicateBot, useExportBot, useRemoveBot, useRestoreBot } from './bots.queries.ts';

interface Props {
  bot: Bot;
  groups: BotGroup[];
  onMove(botgroup: string | null): void;
}

/** What an editor can do with a bot from a list. */
export function BotMenu({ bot, groups, onMove }: Props) {
  const { t } = useTranslation('bots-list');
  const duplicate = useDuplicateBot();
  const remove = useRemoveBot();
  const restore = useRestoreBot();
  const save = useExportBot();
  const fail = (error: unknown) => toast.error(errorText(error));
  const onRemove = () =>
    remove.mutate(bot.uuid, {
      onError: fail,
      onSuccess: () =>
        toast.undo(t('common:trashed', { name: bot.name }), t('common:undo'), () =>
          restore.mutate(bot.uuid, { onError: fail }),
        ),
    });
  return (
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
  );
}
