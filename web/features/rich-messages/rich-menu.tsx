import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconDownload, IconPencil, IconSpeakerphone, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { RichMessage } from '../../../shared/contracts/rich-messages.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './rich-messages.module.css';
import { readLineJson, useCopyRich, useRemoveRich } from './rich-messages.queries.ts';

interface Props {
  message: RichMessage;
  /** Where it can be edited, unless this is the place: then it is the menu of the page. */
  editAt?: string;
  /** Asks for another name. */
  onRename?: (() => void) | undefined;
  /** Begins a broadcast that says it. */
  onBroadcast?: (() => void) | undefined;
  onCopied(uuid: string): void;
  onRemoved?: () => void;
}

/** What can be done with a rich message as a whole. */
export function RichMenu({ message: { uuid, name }, editAt, onRename, onBroadcast, onCopied, onRemoved }: Props) {
  const { t } = useTranslation('rich-messages');
  const [isAsked, setIsAsked] = useState(false);
  const copy = useCopyRich();
  const remove = useRemoveRich();
  const fail = (error: unknown) => toast.error(errorText(error));
  const save = async () => {
    const json = new TextEncoder().encode(JSON.stringify(await readLineJson(uuid), null, 2));
    saveFile(json.buffer, { name: `${name}.json`, type: 'application/json' });
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            {...(editAt === undefined ? { variant: 'default' } : { variant: 'subtle', color: 'gray' })}
            size={30}
            className={classes['menu'] ?? ''}
            aria-label={editAt === undefined ? t('menu.label') : t('common:menuOf', { name })}
            title={editAt === undefined ? t('menu.label') : undefined}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {editAt !== undefined && (
            <Menu.Item component={Link} to={editAt} leftSection={<IconPencil size={16} />}>
              {t('common:edit')}
            </Menu.Item>
          )}
          {onRename && (
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
              {t('editor.rename')}
            </Menu.Item>
          )}
          {onBroadcast && (
            <Menu.Item leftSection={<IconSpeakerphone size={16} />} onClick={onBroadcast}>
              {t('ways.broadcast')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() =>
              copy.mutate(
                { uuid, name: t('menu.copyOf', { name }).slice(0, 80).toWellFormed() },
                { onSuccess: (made) => onCopied(made.uuid), onError: fail },
              )
            }
          >
            {t('menu.copy')}
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => void save().catch(fail)}>
            {t('menu.export')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => setIsAsked(true)}>
            {t('menu.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isAsked}
        title={t('remove.title', { name })}
        text={t('remove.text')}
        confirm={t('menu.remove')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onConfirm={() =>
          remove.mutate(uuid, {
            onSuccess: () => {
              setIsAsked(false);
              toast.success(t('remove.done', { name }));
              onRemoved?.();
            },
            onError: (error) => {
              setIsAsked(false);
              fail(error);
            },
          })
        }
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
