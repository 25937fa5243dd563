import { useEffect, useRef, useState, type ComponentType } from 'react';
import { errorText } from './api.ts';
import { Composer } from './composer.tsx';
import { useConversation, useWidget } from './context.ts';
import { Icon } from './icons.tsx';
import { useKeys } from './keys.ts';
import { Log, type After } from './log.tsx';
import { Face } from './mark.tsx';
import { isSoundOn, turnSound } from './sound.ts';

/** The whole of the frame. */
export function Chat() {
  const { conversation, host, setting, say, isBubble } = useWidget();
  const { person, isReady, problem, isOffline, needsForm, isAnew, messages, pending, thread } = useConversation();
  const [notice, setNotice] = useState('');
  const [after, setAfter] = useState<After>();
  const isClosed = thread?.status === 'resolved';
  const isBegun = messages.length + pending.length > 0;
  useEffect(() => {
    if (isBegun) void import('./after.tsx').then(setAfter);
  }, [isBegun]);
  useKeys((event) => {
    if (event.key === 'Escape' && isBubble && !event.defaultPrevented && !event.isComposing)
      host.tell({ kotae: 'close' });
  }, window);
  const attempt = (work: Promise<unknown>) => {
    setNotice('');
    work.catch((error) => setNotice(errorText(error) || say('busy')));
  };
  const asks = setting.form.enabled && (needsForm || !isReady);
  return (
    <main key={person}>
      <Head attempt={attempt} />
      {isOffline && (
        <p className="strip" role="status">
          {say('offline')}
        </p>
      )}
      {isAnew && (
        <p className="strip" role="status">
          {say('beganAnew')}
        </p>
      )}
      {problem ? (
        <div className="lost" role="alert">
          <p>
            {problem.status === 404
              ? say('gone')
              : problem.status === 429
                ? say('limit')
                : problem.message || say('failed')}
          </p>
          <button type="button" className="chip" onClick={conversation.start}>
            {say('retry')}
          </button>
        </div>
      ) : (
        <Log attempt={attempt} after={after} isAsking={asks} />
      )}
      {notice && (
        <p className="notice" role="alert">
          {notice}
        </p>
      )}
      {!problem &&
        (asks ? (
          isReady && <Form />
        ) : (
          <>
            {after && isClosed && <after.Ended attempt={attempt} />}
            <Composer attempt={attempt} />
          </>
        ))}
      <footer>
        {setting.shown.poweredBy && (
          <p>
            {setting.bot && <>{say('poweredBy')} · </>}
            Kotae
          </p>
        )}
      </footer>
    </main>
  );
}

/** Few sites ask anything first, so it comes by itself. */
function Form() {
  const [form, setForm] = useState<{ Form: ComponentType }>();
  useEffect(() => void import('./form.tsx').then(setForm), []);
  return form ? <form.Form /> : null;
}

export type Attempt = (work: Promise<unknown>) => void;

function Head({ attempt }: { attempt: Attempt }) {
  const { host, setting, language, say, isBubble } = useWidget();
  const { thread } = useConversation();
  const { bot, avatar } = setting;
  const words = setting.texts[language];
  const title = words.title || bot?.name || say('title');
  const person = thread?.status === 'staff' ? thread.staff : null;
  const status = person
    ? say('staffAnswers', { name: person.name })
    : thread?.status === 'waiting'
      ? say('waiting')
      : thread?.status === 'resolved'
        ? say('closed')
        : words.subtitle || say(bot ? 'subtitleBot' : 'subtitlePeople');
  return (
    <header>
      {person ? (
        <Face name={person.name} url={person.avatar?.url} />
      ) : (
        <Face name={title} url={avatar?.url} mark={bot?.mark ?? 0} />
      )}
      <div>
        <h1>{title}</h1>
        <p role="status" data-state={thread?.status}>
          {status}
        </p>
      </div>
      <Menu attempt={attempt} />
      {isBubble && (
        <button type="button" className="bare" aria-label={say('close')} onClick={() => host.tell({ kotae: 'close' })}>
          <Icon name="minus" />
        </button>
      )}
    </header>
  );
}

function Menu({ attempt }: { attempt: Attempt }) {
  const { conversation, setting, say } = useWidget();
  const { thread, messages } = useConversation();
  const [isOpen, setIsOpen] = useState(false);
  const [isLoud, setIsLoud] = useState(() => isSoundOn(setting.shown.sound));
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    place.current?.querySelector<HTMLElement>('[role=menu] button')?.focus();
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !place.current?.contains(target)) setIsOpen(false);
    };
    window.addEventListener('pointerdown', leave);
    window.addEventListener('focusin', leave);
    return () => {
      window.removeEventListener('pointerdown', leave);
      window.removeEventListener('focusin', leave);
    };
  }, [isOpen]);
  useKeys((event) => {
    if (!isOpen) return;
    const all = [...(place.current?.querySelectorAll<HTMLElement>('[role=menu] button') ?? [])];
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step) all[(all.findIndex((each) => each === document.activeElement) + step + all.length) % all.length]?.focus();
    else if (event.key === 'Escape') {
      setIsOpen(false);
      button.current?.focus();
    } else return;
    event.preventDefault();
  });
  const choose = (work: () => void) => () => {
    work();
    setIsOpen(false);
    button.current?.focus();
  };
  const isWithPerson = thread?.status === 'waiting' || thread?.status === 'staff';
  const items = [
    ...(setting.person.offered && !isWithPerson
      ? [{ text: say('talkToPerson'), do: () => attempt(conversation.askForPerson()) }]
      : []),
    ...(thread || messages.length > 0
      ? [{ text: say('newConversation'), do: () => attempt(conversation.restart()) }]
      : []),
    { text: say(isLoud ? 'soundOn' : 'soundOff'), do: () => setIsLoud(turnSound(!isLoud)) },
  ];
  return (
    <div className="menu" ref={place}>
      <button
        type="button"
        className="bare"
        ref={button}
        aria-label={say('menu')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <ul role="menu">
          {items.map((each) => (
            <li key={each.text} role="none">
              <button type="button" role="menuitem" onClick={choose(each.do)}>
                {each.text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
