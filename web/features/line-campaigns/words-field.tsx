import { ActionIcon, Button, Stack, Textarea } from '@mantine/core';
import { IconPlus, IconTrash, IconUser } from '@tabler/icons-react';
import { useRef } from 'react';
import { maxBubblesSaid, maxSaid, type LineBubble } from '../../../shared/line-content.ts';
import { useTranslation } from '../../lib/i18n.ts';
import type { ContentParts } from './content-parts.ts';
import classes from './line-campaigns.module.css';

const nameMark = '{{name}}';

const filledBubbles = (bubbles: LineBubble[]): LineBubble[] =>
  bubbles.filter((bubble) => bubble.type !== 'text' || bubble.text.trim() !== '');

/** Bubbles of words; what else was put there by the API stays. */
const WordsField: ContentParts['Field'] = ({ label, value, onChange, error }) => {
  const { t } = useTranslation('line-campaigns');
  return (
    <div>
      <Stack gap={8} role="group" aria-label={label}>
        {value.map((bubble, at) => {
          const number = at + 1;
          return (
            <div key={at} className={classes['bubble']}>
              {bubble.type === 'text' ? (
                <Words
                  text={bubble.text}
                  number={number}
                  error={error(`${at}.text`)}
                  onChange={(text) => onChange(value.with(at, { type: 'text', text }))}
                />
              ) : (
                <p>{t('content.other')}</p>
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('content.remove', { number })}
                onClick={() => onChange(value.toSpliced(at, 1))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
          );
        })}
      </Stack>
      {value.length < maxBubblesSaid && (
        <Button
          variant="subtle"
          size="xs"
          mt={6}
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...value, { type: 'text', text: '' }])}
        >
          {t('content.add')}
        </Button>
      )}
    </div>
  );
};

interface WordsProps {
  text: string;
  number: number;
  error: string | undefined;
  onChange(text: string): void;
}

function Words({ text, number, error, onChange }: WordsProps) {
  const { t } = useTranslation('line-campaigns');
  const field = useRef<HTMLTextAreaElement>(null);
  const insertName = () => {
    const { selectionStart: from, selectionEnd: to } = field.current ?? {
      selectionStart: text.length,
      selectionEnd: text.length,
    };
    onChange(text.slice(0, from) + nameMark + text.slice(to));
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + nameMark.length, from + nameMark.length);
    });
  };
  return (
    <div>
      <Textarea
        ref={field}
        value={text}
        maxLength={maxSaid}
        autosize
        minRows={2}
        maxRows={10}
        aria-label={t('content.bubble', { number })}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconUser size={14} />}
        aria-label={t('content.insertNameAt', { number })}
        onClick={insertName}
      >
        {t('content.insertName')}
      </Button>
    </div>
  );
}

/** The same as a friend sees it. */
const WordsPreview: ContentParts['Preview'] = ({ name, value, empty }) => {
  const { t } = useTranslation('line-campaigns');
  const bubbles = filledBubbles(value);
  return (
    <div className={classes['phone']}>
      <p>{name}</p>
      <div>
        {bubbles.length === 0 ? (
          <small>{empty}</small>
        ) : (
          bubbles.map((bubble, at) => (
            <span key={at}>
              {bubble.type === 'text' ? bubble.text.replaceAll(nameMark, t('content.someone')) : t('content.other')}
            </span>
          ))
        )}
      </div>
    </div>
  );
};

export const words: ContentParts = { Field: WordsField, Preview: WordsPreview, filled: filledBubbles };
