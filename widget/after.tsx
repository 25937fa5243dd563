/** What a chat needs once something was said in it; comes with the first message. */
import { memo, useEffect, useRef, useState, type FormEvent } from 'react';
import type { Attachment } from '../shared/contracts/conversations.ts';
import { visitors, type VisitorMessage } from '../shared/contracts/visitors.ts';
import { errorText } from './api.ts';
import type { Attempt } from './chat.tsx';
import { useConversation, useWidget } from './context.ts';
import { hasAnswered, type Source } from './conversation.ts';
import { Icon } from './icons.tsx';
import { useKeys } from './keys.ts';
import type { Language } from './language.ts';
import { isMail } from '../shared/mail.ts';
import './after.css';

/** What an answer is taken from. */
export function Sources({ all, onOpen }: { all: Source[]; onOpen(source: Source): void }) {
  const { say } = useWidget();
  return (
    <div className="sources" role="group" aria-label={say('sources')}>
      {all.map((each) => (
        <button type="button" key={each.number} onClick={() => onOpen(each)}>
          <b>{each.number}</b> <span>{each.document}</span>
        </button>
      ))}
    </div>
  );
}

/** Whether an answer helped, and what it lacked. */
export function Rating({ message }: { message: VisitorMessage }) {
  const { conversation, say } = useWidget();
  const [isThanked, setIsThanked] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const { rating } = message;
  return (
    <>
      {(['up', 'down'] as const).map((each) => (
        <button
          type="button"
          key={each}
          className="bare"
          aria-label={say(each === 'up' ? 'helpful' : 'notHelpful')}
          aria-pressed={rating === each}
          onClick={() => {
            setIsMissing(rating !== each && each === 'down');
            setIsThanked(rating !== each);
            void conversation.rate(message, rating === each ? null : each);
          }}
        >
          <Icon name={each === 'up' ? 'good' : 'bad'} />
        </button>
      ))}
      {isThanked && (
        <span className="thanks" role="status">
          {say('thanks')}
        </span>
      )}
      {isMissing && (
        <Line
          label={say('missing')}
          most={1000}
          onSend={async (text) => {
            await conversation.rate(message, 'down', text);
            setIsMissing(false);
          }}
        />
      )}
    </>
  );
}

interface LineProps {
  label: string;
  type?: 'email';
  most: number;
  onSend(text: string): Promise<unknown>;
}

/** One line that may be sent. */
function Line({ label, type, most, onSend }: LineProps) {
  const { say } = useWidget();
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    const written = text.trim();
    if (!written) return;
    if (type && !isMail(written)) return setFault(say('emailForm'));
    setFault('');
    onSend(written).catch((error) => setFault(errorText(error) || say('busy')));
  };
  return (
    <form className="line" noValidate onSubmit={send}>
      <label>
        {label}
        <input
          type={type ?? 'text'}
          autoComplete={type}
          maxLength={most}
          value={text}
          aria-invalid={fault !== ''}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" className="send" aria-label={say('send')}>
        <Icon name="send" />
      </button>
      {fault && (
        <small className="fault" role="alert" ref={(told) => told?.scrollIntoView()}>
          {fault}
        </small>
      )}
    </form>
  );
}

/** Nobody is there who could answer, and nobody could say so later. */
export function LeaveEmail() {
  const { conversation, say } = useWidget();
  const [isLeft, setIsLeft] = useState(false);
  return isLeft ? (
    <p className="middle" role="status">
      {say('emailLeft')}
    </p>
  ) : (
    <Line
      label={say('leaveEmail')}
      type="email"
      most={254}
      onSend={async (email) => {
        await conversation.leaveEmail(email);
        setIsLeft(true);
      }}
    />
  );
}

/** Above the field, where a conversation is closed: what is written there opens it again. */
export function Ended({ attempt }: { attempt: Attempt }) {
  const { conversation, setting, say } = useWidget();
  const last = useConversation().messages.findLast(hasAnswered);
  // What they have said of an answer stays.
  const [wasRated] = useState(last?.rating);
  return (
    <div className="ask">
      {last && !wasRated && setting.shown.feedback && (
        <div className="under" role="group" aria-label={say('wasHelpful')}>
          {say('wasHelpful')}
          <Rating message={last} />
        </div>
      )}
      <button type="button" className="filled" onClick={() => attempt(conversation.restart())}>
        {say('newConversation')}
      </button>
    </div>
  );
}

/** Nothing where it does not come: the words are there all the same. */
const loadPaper = async (language: Language) =>
  import('./paper.tsx').then((part) => part.loadPaper(language)).catch(() => undefined);

/** Where a sentence comes from, over the end of the conversation. */
export function Sheet({ source, onClose }: { source: Source; onClose(): void }) {
  const { setting, language, say } = useWidget();
  const place = useRef<HTMLDivElement>(null);
  const [part, setPart] = useState<Awaited<ReturnType<typeof loadPaper>>>();
  const isPaper = setting.shown.pages && source.file !== null;
  useEffect(() => {
    if (isPaper) void loadPaper(language).then(setPart);
  }, [isPaper, language]);
  const quote = (
    <blockquote dir="auto" tabIndex={0}>
      {source.quote}
    </blockquote>
  );
  useKeys((event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    const before = document.activeElement;
    place.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [source]);
  return (
    <div
      className="sheet"
      role="dialog"
      aria-label={say('source', { number: source.number, name: source.document })}
      tabIndex={-1}
      ref={place}
    >
      <div>
        <h2>
          <b>{source.number}</b>{' '}
          {source.url ? (
            <a href={source.url} target="_blank" rel="noreferrer">
              {source.document}
            </a>
          ) : (
            source.document
          )}
        </h2>
        <button type="button" className="bare" aria-label={say('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <p className="where">
        {[...source.headings, ...(source.page === null ? [] : [say('page', { page: source.page })])].join(' › ')}
      </p>
      {isPaper && part ? (
        <part.Paper source={source} texts={part.texts}>
          {quote}
        </part.Paper>
      ) : (
        quote
      )}
    </div>
  );
}

/** A picture is shown, anything else can be saved; both come with the visitor's token. */
export const FileView = memo(function FileView({ file }: { file: Attachment }) {
  const { conversation, say } = useWidget();
  const [url, setUrl] = useState<string>();
  const isPicture = /^image\/(png|jpeg|gif|webp|avif)$/.test(file.mime);
  useEffect(() => {
    if (!isPicture) return undefined;
    let made: string | undefined;
    let isOver = false;
    conversation.bytes(visitors.file, { params: { uuid: file.uuid } }).then(
      (bytes) => {
        if (!isOver) setUrl((made = URL.createObjectURL(bytes)));
      },
      () => {},
    );
    return () => {
      isOver = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [conversation, file.uuid, isPicture]);
  if (url)
    return (
      <a className="picture" href={url} target="_blank" rel="noopener" aria-label={say('enlarge', { name: file.name })}>
        <img src={url} alt={file.name} />
      </a>
    );
  const save = async () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await conversation.bytes(visitors.file, { params: { uuid: file.uuid } }));
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return (
    <button
      type="button"
      className="file"
      aria-label={say('download', { name: file.name })}
      onClick={() => void save().catch(() => {})}
    >
      <Icon name="file" /> <span>{file.name}</span>
    </button>
  );
});
