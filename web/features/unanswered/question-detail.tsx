import { Button, Skeleton } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ComponentType } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import type { UnansweredDetail } from '../../../shared/contracts/unanswered.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { rowClass, Section, State } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { AnswerForm, firstWords, type Written } from './answer-form.tsx';
import { kindOf, wordFor } from './state.ts';
import { useAnswer, useQuestion, useSetStatus, useTell } from './unanswered.queries.ts';
import classes from './unanswered.module.css';

export type AnswerText = ComponentType<{ text: string; citations: Citation[]; onOpen(citation: Citation): void }>;

interface Props {
  uuid: string;
  /** What was written for each question and not saved, as long as the page is open. */
  drafts: Map<string, Written>;
  AnswerText: AnswerText;
  hasNext: boolean;
  onNext(): void;
  onCitation(citation: Citation): void;
}

/** One question: the form for its answer, who asked it, and what comes nearest. */
export function QuestionDetail({ uuid, ...rest }: Props) {
  const { t } = useTranslation('unanswered');
  const question = useQuestion(uuid);
  if (question.isPending)
    return (
      <div className={classes['form']} role="status" aria-label={t('common:loading')}>
        {[80, 45, 60].map((width) => (
          <Skeleton key={width} height={12} width={`${width}%`} animate={false} />
        ))}
      </div>
    );
  if (!question.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(question.error)}
        retry={t('common:retry')}
        onRetry={() => void question.refetch()}
      />
    );
  return <Detail question={question.data} {...rest} />;
}

function Detail({
  question,
  drafts,
  AnswerText,
  hasNext,
  onNext,
  onCitation,
}: Omit<Props, 'uuid'> & { question: UnansweredDetail }) {
  const { t } = useTranslation('unanswered');
  const { uuid, bot, count, askers } = question;
  const [written, setWritten] = useState(() => drafts.get(uuid) ?? firstWords(question));
  const answer = useAnswer(uuid);
  const write = (changes: Partial<Written>) => {
    // Not what was drawn last: a draft that was asked for comes later.
    const next = { ...(drafts.get(uuid) ?? written), ...changes };
    drafts.set(uuid, next);
    setWritten(next);
  };
  const [isWriting, setIsWriting] = useState(question.status !== 'answered' || drafts.has(uuid));
  const tell = useTell(uuid);
  const done = answer.data;
  const told = tell.data ?? (written.tell ? done?.told : undefined);
  return (
    <div className={classes['detail']}>
      <div>
        <h3 className={classes['asked']}>{question.question}</h3>
        <div className={classes['facts']}>
          <State kind={kindOf(question)}>{wordFor(question, t)}</State>
          <span>{t('times', { count })}</span>
          <span className={classes['who']}>
            <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
            {bot.name}
          </span>
        </div>
      </div>
      {done ? (
        <Section title={t('result.title')}>
          <div className={classes['result']} role="status">
            <State kind={done.retried.refused ? 'warning' : 'live'}>
              {t(done.retried.refused ? 'result.refused' : 'result.works')}
            </State>
            <AnswerText text={done.retried.text} citations={done.retried.citations} onOpen={onCitation} />
            {done.retried.refused && <p className={classes['hint']}>{t('result.hint')}</p>}
            {told !== undefined && (
              <p className={classes['hint']}>{told > 0 ? t('result.told', { count: told }) : t('result.toldNobody')}</p>
            )}
          </div>
          {done.retried.citations.length > 0 && <Sources citations={done.retried.citations} />}
          {askers > 0 && told === undefined && (
            <Button
              mt={12}
              variant="default"
              leftSection={<IconSend size={16} stroke={1.75} />}
              loading={tell.isPending}
              onClick={() => tell.mutate(written.answer, { onError: (error) => toast.error(errorText(error)) })}
            >
              {t('form.tell', { count: askers })}
            </Button>
          )}
          <AfterAnswer
            hasNext={hasNext}
            onNext={onNext}
            onChange={() => {
              answer.reset();
              tell.reset();
            }}
          />
        </Section>
      ) : !isWriting ? (
        <Section title={t('answered.given')}>
          <Given answer={question.answer} />
          <Button mt={12} variant="default" onClick={() => setIsWriting(true)}>
            {t('answered.again')}
          </Button>
        </Section>
      ) : (
        <Section title={t('form.title')}>
          {answer.isPending && (
            <p className={classes['hint']} role="status">
              {t('form.saving')}
            </p>
          )}
          <AnswerForm
            question={question}
            written={written}
            answer={answer}
            onWrite={write}
            onSubmit={() => answer.mutate(written, { onSuccess: () => void drafts.delete(uuid) })}
          />
        </Section>
      )}
      <Asked question={question} />
      <Nearest question={question} />
    </div>
  );
}

/** The answer that it was given, and where it stands. */
function Given({ answer }: { answer: UnansweredDetail['answer'] }) {
  const { t } = useTranslation('unanswered');
  if (!answer)
    return (
      <p className={classes['hint']} style={{ paddingTop: 12 }}>
        {t('answered.gone')}
      </p>
    );
  const { text, document, knowledge, embedding, by, at } = answer;
  return (
    <div className={classes['result']}>
      <p className={classes['given']}>{text.replace(/^Q: [^]*?\nA: /, '')}</p>
      <p className={classes['hint']}>
        {[by, formatAgo(at)].filter(Boolean).join(t('common:dot'))}
        {t('common:dot')}
        <Link
          to="/Knowledge/$id/documents/$documentId"
          params={{ id: knowledge, documentId: document.uuid }}
          search={{ chunk: embedding }}
        >
          {document.name}
        </Link>
      </p>
    </div>
  );
}

/** Whoever goes through a list presses Enter for the next one. */
function AfterAnswer({ hasNext, onNext, onChange }: { hasNext: boolean; onNext(): void; onChange(): void }) {
  const { t } = useTranslation('unanswered');
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => void next.current?.focus(), []);
  return (
    <div className={classes['foot']} style={{ paddingTop: 12 }}>
      <Button variant="subtle" color="gray" onClick={onChange}>
        {t('result.change')}
      </Button>
      <Button ref={next} onClick={onNext}>
        {t(hasNext ? 'result.next' : 'result.done')}
      </Button>
    </div>
  );
}

function Sources({ citations }: { citations: Citation[] }) {
  const { t } = useTranslation('unanswered');
  return (
    <div role="group" aria-label={t('result.sources')}>
      {citations.map(({ number, knowledge, document, embedding, page }) => (
        <Link
          key={number}
          to="/Knowledge/$id/documents/$documentId"
          params={{ id: knowledge, documentId: document.uuid }}
          search={{ chunk: embedding }}
          className={`${rowClass} ${classes['row']}`}
        >
          <span>
            {number} {document.name}
          </span>
          {page !== null && <span className={classes['hint']}>{t('detail.page', { page })}</span>}
        </Link>
      ))}
    </div>
  );
}

function Asked({ question: { asked, askers, question } }: { question: UnansweredDetail }) {
  const { t } = useTranslation('unanswered');
  if (asked.length === 0) return null;
  return (
    <Section title={t('detail.askedBy')} count={askers}>
      {asked.map((each) => (
        <Link
          key={each.message}
          to="/Friend"
          search={{ thread: each.thread }}
          className={`${rowClass} ${classes['row']}`}
        >
          <span>{each.guest}</span>
          <span className={classes['hint']}>{each.channel}</span>
          <time className={classes['hint']} dateTime={each.at} title={formatMoment(each.at)}>
            {formatAgo(each.at)}
          </time>
          {each.question !== question && <p>{each.question}</p>}
          {each.comment && <p>{t('detail.comment', { comment: each.comment })}</p>}
        </Link>
      ))}
    </Section>
  );
}

function Nearest({ question: { nearest } }: { question: UnansweredDetail }) {
  const { t } = useTranslation('unanswered');
  return (
    <Section title={t('detail.nearest')}>
      {nearest.length === 0 && (
        <p className={classes['hint']} style={{ paddingTop: 12 }}>
          {t('detail.nearestNone')}
        </p>
      )}
      {nearest.map(({ embedding, document, knowledge, page, headings, text }) => (
        <Link
          key={embedding}
          to="/Knowledge/$id/documents/$documentId"
          params={{ id: knowledge, documentId: document.uuid }}
          search={{ chunk: embedding }}
          className={`${rowClass} ${classes['row']}`}
        >
          <span>{document.name}</span>
          <span className={classes['hint']}>
            {[...headings.slice(-1), ...(page === null ? [] : [t('detail.page', { page })])].join(t('common:dot'))}
          </span>
          <p>{toExcerpt(text)}</p>
        </Link>
      ))}
    </Section>
  );
}

/** Puts an open question away, or takes one back out; each can be undone. */
export function StatusButton({ uuid, onDone }: { uuid: string; onDone(): void }) {
  const { t } = useTranslation('unanswered');
  const question = useQuestion(uuid).data;
  const set = useSetStatus();
  if (!question) return null;
  const onError = (error: unknown) => toast.error(errorText(error));
  const isOpen = question.status === 'open';
  const change = () =>
    set.mutate(
      { uuid, to: isOpen ? 'dismiss' : 'reopen' },
      {
        onError,
        onSuccess() {
          if (isOpen)
            toast.undo(
              t('form.dismissed'),
              t('common:undo'),
              () => void set.mutateAsync({ uuid, to: 'reopen' }).catch(onError),
            );
          else toast.success(t('form.reopened'));
          onDone();
        },
      },
    );
  return (
    <Button size="compact-sm" variant="default" loading={set.isPending} onClick={change}>
      {t(isOpen ? 'form.dismiss' : 'form.reopen')}
    </Button>
  );
}
