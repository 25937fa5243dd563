import '@mantine/core/styles/Checkbox.css';
import { Button, Checkbox, Select, Textarea } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { UnansweredDetail } from '../../../shared/contracts/unanswered.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { isComposing } from '../../ui/keyboard.ts';
import { toast } from '../../ui/toast.tsx';
import { useSuggestion, type useAnswer } from './unanswered.queries.ts';
import classes from './unanswered.module.css';

export interface Written {
  knowledge: string;
  question: string;
  answer: string;
  tell: boolean;
}

interface Props {
  question: UnansweredDetail;
  written: Written;
  answer: ReturnType<typeof useAnswer>;
  onWrite(changes: Partial<Written>): void;
  onSubmit(): void;
}

const longestQuestion = 500;

export const firstWords = ({ question, knowledges }: UnansweredDetail): Written => ({
  knowledge: knowledges[0]?.uuid ?? '',
  question: question.slice(0, longestQuestion),
  answer: '',
  tell: false,
});

/** What the bot says to the question from now on, and into which base that goes. */
export function AnswerForm({ question, written, answer, onWrite, onSubmit }: Props) {
  const { t } = useTranslation('unanswered');
  const field = useRef<HTMLTextAreaElement>(null);
  const [isTold, setIsTold] = useState(false);
  const mayManage = useMay('manage');
  const suggestion = useSuggestion(question.uuid);
  const guard = useUnsavedGuard(written.answer.trim() !== '' && !answer.isPending);
  const fields = answer.error instanceof ApiError ? answer.error.fields : {};
  const { bot, knowledges, askers } = question;
  // From the panel, which has the focus, Enter leads to the field.
  useEffect(() => {
    const write = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isElsewhere =
        target instanceof Element && target !== document.body && target.getAttribute('role') !== 'dialog';
      if (event.key !== 'Enter' || event.defaultPrevented || isElsewhere) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', write);
    return () => window.removeEventListener('keydown', write);
  }, []);
  if (knowledges.length === 0)
    return (
      <p className={classes['hint']}>
        {t('form.noBase', { bot: bot.name })}
        <Link to="/Bot/$id" params={{ id: bot.uuid }} className={classes['inline']}>
          {t('form.openBot')}
        </Link>
      </p>
    );
  const missing = (text: string) => (isTold && text.trim() === '' ? t('common:required') : undefined);
  const send = () => {
    const isMissing = [written.question, written.answer].some((text) => text.trim() === '');
    setIsTold(isMissing);
    if (isMissing) field.current?.focus();
    else if (!answer.isPending) onSubmit();
  };
  const draft = () =>
    suggestion.mutate(undefined, {
      onSuccess(text) {
        // What has been written by now, also since the draft was asked for.
        const before = field.current?.value ?? '';
        onWrite({ answer: text });
        if (before.trim() !== '') toast.undo(t('form.drafted'), t('common:undo'), () => onWrite({ answer: before }));
      },
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || isComposing(event)) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      noValidate
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <ConfirmDialog {...guard} />
      {knowledges.length > 1 && (
        <Select
          label={t('form.knowledge')}
          data={knowledges.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={written.knowledge}
          onChange={(knowledge) => knowledge && onWrite({ knowledge })}
          allowDeselect={false}
          error={fields['knowledge']}
        />
      )}
      <Textarea
        label={t('form.question')}
        value={written.question}
        onChange={(event) => onWrite({ question: event.currentTarget.value })}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={longestQuestion}
        onKeyDown={onKeyDown}
        error={missing(written.question) ?? fields['question']}
      />
      <Textarea
        ref={field}
        label={t('form.answer')}
        description={t('form.answerHint')}
        value={written.answer}
        onChange={(event) => onWrite({ answer: event.currentTarget.value })}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={4000}
        onKeyDown={onKeyDown}
        error={
          missing(written.answer) ??
          fields['answer'] ??
          (Object.keys(fields).length === 0 ? problemOf(answer.error) : undefined)
        }
      />
      {suggestion.error && (
        <p className={classes['hint']} role="alert">
          {errorText(suggestion.error)}
          {mayManage && suggestion.error instanceof ApiError && suggestion.error.code === 'model-needed' && (
            <Link to="/Token" search={{ tab: 'models' }} className={classes['inline']}>
              {t('form.addModel')}
            </Link>
          )}
        </p>
      )}
      {askers > 0 && (
        <Checkbox
          label={t('form.tell', { count: askers })}
          checked={written.tell}
          onChange={(event) => onWrite({ tell: event.currentTarget.checked })}
          onKeyDown={onKeyDown}
        />
      )}
      <div className={classes['foot']}>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconWand size={16} stroke={1.75} />}
          loading={suggestion.isPending}
          onClick={draft}
        >
          {t('form.draft')}
        </Button>
        <Button type="submit" loading={answer.isPending}>
          {t('form.submit')}
        </Button>
      </div>
    </form>
  );
}
