import { ActionIcon, Group, Textarea } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isComposing } from '../../ui/keyboard.ts';
import classes from './conversations.module.css';

const longest = 8000;

interface Props {
  isAnswering: boolean;
  onSend(text: string): void;
  onStop(): void;
  autoFocus?: boolean;
}

/** Enter sends, Shift-Enter makes a line, and the Enter that ends a Japanese composition does neither. */
export function Composer({ isAnswering, onSend, onStop, autoFocus = false }: Props) {
  const { t } = useTranslation('conversations');
  const [text, setText] = useState('');
  const isReady = text.trim() !== '' && !isAnswering;

  const send = () => {
    if (!isReady) return;
    onSend(text.trim());
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    send();
  };

  return (
    <div className={classes['composer']}>
      <Group className={classes['column']} gap="xs" align="flex-end" wrap="nowrap" py="sm">
        <Textarea aria-label={t('composer.label')} placeholder={t('composer.placeholder')} value={text} onChange={(event) => setText(event.currentTarget.value)} onKeyDown={onKeyDown} autosize minRows={1} maxRows={8} maxLength={longest} radius="lg" style={{ flex: 1 }} data-autofocus={autoFocus || undefined} />
        {isAnswering ? (
          <ActionIcon size={36} radius="xl" variant="filled" color="gray" onClick={onStop} aria-label={t('composer.stop')}>
            <IconPlayerStopFilled size={18} />
          </ActionIcon>
        ) : (
          <ActionIcon size={36} radius="xl" variant="filled" onClick={send} disabled={!isReady} aria-label={t('composer.send')}>
            <IconArrowUp size={20} />
          </ActionIcon>
        )}
      </Group>
    </div>
  );
}
