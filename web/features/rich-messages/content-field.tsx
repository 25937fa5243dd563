import { ActionIcon, Button, Stack, Textarea, VisuallyHidden } from '@mantine/core';
import {
  IconGripVertical,
  IconLayoutCards,
  IconMessage,
  IconPencil,
  IconPhoto,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { blanksIn, type LineBubble } from '../../../shared/line-content.ts';
import { maxBubblesSaid, maxSaid, picturesOf } from '../../../shared/rich-line.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { useOrder } from '../../ui/use-order.ts';
import { nameMark } from '../../../shared/addressed.ts';
import { filledBubbles } from './bubbles.ts';
import { lineOf } from './draft.ts';
import { LinePreview } from './line-preview.tsx';
import { PictureField } from './picture-field.tsx';
import classes from './rich-messages.module.css';
import { useRichMessage } from './rich-messages.queries.ts';
import { RichDialog } from './rich-picker.tsx';

interface Props {
  label: string;
  value: LineBubble[];
  onChange(bubbles: LineBubble[]): void;
  /** Of a place such as `1.message`. */
  error(path: string): string | undefined;
  /** All get the same, so that nobody is called by name. */
  isNameless?: boolean;
}

/** What is said on LINE: up to five bubbles in their order, each words, a rich message or a picture. */
export function ContentField({ label, value, onChange, error, isNameless = false }: Props) {
  const { t } = useTranslation('rich-messages');
  const { list, told, handle } = useOrder(value, {
    onChange,
    moved: (number) => t('content.moved', { number }),
  });
  const keys = useKeys(value);
  const [isChoosing, setIsChoosing] = useState(false);
  const add = (bubble: LineBubble) => {
    onChange([...value, bubble]);
    // What was chosen to be written is written next.
    if (bubble.type === 'text')
      requestAnimationFrame(() => list.current?.lastElementChild?.querySelector('textarea')?.focus());
  };
  return (
    <div>
      <Stack gap={8} ref={list} role="group" aria-label={label}>
        {value.map((bubble, at) => {
          const number = at + 1;
          return (
            <div key={keys[at]} className={classes['bubbleRow']} data-only={value.length === 1 || undefined}>
              {value.length > 1 && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t('content.move', { number })}
                  {...handle(at)}
                >
                  <IconGripVertical size={16} />
                </ActionIcon>
              )}
              {bubble.type === 'text' ? (
                <WordsBubble
                  text={bubble.text}
                  number={number}
                  onChange={(text) => onChange(value.with(at, { type: 'text', text }))}
                  error={error(`${at}.text`) ?? error(`${at}`)}
                  isNameless={isNameless}
                />
              ) : bubble.type === 'rich' ? (
                <RichBubble uuid={bubble.message} error={error(`${at}.message`) ?? error(`${at}`)} />
              ) : (
                <PictureField
                  label={t('content.picture', { number })}
                  picture={bubble.file ? { uuid: bubble.file } : null}
                  onChange={({ uuid }) => onChange(value.with(at, { type: 'image', file: uuid }))}
                  error={error(`${at}.file`) ?? error(`${at}`)}
                />
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
      <VisuallyHidden aria-live="polite">{told}</VisuallyHidden>
      {value.length < maxBubblesSaid && (
        <div className={classes['adds']} data-first={value.length === 0 || undefined}>
          {value.length > 0 && <span>{t('content.add')}</span>}
          <Button
            variant="default"
            size="xs"
            leftSection={<IconMessage size={16} />}
            onClick={() => add({ type: 'text', text: '' })}
          >
            {t('content.addText')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconLayoutCards size={16} />}
            onClick={() => setIsChoosing(true)}
          >
            {t('content.addRich')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPhoto size={16} />}
            onClick={() => add({ type: 'image', file: '' })}
          >
            {t('content.addPicture')}
          </Button>
        </div>
      )}
      {isChoosing && (
        <RichDialog
          title={t('content.addRich')}
          choose={t('picker.take')}
          onChoose={({ uuid }) => {
            add({ type: 'rich', message: uuid });
            setIsChoosing(false);
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  );
}

interface WordsProps {
  text: string;
  number: number;
  onChange(text: string): void;
  error: string | undefined;
  isNameless: boolean;
}

function WordsBubble({ text, number, onChange, error, isNameless }: WordsProps) {
  const { t } = useTranslation('rich-messages');
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
  const blanks = blanksIn(text);
  const show = ({ said, from }: (typeof blanks)[number]) => {
    field.current?.focus();
    field.current?.setSelectionRange(from, from + said.length + 4);
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
        label={t('content.bubble', { number })}
        placeholder={t('content.placeholder')}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={classes['wordsFoot']}>
        {!isNameless && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconUser size={14} />}
            aria-label={t('content.insertNameAt', { number })}
            onClick={insertName}
          >
            {t('content.insertName')}
          </Button>
        )}
        <small>{`${formatNumber(text.length)} / ${formatNumber(maxSaid)}`}</small>
      </div>
      {blanks.length > 0 && (
        <div className={classes['blanks']} role="status">
          <span className={classes['blank']}>{t('content.blank')}</span>
          {blanks.map((blank) => (
            <Button key={blank.from} variant="default" size="xs" onClick={() => show(blank)}>
              {blank.said}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function RichBubble({ uuid, error }: { uuid: string; error: string | undefined }) {
  const { t } = useTranslation('rich-messages');
  const { id } = useParams({ strict: false });
  const mayChange = useMay('edit');
  const message = useRichMessage(uuid);
  const [picture] = message.data ? picturesOf(message.data.draft) : [];
  return (
    <div className={classes['richRow']}>
      {picture && <img src={`/line/image/${picture.uuid}/240`} alt="" />}
      <span>
        <b>{message.data?.name ?? (message.isError ? t('content.gone') : '…')}</b>
        {message.data && <small>{[t('content.addRich'), t(`kinds.${message.data.kind}`)].join(t('common:dot'))}</small>}
      </span>
      {message.data && id && mayChange && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t('content.edit', { name: message.data.name })}
          title={t('content.edit', { name: message.data.name })}
          renderRoot={(props) => (
            <Link {...props} to="/Line-Channel/$id/Message/$message" params={{ id, message: uuid }} />
          )}
        >
          <IconPencil size={16} />
        </ActionIcon>
      )}
      {error && (
        <p className={classes['problem']} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The same as a friend sees it. */
export function ContentPreview({ name, value, empty }: { name: string; value: LineBubble[]; empty: string }) {
  const bubbles = filledBubbles(value);
  return (
    <div className={classes['phone']} data-chat>
      <p>{name}</p>
      <div data-initial={[...name][0]}>
        {bubbles.length === 0 ? (
          <small>{empty}</small>
        ) : (
          bubbles.map((bubble, at) => <Bubble key={at} bubble={bubble} />)
        )}
      </div>
    </div>
  );
}

function Bubble({ bubble }: { bubble: LineBubble }) {
  const { t } = useTranslation('rich-messages');
  const rich = useRichMessage(bubble.type === 'rich' ? bubble.message : null);
  const label = t('preview.label');
  if (bubble.type === 'text') return <LinePreview line={bubble} label={bubble.text} />;
  if (bubble.type === 'image')
    return <LinePreview line={{ type: 'image', originalContentUrl: `/line/image/${bubble.file}/460` }} label={label} />;
  return rich.data ? <LinePreview line={lineOf(rich.data.draft)} label={rich.data.draft.alt} /> : null;
}
