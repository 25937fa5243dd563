import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { isComposing } from '../../ui/keyboard.ts';
import { toast } from '../../ui/toast.tsx';
import classes from './knowledge.module.css';
import { useAddPairs } from './knowledge.queries.ts';
import { cutTo, maxLengths, maxPairs, toPairs, type Pair } from './pairs.ts';

const blank = (): Pair => ({ question: '', answer: '' });
const isBlank = ({ question, answer }: Pair) => question.trim() === '' && answer.trim() === '';
const isHalf = (pair: Pair) => !isBlank(pair) && (pair.question.trim() === '' || pair.answer.trim() === '');
const cut = ({ question, answer }: Pair): Pair => ({
  question: cutTo(question, maxLengths.question),
  answer: cutTo(answer, maxLengths.answer),
});

interface Props {
  base: string;
  /** A question that waits for its answer. */
  asked?: string;
  onAdded(): void;
  /** Whoever came from a question goes back to it. */
  onCancel?: () => void;
}

/** Questions with their answers, written by hand or pasted from two columns of a spreadsheet. */
export function PairsForm({ base, asked = '', onAdded, onCancel }: Props) {
  const { t } = useTranslation('knowledge');
  const begun = cutTo(asked.trim(), maxLengths.question);
  const isAsked = begun !== '';
  const [name, setName] = useState<string>(t('pairs.nameUsual'));
  const [pairs, setPairs] = useState([{ question: begun, answer: '' }]);
  const [isTold, setIsTold] = useState(false);
  const rows = useRef<HTMLOListElement>(null);
  const add = useAddPairs(base);
  const filled = pairs.filter((pair) => !isBlank(pair));
  const title = isAsked ? cutTo(filled[0]?.question.trim() ?? '', 200) : name;
  const isTouched = filled.some(({ question, answer }) => answer !== '' || question !== begun);
  const guard = useUnsavedGuard(isTouched && !add.isPending && !add.isSuccess);
  const fields = add.error instanceof ApiError ? add.error.fields : {};
  const change = (at: number, changes: Partial<Pair>) =>
    setPairs(pairs.map((pair, each) => (each === at ? { ...pair, ...changes } : pair)));
  /** After the row is drawn. */
  const focus = (at: number, field: keyof Pair) =>
    setTimeout(() => rows.current?.querySelector<HTMLElement>(`[data-pair="${at}-${field}"]`)?.focus());
  const addRow = (at: number) => {
    if (pairs.length < maxPairs) setPairs(pairs.toSpliced(at, 0, blank()));
    focus(at, 'question');
  };
  const onPaste = (event: ClipboardEvent, at: number) => {
    const pasted = toPairs(event.clipboardData.getData('text/plain'));
    if (!pasted) return;
    event.preventDefault();
    const here = pairs[at];
    const all = pairs.toSpliced(at, here && isBlank(here) ? 1 : 0, ...pasted.map(cut));
    if (all.length > maxPairs) toast.error(t('pairs.tooMany', { count: maxPairs }));
    setPairs(all.slice(0, maxPairs));
    focus(Math.min(at + pasted.length, maxPairs) - 1, 'answer');
  };
  const missing = (text: string, other: string) =>
    isTold && text.trim() === '' && other.trim() !== '' ? t('common:required') : undefined;
  const send = () => {
    const half = pairs.findIndex(isHalf);
    const isNothing = filled.length === 0;
    setIsTold(true);
    if (isNothing) focus(0, 'question');
    else if (half >= 0) focus(half, pairs[half]?.question.trim() === '' ? 'question' : 'answer');
    else if (title.trim() !== '') add.mutate({ name: title, pairs: filled }, { onSuccess: onAdded });
  };
  /** Enter goes on, as in a spreadsheet; with Shift it begins a line, with Ctrl or ⌘ it sends. */
  const onKeyDown = (event: KeyboardEvent, at: number, field: keyof Pair) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    const next = pairs[at + 1];
    if (event.metaKey || event.ctrlKey) send();
    else if (field === 'question') focus(at, 'answer');
    else if (next && isBlank(next)) focus(at + 1, 'question');
    else addRow(at + 1);
  };
  /** One that was asked has its names above its fields. */
  const named = (field: keyof Pair, at: number) => {
    const name =
      pairs.length > 1 || !isAsked ? t(`pairs.${field}`, { number: at + 1 }) : t(`pairs.${field}Placeholder`);
    return isAsked ? { label: name } : { 'aria-label': name };
  };
  const titleField = (
    <TextInput
      label={t('text.name')}
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      maxLength={200}
      required
      error={(isTold && name.trim() === '' && t('text.nameMissing')) || fields['name']}
    />
  );
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
      <Stack>
        {!isAsked && titleField}
        <p className={classes['hint']}>{t(isAsked ? 'pairs.kept' : 'pairs.hint')}</p>
        <ol ref={rows} className={classes['pairs']} aria-label={t('create.pairs')}>
          {pairs.map((pair, at) => (
            <li key={at} data-alone={(isAsked && pairs.length === 1) || undefined}>
              <Textarea
                {...named('question', at)}
                placeholder={t('pairs.questionPlaceholder')}
                data-pair={`${at}-question`}
                value={pair.question}
                autosize
                minRows={1}
                maxRows={4}
                maxLength={maxLengths.question}
                onChange={(event) => change(at, { question: event.currentTarget.value })}
                onKeyDown={(event) => onKeyDown(event, at, 'question')}
                onPaste={(event) => onPaste(event, at)}
                error={
                  missing(pair.question, pair.answer) ??
                  (isTold && filled.length === 0 && at === 0 ? t('pairs.none') : undefined)
                }
              />
              <Textarea
                {...named('answer', at)}
                placeholder={t(isAsked ? 'pairs.answerHint' : 'pairs.answerPlaceholder')}
                data-pair={`${at}-answer`}
                autoFocus={isAsked && at === 0}
                value={pair.answer}
                autosize
                minRows={isAsked ? 4 : 1}
                maxRows={8}
                maxLength={maxLengths.answer}
                onChange={(event) => change(at, { answer: event.currentTarget.value })}
                onKeyDown={(event) => onKeyDown(event, at, 'answer')}
                onPaste={(event) => onPaste(event, at)}
                error={missing(pair.answer, pair.question)}
              />
              {(!isAsked || pairs.length > 1) && (
                <IconButton
                  label={t('pairs.remove', { number: at + 1 })}
                  onClick={() => {
                    setPairs(pairs.length > 1 ? pairs.toSpliced(at, 1) : [blank()]);
                    focus(Math.max(0, at - 1), 'question');
                  }}
                >
                  <IconTrash size={16} stroke={1.75} aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ol>
        {add.error && (isAsked || !fields['name']) && (
          <p role="alert" className={classes['failure']}>
            {errorText(add.error)}
          </p>
        )}
        <div className={classes['formFoot']}>
          <Button
            {...(isAsked ? { variant: 'subtle', color: 'gray' } : { variant: 'default' })}
            leftSection={<IconPlus size={16} />}
            disabled={pairs.length >= maxPairs}
            onClick={() => addRow(pairs.length)}
          >
            {t(isAsked ? 'pairs.another' : 'pairs.add')}
          </Button>
          {onCancel && (
            <Button variant="subtle" color="gray" onClick={onCancel}>
              {t('common:cancel')}
            </Button>
          )}
          <Button type="submit" loading={add.isPending} disabled={isAsked && pairs.some(isHalf)}>
            {filled.length === 0
              ? t('text.submit')
              : filled.length === 1
                ? t('pairs.submitOne')
                : t('pairs.submit', { count: filled.length })}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
