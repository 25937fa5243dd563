import { Button, Group, Loader, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { IconPlayerStop, IconSend } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { conversations, type Citation, type Usage } from '../../../shared/contracts/conversations.ts';
import { ApiError, stream } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { isComposing } from '../../ui/keyboard.ts';
import { Modal } from '../../ui/overlays.tsx';
import { State } from '../../ui/page.tsx';
import { ServiceSelect } from '../../ui/service-select.tsx';
import classes from './bots.module.css';
import { useVersions } from './bots.queries.ts';
import { useServiceOptions } from './service-options.ts';

const draft = 'draft';
const asIs = 'as-is';

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
  renderAnswer(answer: { text: string; citations: Citation[] }): ReactNode;
  formatCredits(micro: number): string;
  onUse(choice: Choice): void;
  onClose(): void;
}

/** One question, answered by two models or two versions side by side. */
export function CompareDialog({ bot, isSaved, renderAnswer, formatCredits, onUse, onClose }: Props) {
  const { t } = useTranslation('bots-editor');
  const [question, setQuestion] = useState('');
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
  const stop = () => {
    running.current?.abort();
    setAnswers((all) => all.map((each) => each && { ...each, isBusy: false }));
  };

  return (
    <Modal opened onClose={onClose} title={t('compare.title')} size="min(1200px, 96vw)">
      <Stack>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            ask();
          }}
        >
          <Group align="flex-end" gap="xs">
            <Textarea
              style={{ flex: '1 1 240px' }}
              label={t('compare.question')}
              placeholder={t('compare.placeholder')}
              value={question}
              onChange={(event) => setQuestion(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
                event.preventDefault();
                ask();
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
              <Button type="submit" leftSection={<IconSend size={16} />} disabled={!question.trim()}>
                {t('compare.ask')}
              </Button>
            )}
          </Group>
        </form>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {choices.map((choice, at) => (
            <Side
              key={at}
              bot={bot}
              side={at === 0 ? 'A' : 'B'}
              choice={choice}
              answer={answers[at]}
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
        </SimpleGrid>
      </Stack>
    </Modal>
  );
}

interface SideProps extends Pick<Props, 'bot' | 'isSaved' | 'renderAnswer' | 'formatCredits'> {
  side: string;
  choice: Choice;
  answer: Answered | undefined;
  onChoice(choice: Choice): void;
  onUse(): void;
}

function Side({ bot, side, choice, answer, isSaved, renderAnswer, formatCredits, onChoice, onUse }: SideProps) {
  const { t } = useTranslation('bots-editor');
  const versions = useVersions(bot.uuid);
  const options = useServiceOptions(choice.service);
  const seconds = (milliseconds: number) => formatNumber(Math.round(milliseconds / 100) / 10);
  const usage = answer?.usage;
  return (
    <section aria-label={t('compare.side', { side })} className={classes['side']}>
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
      <div style={{ flex: 1, minHeight: 120 }} aria-live="polite" aria-busy={answer?.isBusy ?? false}>
        {!answer && (
          <Text size="sm" c="dimmed">
            {t('compare.empty')}
          </Text>
        )}
        {answer?.error && (
          <div role="alert" className={classes['note']}>
            <State kind="failed">{answer.error}</State>
          </div>
        )}
        {answer && renderAnswer(answer)}
        {answer?.isBusy && <Loader type="dots" size="sm" aria-label={t('compare.writing')} />}
      </div>
      {usage && (
        <Text size="xs" c="dimmed">
          {[
            usage.serviceName,
            ...(usage.firstTokenMs === null ? [] : [t('compare.firstToken', { seconds: seconds(usage.firstTokenMs) })]),
            t('compare.total', { seconds: seconds(usage.latencyMs) }),
            t('compare.tokens', { in: formatNumber(usage.tokensIn), out: formatNumber(usage.tokensOut) }),
            t('compare.sources', { count: answer.citations.length }),
            usage.ownKey
              ? t('compare.ownKey')
              : usage.cost > 0
                ? t('compare.credits', { credits: formatCredits(usage.cost) })
                : t('compare.free'),
          ].join(' · ')}
        </Text>
      )}
      {choice.version || choice.service ? (
        <Button
          size="xs"
          variant="default"
          disabled={!isSaved}
          title={isSaved ? undefined : t('versions.waiting')}
          onClick={onUse}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('compare.use')}
        </Button>
      ) : (
        <Text size="xs" c="dimmed" mih={30} style={{ display: 'flex', alignItems: 'center' }}>
          {t('compare.isDraft')}
        </Text>
      )}
    </section>
  );
}
