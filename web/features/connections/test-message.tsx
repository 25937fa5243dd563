import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Connection } from '../../../shared/contracts/connections.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import type { connections } from '../../../shared/contracts/connections.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, State, type StateKind } from '../../ui/page.tsx';
import classes from './connections.module.css';
import { useTestConnection } from './connections.queries.ts';

type Result = ReplyOf<typeof connections.test>['data'];

interface Props {
  connection: Connection;
  /** What is not saved is not tried. */
  isDirty: boolean;
}

/** Says what a message would do here, and by which rule. */
export function TestMessage({ connection, isDirty }: Props) {
  const { t } = useTranslation('connections');
  const [text, setText] = useState('');
  const [isTold, setIsTold] = useState(false);
  const test = useTestConnection(connection.uuid);
  const isEmpty = text.trim() === '';
  return (
    <Section title={t('test.title')}>
      <form
        className={classes['test']}
        onSubmit={(event) => {
          event.preventDefault();
          setIsTold(isEmpty);
          if (!isEmpty) test.mutate(text);
        }}
      >
        <TextInput
          label={t('test.message')}
          placeholder={t('test.placeholder')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={2000}
          error={(isTold && isEmpty && t('common:required')) || test.error?.message}
        />
        <Button type="submit" variant="default" loading={test.isPending}>
          {t('test.button')}
        </Button>
        <div role="status">
          {isDirty && <p className={classes['hint']}>{t('test.unsaved')}</p>}
          {test.data && !test.isPending && <Outcome result={test.data} bot={connection.bot} />}
        </div>
      </form>
    </Section>
  );
}

const kinds = {
  reply: 'live',
  handOff: 'staff',
  bot: 'live',
  people: 'staff',
  nothing: 'off',
} as const satisfies Record<Result['does'], StateKind>;

function Outcome({ result: { does, rule, reply, rich }, bot }: { result: Result; bot: Connection['bot'] }) {
  const { t } = useTranslation('connections');
  return (
    <div className={classes['outcome']}>
      <State kind={kinds[does]}>{t(`test.does.${does}`, { bot: bot?.name })}</State>
      <p className={classes['hint']}>{rule === null ? t('test.noRule') : t('test.byRule', { number: rule + 1 })}</p>
      {rich !== null && <p className={classes['hint']}>{t('rules.does.rich')}</p>}
      {reply && <blockquote>{reply}</blockquote>}
    </div>
  );
}
