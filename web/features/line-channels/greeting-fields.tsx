import { ActionIcon, Button, Group, Stack, Textarea, VisuallyHidden } from '@mantine/core';
import { IconGripVertical, IconPlus, IconTrash, IconUser } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useOrder } from '../../ui/use-order.ts';
import classes from './line-channels.module.css';

export const nameMark = '{{name}}';
const most = 5;
const longest = 2000;

interface Props {
  rows: string[];
  onChange(rows: string[]): void;
  error(at: number): string | undefined;
}

/** What is said to new friends: bubbles in their order, each of several lines. */
export function GreetingFields({ rows, onChange, error }: Props) {
  const { t } = useTranslation('line-channels');
  const { list, told, handle } = useOrder(rows, {
    onChange,
    moved: (number) => t('settings.movedBubble', { number }),
  });
  const fields = useRef(new Map<number, HTMLTextAreaElement>());
  const insertName = (at: number) => {
    const field = fields.current.get(at);
    const text = rows[at] ?? '';
    const { selectionStart: from, selectionEnd: to } = field ?? {
      selectionStart: text.length,
      selectionEnd: text.length,
    };
    onChange(rows.with(at, text.slice(0, from) + nameMark + text.slice(to)));
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(from + nameMark.length, from + nameMark.length);
    });
  };
  return (
    <div>
      <p className={classes['text']}>{t('settings.greetingHint')}</p>
      <Stack gap={8} mt={8} ref={list} role="group" aria-label={t('settings.greeting')}>
        {rows.map((row, at) => (
          <div key={at} className={classes['bubbleRow']}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('settings.moveBubble', { number: at + 1 })}
              {...handle(at)}
            >
              <IconGripVertical size={16} />
            </ActionIcon>
            <div>
              <Textarea
                ref={(field) => {
                  if (field) fields.current.set(at, field);
                  return () => void fields.current.delete(at);
                }}
                value={row}
                maxLength={longest}
                autosize
                minRows={2}
                maxRows={10}
                aria-label={t('settings.bubble', { number: at + 1 })}
                error={error(at)}
                onChange={(event) => onChange(rows.with(at, event.currentTarget.value))}
              />
              <Button
                variant="subtle"
                size="xs"
                leftSection={<IconUser size={14} />}
                aria-label={t('settings.insertNameAt', { number: at + 1 })}
                onClick={() => insertName(at)}
              >
                {t('settings.insertName')}
              </Button>
            </div>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('settings.removeBubble', { number: at + 1 })}
              onClick={() => onChange(rows.toSpliced(at, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        ))}
      </Stack>
      <VisuallyHidden aria-live="polite">{told}</VisuallyHidden>
      {rows.length < most && (
        <Group mt={6}>
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...rows, ''])}
          >
            {t('settings.addBubble')}
          </Button>
        </Group>
      )}
    </div>
  );
}
