import { ActionIcon, FileButton, Group, Text, Textarea } from '@mantine/core';
import { IconArrowUp, IconPaperclip, IconPlayerStopFilled } from '@tabler/icons-react';
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import { textFormats } from '../../../shared/formats.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { isComposing } from '../../ui/keyboard.ts';
import { later } from '../../ui/later.tsx';
import type { useAttachments } from './use-attachments.ts';
import classes from './conversations.module.css';

const UploadTray = later(async () => (await import('./upload-tray.tsx')).UploadTray);

const longest = 8000;
/** From here on it is told how much room is left. */
const long = longest - 500;
const segmenter = new Intl.Segmenter();
const endings = Object.keys(textFormats)
  .map((extension) => `.${extension}`)
  .join();

interface Props {
  text: string;
  attachments: ReturnType<typeof useAttachments>;
  takesImages: boolean;
  placeholder: string;
  isAnswering: boolean;
  isStopping: boolean;
  onText(text: string): void;
  onSend(): void;
  onStop(): void;
  /** The arrow up in an empty field. */
  onEditLast(): void;
  /** Takes the focus when this changes, where there is a keyboard to type on. */
  focusOn?: string | undefined;
}

/** Enter sends, Shift-Enter makes a line, and the Enter that ends a Japanese composition does neither. */
export function Composer({
  text,
  attachments,
  takesImages,
  placeholder,
  isAnswering,
  isStopping,
  onText,
  onSend,
  onStop,
  onEditLast,
  focusOn,
}: Props) {
  const { t } = useTranslation('conversations');
  const { uploads, add, remove, retry } = attachments;
  const reset = useRef<() => void>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const length = text.length > long ? [...segmenter.segment(text)].length : text.length;
  const failed = uploads.find(({ state }) => state === 'failed');
  const sending = uploads.filter(({ state }) => state === 'sending').length;
  const waits = failed
    ? t('composer.waitsFailed', { name: failed.name })
    : sending > 0
      ? t('composer.waitsSending', { count: sending })
      : undefined;
  const isWritten = text.trim() !== '' && length <= longest && !isAnswering;
  const isReady = isWritten && waits === undefined;

  useEffect(() => {
    if (focusOn !== undefined && window.matchMedia('(hover: hover)').matches)
      field.current?.focus({ preventScroll: true });
  }, [focusOn]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    if (event.key === 'ArrowUp' && text === '' && !isAnswering) {
      event.preventDefault();
      onEditLast();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    if (isReady) onSend();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  };

  return (
    <div className={classes['composer']} data-hidden-under-sheet>
      <div className={classes['column']} style={{ paddingBlock: 10 }}>
        {uploads.length > 0 && (
          <UploadTray
            uploads={uploads}
            onRemove={remove}
            onRetry={retry}
            onFail={() => uploads.forEach(({ id }) => remove(id))}
          />
        )}
        {waits && (
          <p id="composer-waits" className={classes['waits']} role="status">
            {waits}
          </p>
        )}
        <Group gap={6} align="flex-end" wrap="nowrap">
          <FileButton
            onChange={(files) => {
              add(files);
              reset.current?.(); // so that the same file can be chosen again
            }}
            resetRef={reset}
            multiple
            {...(!takesImages && { accept: endings })}
            inputProps={{ 'aria-label': t('attach.add') }}
          >
            {(props) => (
              <ActionIcon
                {...props}
                size={38}
                radius="xl"
                variant="subtle"
                color="gray"
                aria-label={t('attach.add')}
                title={t(takesImages ? 'attach.hintPictures' : 'attach.hint')}
              >
                <IconPaperclip size={20} />
              </ActionIcon>
            )}
          </FileButton>
          <Textarea
            ref={field}
            data-composer
            aria-label={t('composer.label')}
            placeholder={placeholder}
            value={text}
            onChange={(event) => onText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            autosize
            minRows={1}
            maxRows={8}
            radius="lg"
            style={{ flex: 1 }}
            styles={{ input: { fontSize: 16 } }}
            enterKeyHint="send"
            error={length > longest || undefined}
            aria-describedby={length > long ? 'composer-length' : undefined}
          />
          {isAnswering ? (
            <ActionIcon
              size={38}
              radius="xl"
              variant="filled"
              color="gray.7"
              onClick={onStop}
              loading={isStopping}
              aria-label={t('composer.stop')}
            >
              <IconPlayerStopFilled size={18} />
            </ActionIcon>
          ) : (
            <ActionIcon
              size={38}
              radius="xl"
              variant="filled"
              onClick={() => isReady && onSend()}
              disabled={!isWritten}
              aria-label={t('composer.send')}
              {...(waits && {
                'aria-disabled': true,
                'aria-describedby': 'composer-waits',
                'data-disabled': true,
                title: waits,
              })}
            >
              <IconArrowUp size={20} />
            </ActionIcon>
          )}
        </Group>
        {length > long && (
          <Text
            id="composer-length"
            size="xs"
            ta="end"
            mt={4}
            c={length > longest ? 'red' : 'dimmed'}
            aria-live="polite"
          >
            {t('composer.length', { length: formatNumber(length), longest: formatNumber(longest) })}
          </Text>
        )}
      </div>
    </div>
  );
}
