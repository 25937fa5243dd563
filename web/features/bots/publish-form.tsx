import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { useChannels, usePublishBot } from './bots.queries.ts';
import type { SaveState } from './use-draft.ts';

interface Props {
  bot: { uuid: string; published: { number: number } | null };
  state: SaveState;
  onPublished(): void;
  onClose(): void;
}

export function PublishForm({ bot, state, onPublished, onClose }: Props) {
  const { t } = useTranslation('bots-publish', 'bots');
  const [note, setNote] = useState('');
  const [isTooEarly, setIsTooEarly] = useState(false);
  const publish = usePublishBot(bot.uuid);
  const sites = useChannels()
    .data?.filter((each) => each.active && each.bot?.uuid === bot.uuid)
    .map(({ name }) => name);
  const number = (bot.published?.number ?? 0) + 1;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setIsTooEarly(state !== 'saved');
        if (state === 'saved') publish.mutate(note, { onSuccess: onPublished });
      }}
    >
      <Stack>
        <Text size="sm">
          {sites?.length ? t('textSites', { number, sites: sites.join(t('common:comma')) }) : t('text', { number })}
        </Text>
        <TextInput
          label={t('note')}
          description={t('noteHint')}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={500}
          data-autofocus
          error={problemOf(publish.error)}
        />
        <FormActions
          error={isTooEarly && state !== 'saved' ? t(state) : undefined}
          submit={t('bots:publish.button')}
          cancel={t('common:cancel')}
          isBusy={publish.isPending}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
