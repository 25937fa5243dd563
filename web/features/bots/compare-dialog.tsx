import { Button, Loader, Select, Stack, Text, Textarea, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconPlayerStop, IconSend } from '@tabler/icons-react';
import { Fragment, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { conversations, type Citation, type Usage } from '../../../shared/contracts/conversations.ts';
import { ApiError, stream } from '../../lib/api.ts';
import { formatNumber, formatWait } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { isComposing } from '../../ui/keyboard.ts';
import { Modal } from '../../ui/overlays.tsx';
import { State } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ServiceSelect } from '../../ui/service-select.tsx';
import { toast } from '../../ui/toast.tsx';
import editor from './bots.module.css';
import classes from './compare.module.css';
import { useVersions } from './bots.queries.ts';
import { markDifferences, unmark, type Likeness } from './mark-differences.ts';
import { useServiceOptions } from './service-options.ts';

const draft = 'draft';
const asIs = 'as-is';

const sides = ['A', 'B'] as const;
type Side = (typeof sides)[number];

const fieldOf = {
  firstToken: 'firstTokenMs',
  total: 'latencyMs',
  tokensIn: 'tokensIn',
  tokensOut: 'tokensOut',
} as const satisfies Record<string, keyof Usage>;
type Figure = keyof typeof fieldOf;
const allFigures = ['firstToken', 'total', 'tokensIn', 'tokensOut'] as const satisfies Figure[];
const isTime = (figure: Figure) => figure === 'firstToken' || figure === 'total';

/** What one side answers with: undefined is what the draft, or the version, says. */
export interface Choice {
  version: string | undefined;
  service: string | undefined;
}

interface Answered {
  text: string;
  citations: Citation[];
  usage?: Usage | undefined;
  error?: string | undefined;
  isBusy: boolean;
}

interface Props {
  bot: Bot;
  isSaved: boolean;
  renderAnswer(answer: { text: string; citations: Citation[] }, onOpen: (citation: Citation) => void): ReactNode;
  formatCredits(micro: number): string;
  onUse(choice: Choice): void;
  onClose(): void;
}

/** One question, answered by two models or two versions side by side. */
export function CompareDialog({ bot, isSaved, renderAnswer, formatCredits, onUse, onClose }: Props) {
  const { t } = useTranslation('bots-editor');
  const [question, setQuestion] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768);
  // A phone has room for one answer.
  const [inSight, setInSight] = useState<Side>('A');
  const [choices, setChoices] = useState<Choice[]>([
    { version: undefined, service: undefined },
    { version: bot.published?.uuid, service: undefined },
  ]);
  const [answers, setAnswers] = useState<(Answered | undefined)[]>([undefined, undefined]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const isBusy = answers.some((answer) => answer?.isBusy);

  const ask = () => {
    const text = question.trim();
    setIsMissing(text === '');
    if (text === '') box.current?.focus();
    if (text === '' || isBusy) return;
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setAnswers(choices.map(() => ({ text: '', citations: [], isBusy: true })));
    for (const [at, { version, service }] of choices.entries()) {
      const change = (to: (before: Answered) => Answered) =>
        !abort.signal.aborted &&
        setAnswers((all) => all.map((each, other) => (other === at && each ? to(each) : each)));
      const body = {
        bot: bot.uuid,
        message: { text },
        stream: true,
        temporary: true,
        preview: { ...(version && { version }), ...(service && { service }) },
      };
      stream(conversations.send, { body, signal: abort.signal }, (event) => {
        if (event.type === 'message' && event.message.role === 'assistant')
          change((before) => ({ ...before, text: event.message.text }));
        if (event.type === 'delta') change((before) => ({ ...before, text: before.text + event.text }));
        if (event.type === 'citation')
          change((before) => ({
            ...before,
            citations: [...before.citations.filter(({ number }) => number !== event.citation.number), event.citation],
          }));
        if (event.type === 'usage') change((before) => ({ ...before, usage: event.usage }));
        if (event.type === 'done')
          change((before) => ({
            ...before,
            text: event.message.text,
            citations: event.message.citations,
            usage: event.message.usage ?? before.usage,
            isBusy: false,
          }));
        if (event.type === 'error') change((before) => ({ ...before, error: event.error.message, isBusy: false }));
      }).then(
        () => change((before) => ({ ...before, isBusy: false })),
        (failure: unknown) => {
          if (failure instanceof ApiError) change((before) => ({ ...before, error: failure.message, isBusy: false }));
        },
      );
    }
  };
  const figures = allFigures.filter((figure) => answers.some((answer) => answer?.usage?.[fieldOf[figure]]));
  const grid = useRef<HTMLDivElement>(null);
  const [likeness, setLikeness] = useState<Likeness>();
  const isAnswered = answers.every((answer) => answer && !answer.isBusy && !answer.error && answer.text !== '');
  useEffect(() => {
    const [one, other] = grid.current?.querySelectorAll('[data-answer]') ?? [];
    if (!isAnswered || !one || !other) return undefined;
    const mark = () => setLikeness(markDifferences(one, other, currentLocale()));
    // An answer is drawn when the code for it has come.
    const observer = new MutationObserver(mark);
    for (const each of [one, other]) observer.observe(each, { childList: true, subtree: true, characterData: true });
    const drawn = requestAnimationFrame(mark);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(drawn);
      unmark();
    };
  }, [isAnswered]);
  const stop = () => {
    running.current?.abort();
    setAnswers((all) => all.map((each) => each && { ...each, isBusy: false }));
  };

  return (
    <Modal opened onClose={onClose} title={t('compare.title')} size="min(1200px, 96vw)" fullScreen={isPhone} centered>
      <Stack>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            ask();
          }}
        >
          <div className={classes['asked']}>
            <Textarea
              ref={box}
              label={t('compare.question')}
              placeholder={t('compare.placeholder')}
              value={question}
              onChange={(event) => {
                setQuestion(event.currentTarget.value);
                setIsMissing(false);
              }}
              error={isMissing && t('compare.missing')}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
              autosize
              maxRows={4}
              maxLength={8000}
              data-autofocus
            />
            {isBusy ? (
              <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={stop}>
                {t('compare.stop')}
              </Button>
            ) : (
              <Button type="submit" leftSection={<IconSend size={16} />}>
                {t('compare.ask')}
              </Button>
            )}
          </div>
        </form>
        <div className={classes['head']}>
          {isPhone && (
            <Segments
              label={t('compare.sides')}
              value={inSight}
              options={sides.map((side) => ({ value: side, label: t('compare.side', { side }) }))}
              onChange={setInSight}
            />
          )}
          <p role="status">{isAnswered && likeness && t(`compare.${likeness}`)}</p>
        </div>
        <div ref={grid} className={classes['sides']}>
          {choices.map((choice, at) => (
            <AnswerSide
              key={at}
              bot={bot}
              side={sides[at] ?? 'A'}
              isInSight={!isPhone || sides[at] === inSight}
              choice={choice}
              answer={answers[at]}
              figures={figures}
              isSaved={isSaved}
              renderAnswer={renderAnswer}
              formatCredits={formatCredits}
              onChoice={(next) => {
                setChoices((all) => all.with(at, next));
                if (!isBusy) setAnswers((all) => all.with(at, undefined));
              }}
              onUse={() => onUse(choice)}
            />
          ))}
        </div>
      </Stack>
    </Modal>
  );
}

interface SideProps extends Pick<Props, 'bot' | 'isSaved' | 'renderAnswer' | 'formatCredits'> {
  side: Side;
  isInSight: boolean;
  /** Those that are told of both, so that they stand side by side. */
  figures: Figure[];
  choice: Choice;
  answer: Answered | undefined;
  onChoice(choice: Choice): void;
  onUse(): void;
}

function AnswerSide({
  bot,
  side,
  isInSight,
  figures,
  choice,
  answer,
  isSaved,
  renderAnswer,
  formatCredits,
  onChoice,
  onUse,
}: SideProps) {
  const { t } = useTranslation('bots-editor');
  const versions = useVersions(bot.uuid);
  const options = useServiceOptions(choice.service);
  const usage = answer?.usage;
  const [open, setOpen] = useState<number>();
  const place = useId();
  const onOpen = ({ number }: Citation) => {
    setOpen(number);
    document.getElementById(`${place}-${number}`)?.focus();
  };
  const isSame = !choice.version && !choice.service;
  return (
    <section aria-label={t('compare.side', { side })} className={classes['side']} hidden={!isInSight}>
      <div className={classes['choice']}>
        <h3>{t('compare.side', { side })}</h3>
        <Select
          label={t('compare.version')}
          value={choice.version ?? draft}
          allowDeselect={false}
          onChange={(value) => onChoice({ ...choice, version: value === draft ? undefined : (value ?? undefined) })}
          data={[
            { value: draft, label: t('diff.draft') },
            ...(versions.data?.pages ?? [])
              .flatMap(({ data }) => data)
              .map(({ uuid, number, note }) => ({
                value: uuid,
                label: [t('versions.number', { number }), note].filter(Boolean).join(' · '),
              })),
          ]}
        />
        <ServiceSelect
          label={t('compare.service')}
          nothingFound={t('model.noneFound')}
          options={[{ value: asIs, name: t('compare.asIs'), tag: '', tooltip: [] }, ...options]}
          value={choice.service ?? asIs}
          onChange={(value) => onChoice({ ...choice, service: value === asIs ? undefined : value })}
        />
      </div>
      <div className={classes['answer']} aria-live="polite" aria-busy={answer?.isBusy ?? false}>
        {!answer && (
          <Text size="sm" c="dimmed">
            {t('compare.empty')}
          </Text>
        )}
        {answer?.error && (
          <div role="alert" className={editor['note']}>
            <State kind="failed">{answer.error}</State>
          </div>
        )}
        {answer && <div data-answer>{renderAnswer(answer, onOpen)}</div>}
        {answer?.isBusy && <Loader type="dots" size="sm" aria-label={t('compare.writing')} />}
      </div>
      <ul className={classes['sources']} aria-label={t('compare.sourcesOf', { side })}>
        {answer?.citations
          .toSorted((one, other) => one.number - other.number)
          .map(({ number, document, page, headings, quote }) => (
            <li key={number}>
              <UnstyledButton
                id={`${place}-${number}`}
                aria-expanded={open === number}
                onClick={() => setOpen(open === number ? undefined : number)}
              >
                <span>{number}</span>
                <span>
                  {[document.name, page === null ? headings.at(-1) : t('compare.page', { page })]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                <IconChevronDown size={14} aria-hidden />
              </UnstyledButton>
              {open === number && <blockquote>{quote}</blockquote>}
            </li>
          ))}
      </ul>
      {usage ? (
        <dl className={classes['measured']}>
          <dt>{t('compare.service')}</dt>
          <dd>{modelName(usage.serviceName)}</dd>
          {figures.map((figure) => {
            const value = usage[fieldOf[figure]] ?? 0;
            return (
              <Fragment key={figure}>
                <dt>{t(`compare.figure.${figure}`)}</dt>
                <dd>{value === 0 ? '–' : isTime(figure) ? formatWait(value) : formatNumber(value)}</dd>
              </Fragment>
            );
          })}
          <dt>{t('compare.figure.price')}</dt>
          <dd>{usage.ownKey ? t('compare.ownKey') : usage.cost > 0 ? formatCredits(usage.cost) : t('compare.free')}</dd>
        </dl>
      ) : (
        <div />
      )}
      <div>
        {isSame ? (
          <Text size="xs" c="dimmed">
            {t('compare.isDraft')}
          </Text>
        ) : (
          <Button size="xs" variant="default" onClick={() => (isSaved ? onUse() : toast.error(t('versions.waiting')))}>
            {t('compare.use')}
          </Button>
        )}
      </div>
    </section>
  );
}
