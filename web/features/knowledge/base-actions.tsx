import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconMessageChatbot, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatList } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './knowledge.module.css';
import { ReindexDialog } from './reindex-dialog.tsx';
import { useBotFrom, useExportBase, useRemoveKnowledge, useRestoreKnowledge } from './knowledge.queries.ts';

const fail = (error: unknown) => toast.error(errorText(error));

/** Makes a bot that answers from the base, and opens its conversation. */
export function useOpenBotFrom(base: Pick<Knowledge, 'uuid' | 'name'>) {
  const navigate = useNavigate();
  const create = useBotFrom();
  return {
    isPending: create.isPending,
    open: () =>
      create.mutate(base, { onError: fail, onSuccess: ({ uuid }) => void navigate({ to: `/Bot/${uuid}/Chat` }) }),
  };
}

/** What can be done with a base. A dialog names the bots that answer from it before it goes. */
export function BaseMenu({ base, onRemoved }: { base: Knowledge; onRemoved?: () => void }) {
  const { t } = useTranslation('knowledge');
  const remove = useRemoveKnowledge();
  const restore = useRestoreKnowledge();
  const bot = useOpenBotFrom(base);
  const save = useExportBase();
  const [isAsking, setIsAsking] = useState(false);
  const [isReindexing, setIsReindexing] = useState(false);
  if (!useMay('edit')) return null;
  const { uuid, name, bots } = base;
  const onRemove = () =>
    void remove.mutateAsync(uuid).then(() => {
      setIsAsking(false);
      toast.undo(t('common:trashed', { name }), t('common:undo'), () => restore.mutate(uuid, { onError: fail }));
      onRemoved?.();
    }, fail);
  return (
    <span className={`${classes['menu']} ${classes['above']}`}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('common:menuOf', { name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconMessageChatbot size={16} />} onClick={bot.open} disabled={bot.isPending}>
            {t('base.createBot')}
          </Menu.Item>
          {base.documentCount > 0 && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => setIsReindexing(true)}>
              {t('settings.reindexAll')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconDownload size={16} />}
            onClick={() => save.mutate(base, { onError: fail })}
            disabled={save.isPending}
          >
            {t('base.export')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => setIsAsking(true)}>
            {t('common:delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ReindexDialog base={base} opened={isReindexing} onClose={() => setIsReindexing(false)} />
      <ConfirmDialog
        opened={isAsking}
        title={t('base.removeTitle', { name })}
        text={
          bots.length > 0
            ? t('base.usedBy', { count: bots.length, bots: formatList(bots.map((each) => each.name)) })
            : t('base.removeText')
        }
        confirm={t('common:delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onConfirm={onRemove}
        onClose={() => setIsAsking(false)}
      />
    </span>
  );
}
