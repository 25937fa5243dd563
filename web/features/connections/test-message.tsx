import { Anchor, Button, TextInput, UnstyledButton } from '@mantine/core';
import { Suspense, useState, type ComponentType } from 'react';
import {
  messageKinds,
  type Connection,
  type connections,
  type MessageKind,
} from '../../../shared/contracts/connections.ts';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import type { BodyIn, ReplyOf } from '../../../shared/route.ts';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State, type StateKind } from '../../ui/page.tsx';
import classes from './connections.module.css';
import { useAskPublished, useTestConnection } from './connections.queries.ts';

export type AnswerText = ComponentType<{ text: string; citations: Citation[] }>;
type Result = ReplyOf<typeof connections.test>['data'];

interface Props {
  connection: Connection;
  /** As the form has them now, saved or not. */
  values: Omit<BodyIn<typeof connections.test>, 'text' | 'at'>;
  /** Whether they can be tried; says at their fields why not. */
  check(): boolean;
  /** Of several rules, the one that it is. */
  onMatch(rule: number | null): void;
  AnswerText: AnswerText;
}

/** Says what a message would do here, and by which rule. */
export function TestMessage({ connection, values, check, onMatch, AnswerText }: Props) {
  const { t } = useTranslation('connections');
  const [text, setText] = useState('');
  const [at, setAt] = useState<string>();
  const [isTold, setIsTold] = useState(false);
  const [faulty, setFaulty] = useState<string>();
  const [tried, setTried] = useState<string>();
  const test = useTestConnection(connection.uuid);
  const ask = useAskPublished();
  const isEmpty = text.trim() === '';
  const isLate = tried !== JSON.stringify(values);
  const isShown = !isLate && (test.isPending || test.isSuccess);
  const askBot = (said: string) => values.bot && ask.mutate({ bot: values.bot, text: said });
  const send = (said: string, kind?: MessageKind) => {
    if (!check()) return setFaulty(JSON.stringify(values));
    setTried(JSON.stringify(values));
    onMatch(null);
    ask.reset();
    test.mutate(
      { ...values, text: said, ...(kind && { kind }), ...(at && { at: new Date(at).toISOString() }) },
      {
        onSuccess: ({ does, rule }) => {
          onMatch(rule);
          if (does === 'bot') askBot(said);
        },
      },
    );
  };
  const examples = [
    ...(values.rules ?? []).flatMap(({ match, phrases }) => (match === 'any' ? [] : phrases.slice(0, 1))),
    t('test.examples.hours'),
    t('test.examples.money'),
  ];
  return (
    <form
      className={classes['test']}
      onSubmit={(event) => {
        event.preventDefault();
        setIsTold(isEmpty);
        if (!isEmpty) send(text);
      }}
    >
      <TextInput
        label={t(`test.message.${connection.channel}`)}
        placeholder={t('test.placeholder')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={2000}
        inputContainer={(field) => (
          <span className={classes['try']}>
            {field}
            <Button type="submit" loading={test.isPending}>
              {t('test.button')}
            </Button>
          </span>
        )}
        error={(isTold && isEmpty && t('common:required')) || (!isLate && problemOf(test.error))}
      />
      <p className={classes['hint']}>{t('test.asHere')}</p>
      <div className={classes['chat']}>
        {!isShown && (
          <div className={classes['examples']}>
            {[...new Set(examples)].slice(0, 3).map((example) => (
              <UnstyledButton
                key={example}
                onClick={() => {
                  setText(example);
                  send(example);
                }}
              >
                {example}
              </UnstyledButton>
            ))}
            {wordless.map((kind) => (
              <UnstyledButton key={kind} onClick={() => send(t(`test.kinds.${kind}`), kind)}>
                {t(`test.kinds.${kind}`)}
              </UnstyledButton>
            ))}
          </div>
        )}
        <div role="status">
          {isShown && <p className={classes['asked']}>{test.variables.text}</p>}
          {isShown && test.data && (
            <>
              <Outcome result={test.data} tag={values.rules?.[test.data.rule ?? -1]?.tag ?? ''} />
              {!ask.isIdle && (
                <BotAnswer ask={ask} onAgain={() => askBot(test.variables.text)} AnswerText={AnswerText} />
              )}
            </>
          )}
          {faulty === JSON.stringify(values) && <p className={classes['fault']}>{t('test.faulty')}</p>}
        </div>
      </div>
      {at === undefined ? (
        <Anchor component="button" type="button" size="sm" className={classes['link'] ?? ''} onClick={() => setAt('')}>
          {t('test.atOther')}
        </Anchor>
      ) : (
        <TextInput
          autoFocus
          type="datetime-local"
          label={t('test.at')}
          description={t('test.atHint')}
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
      )}
    </form>
  );
}

/** What cannot be typed. */
const wordless = messageKinds.filter((kind) => kind !== 'thanks');

const kinds = {
  reply: 'live',
  handOff: 'staff',
  bot: 'live',
  people: 'staff',
  silent: 'off',
  nothing: 'off',
} as const satisfies Record<Result['does'], StateKind>;

function Outcome({
  result: { does, rule, kind, reply, notice, answersOn, rich, bot },
  tag,
}: {
  result: Result;
  tag: string;
}) {
  const { t } = useTranslation('connections');
  return (
    <div className={classes['outcome']} data-does={does}>
      <State kind={kinds[does]}>{t(`test.does.${does}`, { bot })}</State>
      {reply && <blockquote>{reply}</blockquote>}
      {rich !== null && <p className={classes['hint']}>{t('rules.does.rich')}</p>}
      {notice && <blockquote>{notice}</blockquote>}
      {tag && <p className={classes['hint']}>{t('rules.does.tag', { tag })}</p>}
      {(does === 'handOff' || does === 'people') && (
        <p className={classes['hint']}>{t(`test.then.${answersOn ? 'answersOn' : does}`)}</p>
      )}
      <p className={classes['hint']}>
        {rule !== null
          ? t('test.byRule', { number: rule + 1 })
          : kind !== null
            ? t('test.byKind', { kind: t(`kinds.${kind}`) })
            : t(does === 'handOff' ? 'test.asksForPerson' : 'test.noRule')}
      </p>
    </div>
  );
}

interface AnswerProps extends Pick<Props, 'AnswerText'> {
  ask: ReturnType<typeof useAskPublished>;
  onAgain(): void;
}

/** An answer may be longer than the screen has room for below it. */
const showWhole = (answer: HTMLElement | null) => void answer?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });

/** What the bot writes, or why it did not. */
function BotAnswer({ ask, onAgain, AnswerText }: AnswerProps) {
  const { t } = useTranslation('connections');
  const fault = problemOf(ask.error) ?? ask.data?.error?.message;
  if (fault !== undefined)
    return (
      <div className={classes['fault']}>
        <p>{fault}</p>
        <Button size="xs" variant="default" onClick={onAgain}>
          {t('common:retry')}
        </Button>
      </div>
    );
  if (!ask.data) return <p className={`${classes['outcome']} ${classes['quiet']}`}>{t('test.answering')}</p>;
  const sources = new Map<string, { name: string; numbers: number[] }>();
  for (const { number, document } of ask.data.citations)
    sources.set(document.uuid, {
      name: document.name,
      numbers: [...new Set([...(sources.get(document.uuid)?.numbers ?? []), number])],
    });
  return (
    <div className={classes['outcome']} ref={showWhole}>
      <Suspense fallback={ask.data.text}>
        <AnswerText text={ask.data.text} citations={ask.data.citations} />
      </Suspense>
      {sources.size > 0 && (
        <ul className={classes['sources']}>
          {[...sources].map(([uuid, { name, numbers }]) => (
            <li key={uuid}>
              <span>{numbers.map((number) => `[${number}]`).join('')}</span> {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
