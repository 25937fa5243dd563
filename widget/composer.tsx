import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Attachment } from '../shared/contracts/conversations.ts';
import { errorText } from './api.ts';
import type { Attempt } from './chat.tsx';
import { useConversation, useWidget } from './context.ts';
import { useFocus } from './focus.ts';
import { Icon } from './icons.tsx';

interface Upload {
  id: number;
  name: string;
  /** From 0 to 1. */
  share: number;
  done?: Attachment;
  problem?: string;
  abort: AbortController;
}

const longest = 8000;
const mostFiles = 5;
/** How long the team reads "is writing" after the last letter. */
const typingMs = 4000;
let lastId = 0;

export function Composer({ attempt }: { attempt: Attempt }) {
  const { conversation, setting, say } = useWidget();
  const { messages } = useConversation();
  const [text, setText] = useState(conversation.draft);
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [isOver, setIsOver] = useState(false);
  const [hint, setHint] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isAnswering = messages.some(({ status }) => status === 'pending' || status === 'streaming');
  const takes = setting.shown.upload;

  useFocus(field);
  useEffect(() => () => clearTimeout(typing.current), []);
  useLayoutEffect(() => {
    const measure = () => {
      const box = field.current;
      if (!box) return;
      box.style.height = 'auto';
      box.style.height = `${box.scrollHeight}px`;
    };
    measure();
    // A frame that is hidden has no size, and nothing in it has one.
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [text]);
  useEffect(() => {
    if (!takes) return undefined;
    const over = (event: DragEvent) => {
      event.preventDefault();
      setIsOver(event.type === 'dragover');
      if (event.type === 'drop') add(event.dataTransfer?.files);
    };
    const names = ['dragover', 'dragleave', 'drop'] as const;
    for (const name of names) window.addEventListener(name, over);
    return () => names.forEach((name) => window.removeEventListener(name, over));
  });

  const tellTyping = (isTyping: boolean) => {
    if (isTyping !== (typing.current !== undefined)) conversation.type(isTyping);
    clearTimeout(typing.current);
    typing.current = isTyping ? setTimeout(() => tellTyping(false), typingMs) : undefined;
  };

  const patch = (id: number, more: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...more } : each)));

  function add(files: FileList | null | undefined): void {
    const given = [...(files ?? [])];
    const free = mostFiles - uploads.length;
    setHint(given.length > free ? say('tooManyFiles', { most: mostFiles }) : '');
    for (const file of given.slice(0, free)) {
      const entry: Upload = { id: ++lastId, name: file.name || say('attach'), share: 0, abort: new AbortController() };
      setUploads((all) => [...all, entry]);
      conversation
        .upload(file, (share) => patch(entry.id, { share }), entry.abort.signal)
        .then(
          ([done]) => patch(entry.id, { share: 1, ...(done && { done }) }),
          (error) => patch(entry.id, { problem: errorText(error) || say('notSent') }),
        );
    }
  }

  const ready = uploads.flatMap(({ done }) => done ?? []);
  const written = text.trim();
  const isUnready = uploads.some(({ done, problem }) => !done && !problem) || (!written && ready.length === 0);

  function write(next: string): void {
    setText(next);
    conversation.keepDraft(next);
  }

  function send(): void {
    field.current?.focus();
    if (isUnready) return;
    tellTyping(false);
    conversation.send(written, ready);
    write('');
    setUploads([]);
    setHint('');
  }

  return (
    <form
      className="composer"
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isOver && <p className="hint">{say('drop')}</p>}
      {hint && (
        <p className="hint" role="status">
          {hint}
        </p>
      )}
      {uploads.length > 0 && (
        <ul className="uploads">
          {uploads.map(({ id, name, share, done, problem, abort }) => (
            <li key={id} data-bad={problem ? true : undefined}>
              <Icon name="file" />
              <span>
                {name}
                {problem && <small role="alert">{problem}</small>}
              </span>
              {!done && !problem && <progress value={share} aria-label={say('uploading', { name })} />}
              <button
                type="button"
                className="bare"
                aria-label={say('remove', { name })}
                onClick={() => {
                  abort.abort();
                  setUploads((all) => all.filter((each) => each.id !== id));
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="field">
        {takes && (
          <>
            <button type="button" className="bare" aria-label={say('attach')} onClick={() => picker.current?.click()}>
              <Icon name="clip" />
            </button>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              onChange={({ currentTarget }) => {
                add(currentTarget.files);
                currentTarget.value = '';
              }}
            />
          </>
        )}
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          maxLength={longest}
          value={text}
          placeholder={say('placeholder')}
          aria-label={say('placeholder')}
          enterKeyHint="send"
          onChange={({ currentTarget }) => {
            write(currentTarget.value);
            setHint(currentTarget.value.length >= longest ? say('tooLong', { most: longest }) : '');
            tellTyping(currentTarget.value !== '');
          }}
          onPaste={(event) => {
            if (!takes || !event.clipboardData.files.length) return;
            event.preventDefault();
            add(event.clipboardData.files);
          }}
          onKeyDown={(event) => {
            // The Enter that ends a conversion in an input method sends nothing; Safari tells it by 229 alone.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
              return;
            event.preventDefault();
            send();
          }}
        />
        {isAnswering && !text ? (
          <button type="button" className="send" aria-label={say('stop')} onClick={() => attempt(conversation.stop())}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" className="send" aria-label={say('send')} aria-disabled={isUnready}>
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}
