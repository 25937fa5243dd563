import '@mantine/core/styles/Chip.css';
import { Button, Chip, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { feedbackReasons, type Feedback, type Message } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AnchoredPopover, keepsOpen } from '../../ui/anchored.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.tsx';
import { useRate } from './conversations.queries.ts';

/** Thumbs are kept at once; whoever says no may add why. Pressed again, a thumb is taken back. */
export function FeedbackButtons({ thread, message }: { thread: string; message: Message }) {
  const { t } = useTranslation('conversations');
  const rate = useRate(thread, message);
  const [isAsking, setIsAsking] = useState(false);
  const rating = message.feedback?.rating;
  const press = (pressed: 'up' | 'down') => {
    const next = rating === pressed ? null : pressed;
    setIsAsking(next === 'down');
    rate.mutate({ rating: next }, { onError: (error) => toast.error(error.message) });
  };
  return (
    <>
      <IconButton label={t('feedback.up')} aria-pressed={rating === 'up'} onClick={() => press('up')}>
        {rating === 'up' ? <IconThumbUpFilled size={15} /> : <IconThumbUp size={15} />}
      </IconButton>
      <span style={{ position: 'relative' }}>
        <IconButton
          label={t('feedback.down')}
          aria-pressed={rating === 'down'}
          aria-expanded={isAsking}
          onClick={() => press('down')}
          {...keepsOpen}
        >
          {rating === 'down' ? <IconThumbDownFilled size={15} /> : <IconThumbDown size={15} />}
        </IconButton>
        {isAsking && (
          <AnchoredPopover
            label={t('feedback.why')}
            position="top"
            width={320}
            onChange={setIsAsking}
            trapFocus
            onFail={() => setIsAsking(false)}
          >
            <ReasonForm
              isSaving={rate.isPending}
              onSave={(given) =>
                rate.mutate(
                  { rating: 'down', ...given },
                  {
                    onSuccess() {
                      setIsAsking(false);
                      toast.success(t('feedback.thanks'));
                    },
                    onError: (error) => toast.error(error.message),
                  },
                )
              }
            />
          </AnchoredPopover>
        )}
      </span>
    </>
  );
}

function ReasonForm({
  isSaving,
  onSave,
}: {
  isSaving: boolean;
  onSave(given: { reasons: Feedback['reasons']; text: string }): void;
}) {
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
          {t('feedback.send')}
        </Button>
      </Stack>
    </form>
  );
}
