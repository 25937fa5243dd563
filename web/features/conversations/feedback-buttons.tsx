import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react';
import { useState } from 'react';
import type { Message } from '../../../shared/contracts/conversations.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AnchoredPopover, keepsOpen } from '../../ui/anchored.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { later } from '../../ui/later.tsx';
import { toast } from '../../ui/toast.tsx';
import { useRate } from './conversations.queries.ts';

const ReasonForm = later(async () => (await import('./reason-form.tsx')).ReasonForm);

/** Thumbs are kept at once; whoever says no may add why. Pressed again, a thumb is taken back. */
export function FeedbackButtons({ thread, message }: { thread: string; message: Message }) {
  const { t } = useTranslation('conversations');
  const rate = useRate(thread, message);
  const [isAsking, setIsAsking] = useState(false);
  const rating = message.feedback?.rating;
  const press = (pressed: 'up' | 'down') => {
    const next = rating === pressed ? null : pressed;
    setIsAsking(next === 'down');
    rate.mutate({ rating: next }, { onError: (error) => toast.error(errorText(error)) });
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
          {...ReasonForm.reach}
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
              onFail={() => setIsAsking(false)}
              onSave={(given) =>
                rate.mutate(
                  { rating: 'down', ...given },
                  {
                    onSuccess() {
                      setIsAsking(false);
                      toast.success(t('feedback.thanks'));
                    },
                    onError: (error) => toast.error(errorText(error)),
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
