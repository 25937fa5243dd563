import { Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { VisitorMessage } from '../shared/contracts/visitors.ts';
import type { Attempt } from './chat.tsx';
import { useConversation, useWidget } from './context.ts';
import { hasAnswered, isSilent, type Pending, type Source } from './conversation.ts';
import { Icon } from './icons.tsx';
import { Face } from './mark.tsx';
import { drawMarkdown } from './markdown.tsx';

export type After = typeof import('./after.tsx') | undefined;

interface Props {
  attempt: Attempt;
  after: After;
  /** The form is to be filled in first. */
  isAsking: boolean;
}

/** How near its end a reader is who follows what comes. */
const nearPx = 80;

export function Log({ attempt, after, isAsking }: Props) {
  const { conversation, setting, language, say } = useWidget();
  const { messages, hasEmail, pending, hasMore, thread, typing, newFrom, failures } = useConversation();
  const [source, setSource] = useState<Source>();
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const top = useRef(0);
  const [isAway, setIsAway] = useState(false);
  const words = setting.texts[language];
  const { bot, person } = setting;
  const last = messages.at(-1);
  const isIdle = pending.length === 0 && !isAsking;

  const toEnd = () => {
    const box = place.current;
    if (!box) return;
    box.scrollTop = box.scrollHeight;
    top.current = box.scrollTop;
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
    last && hasAnswered(last) ? (last.suggestions.length > 0 ? last.suggestions : (bot?.followUps ?? [])) : [];
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
        // A picture has its height when it has come.
        onLoadCapture={() => isAtEnd.current && toEnd()}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          const isNear = scrollHeight - scrollTop - clientHeight < nearPx;
          // A scroll that is told of after something has grown is no reader's.
          if (isNear || scrollTop < top.current) isAtEnd.current = isNear;
          top.current = scrollTop;
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
              after={after}
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
            <Written entry={each} after={after} />
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
        {thread?.status === 'resolved' && <p className="middle">{say('closed')}</p>}
        {after && thread?.status === 'waiting' && !person.open && !hasEmail && !setting.form.enabled && (
          <after.LeaveEmail />
        )}
      </div>
      {isAway && (
        <button type="button" className="end" aria-label={say('toEnd')} onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
      {after && source && <after.Sheet source={source} onClose={() => setSource(undefined)} />}
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
  after: After;
  failure: string | undefined;
  /** The first of several by the same person. */
  isFirst: boolean;
  source: Source | undefined;
  onSource(source: Source): void;
  onAgain: (() => void) | undefined;
}

function Said({ message, after, failure, isFirst, source, onSource, onAgain }: SaidProps) {
  const { setting, say } = useWidget();
  const { role, author, files, status, createdAt, citations } = message;
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
  if (isSilent(message)) return null;
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
          {after && shows && !isComing(message) && <after.Sources all={citations} onOpen={onSource} />}
        </div>
      )}
      {after && files.map((file) => <after.FileView key={file.uuid} file={file} />)}
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
        {after && hasAnswered(message) && setting.shown.feedback && <after.Rating message={message} />}
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

/** What was written and is not yet with the server. */
function Written({ entry, after }: { entry: Pending; after: After }) {
  const { conversation, say } = useWidget();
  const { key, text, files, state, problem, isLimit } = entry;
  return (
    <div className="said" data-who="user" data-pending>
      {text && (
        <div className="text" dir="auto">
          {text}
        </div>
      )}
      {after && files.map((file) => <after.FileView key={file.uuid} file={file} />)}
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
