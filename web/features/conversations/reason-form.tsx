import '@mantine/core/styles/Chip.css';
import { Button, Chip, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { feedbackReasons, type Feedback } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';

interface Props {
  isSaving: boolean;
  onSave(given: { reasons: Feedback['reasons']; text: string }): void;
}

/** What was wrong with an answer. */
export function ReasonForm({ isSaving, onSave }: Props) {
  const { t } = useTranslation('conversations');
  const [chosen, setChosen] = useState<string[]>([]);
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ reasons: feedbackReasons.filter((reason) => chosen.includes(reason)), text });
      }}
    >
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {t('feedback.why')}
        </Text>
        <Chip.Group multiple value={chosen} onChange={setChosen}>
          <Group gap={6}>
            {feedbackReasons.map((reason) => (
              <Chip key={reason} value={reason} size="xs">
                {t(`feedback.reason.${reason}`)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Textarea
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={1000}
          autosize
          minRows={2}
          maxRows={6}
          aria-label={t('feedback.text')}
          placeholder={t('feedback.text')}
        />
        <Button type="submit" size="xs" loading={isSaving} disabled={chosen.length === 0 && text.trim() === ''}>
          {t('composer.send')}
        </Button>
      </Stack>
    </form>
  );
}
