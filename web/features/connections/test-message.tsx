import { Anchor, Button, TextInput, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Connection } from '../../../shared/contracts/connections.ts';
import type { BodyIn, ReplyOf } from '../../../shared/route.ts';
import type { connections } from '../../../shared/contracts/connections.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State, type StateKind } from '../../ui/page.tsx';
import classes from './connections.module.css';
import { useTestConnection } from './connections.queries.ts';

type Result = ReplyOf<typeof connections.test>['data'];

interface Props {
  connection: Connection;
  /** As the form has them now, saved or not. */
  values: Omit<BodyIn<typeof connections.test>, 'text' | 'at'>;
  /** Whether they can be tried; says at their fields why not. */
  check(): boolean;
  /** Of several rules, the one that it is. */
  onMatch(rule: number | null): void;
}

/** Says what a message would do here, and by which rule. */
export function TestMessage({ connection, values, check, onMatch }: Props) {
  const { t } = useTranslation('connections');
  const [text, setText] = useState('');
  const [at, setAt] = useState<string>();
  const [isTold, setIsTold] = useState(false);
  const [faulty, setFaulty] = useState<string>();
  const [tried, setTried] = useState<string>();
  const chat = useRef<HTMLDivElement>(null);
  const test = useTestConnection(connection.uuid);
  const isEmpty = text.trim() === '';
  const isLate = tried !== JSON.stringify(values);
  const isShown = !isLate && (test.isPending || test.isSuccess);
  const send = (said: string) => {
    if (!check()) return setFaulty(JSON.stringify(values));
    setTried(JSON.stringify(values));
    onMatch(null);
    test.mutate(
      { ...values, text: said, ...(at && { at: new Date(at).toISOString() }) },
      {
        onSuccess: ({ rule }) => {
          onMatch(rule);
          requestAnimationFrame(() => chat.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' }));
        },
      },
    );
  };
  const examples = [
    ...(values.rules ?? []).flatMap(({ match, phrases }) => (match === 'any' ? [] : phrases.slice(0, 1))),
    t('test.example'),
    t('test.placeholder'),
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
      <div className={classes['chat']} ref={chat}>
        {!isShown && (
          <>
            <p className={classes['hint']}>{t('test.begin')}</p>
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
          </>
        )}
        <div role="status">
          {isShown && <p className={classes['asked']}>{test.variables.text}</p>}
          {isShown && test.data && (
            <Outcome
              result={test.data}
              bot={values.bot ?? undefined}
              tag={values.rules?.[test.data.rule ?? -1]?.tag ?? ''}
            />
          )}
          {faulty === JSON.stringify(values) && <State kind="failed">{t('test.faulty')}</State>}
        </div>
      </div>
      <TextInput
        label={t('test.message')}
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
        error={(isTold && isEmpty && t('common:required')) || (!isLate && test.error?.message)}
      />
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
      <p className={classes['hint']}>{t('test.asHere')}</p>
    </form>
  );
}

const kinds = {
  reply: 'live',
  handOff: 'staff',
  bot: 'live',
  people: 'staff',
  nothing: 'off',
} as const satisfies Record<Result['does'], StateKind>;

function Outcome({
  result: { does, rule, reply, rich, bot },
  bot: uuid,
  tag,
}: {
  result: Result;
  /** Which one the form names. */
  bot: string | undefined;
  tag: string;
}) {
  const { t } = useTranslation('connections');
  return (
    <div className={classes['outcome']}>
      <State kind={kinds[does]}>{t(`test.does.${does}`, { bot })}</State>
      {reply && <blockquote>{reply}</blockquote>}
      {rich !== null && <p className={classes['hint']}>{t('rules.does.rich')}</p>}
      {tag && <p className={classes['hint']}>{t('rules.does.tag', { tag })}</p>}
      {does !== 'nothing' && does !== 'reply' && <p className={classes['hint']}>{t(`test.then.${does}`)}</p>}
      <p className={classes['hint']}>{rule === null ? t('test.noRule') : t('test.byRule', { number: rule + 1 })}</p>
      {does === 'bot' && uuid && (
        <Anchor
          size="sm"
          className={classes['link'] ?? ''}
          renderRoot={(props) => <Link {...props} to={`/Bot/${uuid}/Chat`} />}
        >
          {t('test.ask')}
        </Anchor>
      )}
    </div>
  );
}
