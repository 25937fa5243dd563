import { Fragment, memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Attachment } from '../shared/contracts/conversations.ts';
import type { VisitorMessage } from '../shared/contracts/visitors.ts';
import type { Attempt } from './chat.tsx';
import { useConversation, useWidget } from './context.ts';
import type { Pending } from './conversation.ts';
import { Icon } from './icons.tsx';
import { useKeys } from './keys.ts';
import { Face } from './mark.tsx';
import { drawMarkdown } from './markdown.tsx';

type Source = VisitorMessage['citations'][number];

interface Props {
  attempt: Attempt;
  /** The form is to be filled in first. */
  isAsking: boolean;
}

/** How near its end a reader is who follows what comes. */
const nearPx = 80;

export function Log({ attempt, isAsking }: Props) {
  const { conversation, setting, language, say } = useWidget();
  const { messages, pending, hasMore, thread, typing, newFrom, failures } = useConversation();
  const [source, setSource] = useState<Source>();
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [isAway, setIsAway] = useState(false);
  const words = setting.texts[language];
  const { bot, person } = setting;
  const last = messages.at(-1);
  const isIdle = pending.length === 0 && !isAsking;

  const toEnd = () => {
    const box = place.current;
    if (box) box.scrollTop = box.scrollHeight;
  };
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  });
  useEffect(() => {
    isAtEnd.current = true;
    toEnd();
  }, [pending.length]);
  // What is above it grows with pictures and the keyboard.
  useEffect(() => {
    const watcher = new ResizeObserver(() => isAtEnd.current && toEnd());
    if (place.current) watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);

  const asked = new Set(messages.map(({ text }) => text));
  const starters = words.starters.length > 0 ? words.starters : (bot?.starters ?? []);
  const next =
    last?.role === 'assistant' && last.status === 'done'
      ? last.suggestions.length > 0
        ? last.suggestions
        : (bot?.followUps ?? [])
      : [];
  const offers = (messages.length === 0 ? starters : next).filter((each) => !asked.has(each));
  const offersPerson = person.offered && (!thread || thread.status === 'bot') && messages.length > 0;

  return (
    <div className="logs">
      <div
        className="log"
        ref={place}
        role="log"
        aria-label={say('log')}
        aria-live="polite"
        aria-busy={messages.some(isComing)}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearPx;
          setIsAway(!isAtEnd.current);
        }}
      >
        {hasMore ? (
          <button type="button" className="chip middle" onClick={() => attempt(conversation.showOlder())}>
            {say('older')}
          </button>
        ) : (
          <div className="said" data-who="assistant">
            <div className="text" dir="auto">
              {drawMarkdown(words.welcome || bot?.greeting || say('welcome'), () => null)}
            </div>
          </div>
        )}
        {messages.map((message, at) => (
          <Fragment key={message.key ?? message.uuid}>
            <Day at={message.createdAt} before={messages[at - 1]?.createdAt} />
            {message.seq === newFrom && (
              <p className="new">
                <span>{say('new')}</span>
              </p>
            )}
            <Said
              message={message}
              failure={failures[message.uuid]}
              isFirst={messages[at - 1]?.author?.name !== message.author?.name}
              source={source}
              onSource={setSource}
              onAgain={
                message === last && messages[at - 1]?.role === 'user'
                  ? () => conversation.send(messages[at - 1]?.text ?? '', messages[at - 1]?.files)
                  : undefined
              }
            />
          </Fragment>
        ))}
        {pending.map((each, at) => (
          <Fragment key={each.key}>
            <Day at={each.at} before={at === 0 ? last?.createdAt : pending[at - 1]?.at} />
            <Written entry={each} />
          </Fragment>
        ))}
        {last?.role === 'user' && thread?.running && <Thinking text={say('writing')} />}
        {typing && <Thinking text={say('typing', { name: typing })} isSaid />}
        {isIdle && (offers.length > 0 || offersPerson) && !messages.some(isComing) && (
          <div
            className="chips"
            role="group"
            aria-label={say(messages.length === 0 ? 'starterQuestions' : 'suggestions')}
          >
            {offers.map((each) => (
              <button type="button" className="chip" key={each} onClick={() => conversation.send(each)}>
                {each}
              </button>
            ))}
            {offersPerson && (
              <button type="button" className="chip" onClick={() => attempt(conversation.askForPerson())}>
                {say('talkToPerson')}
              </button>
            )}
          </div>
        )}
        {thread?.status === 'resolved' && (
          <p className="middle">
            {say('closed')}
            <button type="button" className="chip" onClick={() => attempt(conversation.restart())}>
              {say('newConversation')}
            </button>
          </p>
        )}
      </div>
      {isAway && (
        <button type="button" className="end" aria-label={say('toEnd')} onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
      {source && <Sheet source={source} onClose={() => setSource(undefined)} />}
    </div>
  );
}

const isComing = ({ role, status }: VisitorMessage) =>
  role === 'assistant' && (status === 'pending' || status === 'streaming');

function Day({ at, before }: { at: string; before: string | undefined }) {
  const { language, say } = useWidget();
  const [now] = useState(() => new Date());
  const dayOf = (moment: string | Date) => new Date(moment).toDateString();
  if (before && dayOf(before) === dayOf(at)) return null;
  const text =
    dayOf(at) === dayOf(now)
      ? say('today')
      : dayOf(at) === dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))
        ? say('yesterday')
        : new Date(at).toLocaleDateString(language, { month: 'long', day: 'numeric', weekday: 'short' });
  return <p className="day">{text}</p>;
}

function Time({ at }: { at: string }) {
  const { language } = useWidget();
  return <time dateTime={at}>{new Date(at).toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' })}</time>;
}

interface SaidProps {
  message: VisitorMessage;
  failure: string | undefined;
  /** The first of several by the same person. */
  isFirst: boolean;
  source: Source | undefined;
  onSource(source: Source): void;
  onAgain: (() => void) | undefined;
}

function Said({ message, failure, isFirst, source, onSource, onAgain }: SaidProps) {
  const { conversation, setting, say } = useWidget();
  const { role, author, files, status, createdAt, rating, citations } = message;
  const text = withoutSuggestions(message);
  const isBots = role === 'assistant';
  const shows = setting.shown.citations && citations.length > 0;
  const drawn = useMemo(() => {
    const cite = (number: number) => {
      const cited = citations.find((each) => each.number === number);
      return setting.shown.citations && cited ? (
        <>
          {'\u2060'}
          <CiteButton source={cited} isOpen={cited === source} onOpen={onSource} />
        </>
      ) : null;
    };
    return isBots ? drawMarkdown(text, cite) : text;
  }, [text, citations, isBots, source, onSource, setting.shown.citations]);
  if (role === 'system') return <p className="middle">{text}</p>;
  if (isComing(message) && !text) return <Thinking text={say('writing')} />;
  return (
    <div className="said" data-who={role}>
      <span className="unseen">
        {role === 'user' ? say('you') : (author?.name ?? setting.bot?.name ?? say('staff'))}
      </span>
      {role === 'staff' && isFirst && (
        <p className="author" aria-hidden>
          <Face name={author?.name ?? say('staff')} url={author?.avatar?.url} size={20} />
          {author?.name ?? say('staff')}
        </p>
      )}
      {(text || shows) && (
        <div className="text" dir="auto" data-coming={isComing(message) || undefined}>
          {drawn}
          {shows && !isComing(message) && (
            <div className="sources" role="group" aria-label={say('sources')}>
              {citations.map((each) => (
                <button type="button" key={each.number} onClick={() => onSource(each)}>
                  <b>{each.number}</b> <span>{each.document}</span>
                </button>
              ))}
            </div>
          )}
        </div>
      )}
      {files.map((file) => (
        <FileView key={file.uuid} file={file} />
      ))}
      {isBots && status === 'interrupted' && <p className="state">{say('stopped')}</p>}
      {isBots && status === 'failed' && (
        <p className="state" data-bad>
          {failure || say('answerFailed')}
          {onAgain && (
            <button type="button" onClick={onAgain}>
              {say('askAgain')}
            </button>
          )}
        </p>
      )}
      <div className="under">
        <Time at={createdAt} />
        {isBots && status === 'done' && setting.shown.feedback && (
          <>
            {(['up', 'down'] as const).map((each) => (
              <button
                type="button"
                key={each}
                className="bare"
                aria-label={say(each === 'up' ? 'helpful' : 'notHelpful')}
                aria-pressed={rating === each}
                onClick={() => void conversation.rate(message, each)}
              >
                <Icon name={each === 'up' ? 'good' : 'bad'} />
              </button>
            ))}
          </>
        )}
      </div>
    </div>
  );
}

/** What is offered as buttons need not stand in the text as a list as well. */
function withoutSuggestions({ text, suggestions }: VisitorMessage): string {
  const list = suggestions.map((each) => `- ${each}`).join('\n');
  const at = list ? text.lastIndexOf(list) : -1;
  return at < 0 ? text : text.slice(0, at) + text.slice(at + list.length);
}

function CiteButton({ source, isOpen, onOpen }: { source: Source; isOpen: boolean; onOpen(source: Source): void }) {
  const { say } = useWidget();
  return (
    <button
      type="button"
      className="cite"
      aria-label={say('source', { number: source.number, name: source.document })}
      aria-expanded={isOpen}
      onClick={() => onOpen(source)}
    >
      {source.number}
    </button>
  );
}

/** Where a sentence comes from, over the end of the conversation. */
function Sheet({ source, onClose }: { source: Source; onClose(): void }) {
  const { say } = useWidget();
  const place = useRef<HTMLDivElement>(null);
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
          <b>{source.number}</b> {source.document}
        </h2>
        <button type="button" className="bare" aria-label={say('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <p className="where">
        {[...source.headings, ...(source.page === null ? [] : [say('page', { page: source.page })])].join(' › ')}
      </p>
      <blockquote dir="auto" tabIndex={0}>
        {source.quote}
      </blockquote>
    </div>
  );
}

/** What was written and is not yet with the server. */
function Written({ entry }: { entry: Pending }) {
  const { conversation, say } = useWidget();
  const { key, text, files, state, problem, isLimit } = entry;
  return (
    <div className="said" data-who="user" data-pending>
      {text && (
        <div className="text" dir="auto">
          {text}
        </div>
      )}
      {files.map((file) => (
        <FileView key={file.uuid} file={file} />
      ))}
      {state === 'sending' ? (
        <span className="unseen">{say('sending')}</span>
      ) : state === 'waiting' ? (
        <p className="state">{say('waits')}</p>
      ) : (
        <p className="state" data-bad role="alert">
          {isLimit ? say('limit') : problem || say('notSent')}
          <button type="button" onClick={() => conversation.retry(key)}>
            {say('retry')}
          </button>
          <button type="button" onClick={() => conversation.discard(key)}>
            {say('discard')}
          </button>
        </p>
      )}
    </div>
  );
}

const Thinking = ({ text, isSaid }: { text: string; isSaid?: true }) => (
  <p className="thinking">
    <i aria-hidden />
    <span className={isSaid ? undefined : 'unseen'}>{text}</span>
  </p>
);

/** A picture is shown, anything else can be saved; both come with the visitor's token. */
const FileView = memo(function FileView({ file }: { file: Attachment }) {
  const { conversation, say } = useWidget();
  const [url, setUrl] = useState<string>();
  const isPicture = /^image\/(png|jpeg|gif|webp|avif)$/.test(file.mime);
  useEffect(() => {
    if (!isPicture) return undefined;
    let made: string | undefined;
    let isOver = false;
    conversation.file(file.uuid).then(
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
    link.href = URL.createObjectURL(await conversation.file(file.uuid));
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
