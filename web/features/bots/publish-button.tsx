import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLink, IconRocket } from '@tabler/icons-react';
import { useState } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { later } from '../../ui/later.tsx';
import { usePublishBot } from './bots.queries.ts';
import type { SaveState } from './use-draft.ts';
import classes from './bots.module.css';

const Published = later(async () => (await import('./published.tsx')).Published);

export function PublishButton({ bot, state }: { bot: Bot; state: SaveState }) {
  const { t } = useTranslation('bots');
  const [isOpen, { open, close }] = useDisclosure();
  const [note, setNote] = useState('');
  const publish = usePublishBot(bot.uuid);
  const [isPublished, setIsPublished] = useState(false);
  const [isTooEarly, setIsTooEarly] = useState(false);
  // What is live is what one sees: there is only where to find it.
  const isUpToDate = !bot.changed;
  const isLive = isPublished || isUpToDate;
  const shut = () => {
    close();
    setIsPublished(false);
    setIsTooEarly(false);
  };
  return (
    <>
      <Button
        size="xs"
        className={classes['publish'] ?? ''}
        variant={isUpToDate ? 'default' : 'filled'}
        leftSection={isUpToDate ? <IconLink size={15} /> : <IconRocket size={15} />}
        onClick={open}
      >
        {t(isUpToDate ? 'publish.where' : 'publish.button')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={shut}
        title={t(isPublished ? 'publish.done' : isLive ? 'publish.live' : 'publish.title')}
        centered
      >
        {isLive ? (
          <Published bot={bot} onClose={shut} onFail={shut} />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setIsTooEarly(state !== 'saved');
              if (state !== 'saved') return;
              publish.mutate(note, {
                onSuccess: () => {
                  setNote('');
                  setIsPublished(true);
                },
              });
            }}
          >
            <Stack>
              <Text size="sm">{t('publish.text', { number: (bot.published?.number ?? 0) + 1 })}</Text>
              <TextInput
                label={t('publish.note')}
                description={t('publish.noteHint')}
                value={note}
                onChange={(event) => setNote(event.currentTarget.value)}
                maxLength={500}
                data-autofocus
                error={publish.error?.message}
              />
              <FormActions
                error={isTooEarly && state !== 'saved' ? t(`publish.${state}`) : undefined}
                submit={t('publish.button')}
                cancel={t('common:cancel')}
                isBusy={publish.isPending}
                onClose={shut}
              />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
