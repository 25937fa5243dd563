import { Alert, Anchor, Button, Code, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconChevronRight, IconFileText } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Citation, Trace } from '../../../shared/contracts/conversations.ts';
import { formatList, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { useServices } from '../../lib/session.ts';
import { State } from '../../ui/page.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { useTrace } from './conversations.queries.ts';
import { Tool } from './thinking.tsx';
import { formatTime, UsageTable } from './usage-line.tsx';
import classes from './conversations.module.css';
import own from './trace-panel.module.css';

interface Props {
  thread: string;
  message: string;
  onClose(): void;
  onCitation(citation: Citation): void;
}

/** Why an answer is what it is: from the question as it was looked up to what the model was sent. */
export function TracePanel({ thread, message, onClose, onCitation }: Props) {
  const { t } = useTranslation('conversations');
  const trace = useTrace(thread, message);
  return (
    <SidePanel opened onClose={onClose} title={t('why.title')}>
      {trace.isPending && (
        <Stack>
          <Skeleton height={64} />
          <Skeleton height={160} />
          <Skeleton height={120} />
        </Stack>
      )}
      {trace.isError && (
        <Alert color="red" icon={<IconAlertTriangle />}>
          {trace.error.message}
          <Button size="xs" variant="light" color="red" mt="xs" display="block" onClick={() => void trace.refetch()}>
            {t('common:retry')}
          </Button>
        </Alert>
      )}
      {trace.data && <Explanation trace={trace.data} onCitation={onCitation} />}
    </SidePanel>
  );
}

function Explanation({ trace, onCitation }: { trace: Trace; onCitation(citation: Citation): void }) {
  const { t } = useTranslation('conversations');
  const services = useServices();
  const passages = trace.passages.toSorted(
    (one, other) =>
      Number(other.used) - Number(one.used) || (one.number ?? 0) - (other.number ?? 0) || other.score - one.score,
  );
  const best = Math.max(...passages.map(({ score }) => score), 0.01);
  return (
    <Stack gap="lg">
      <Flow trace={trace} />
      {trace.refused && <Refusal trace={trace} />}
      {trace.query !== null && (
        <Section title={t('why.query')}>
          <Text className={classes['rawText'] ?? ''}>{trace.query}</Text>
          {trace.coverage !== null && (
            <Group gap="sm" wrap="nowrap" mt={4}>
              <Text size="sm" c="dimmed" style={{ flex: 'none' }}>
                {t('why.coverage', { percent: formatNumber(Math.round(trace.coverage * 100)) })}
              </Text>
              <Progress value={trace.coverage * 100} flex={1} size="sm" aria-label={t('why.coverageLabel')} />
            </Group>
          )}
        </Section>
      )}
      {passages.length > 0 && (
        <Section title={t('why.passages', { count: passages.length })}>
          <Stack gap={0}>
            {passages.map((passage, at) => (
              <Passage
                key={passage.embedding}
                passage={passage}
                number={passage.number ?? at + 1}
                isRefused={trace.refused}
                share={passage.score / best}
                onCitation={onCitation}
              />
            ))}
          </Stack>
        </Section>
      )}
      {trace.tools.length > 0 && (
        <Section title={t('tool.label')}>
          {trace.tools.map((tool) => (
            <Tool key={tool.id} tool={tool} />
          ))}
        </Section>
      )}
      {trace.failed.length > 0 && (
        <Section title={t('why.failed')}>
          {trace.failed.map(({ service, code }, at) => (
            <Text key={at} size="sm">
              {services.find(({ uuid }) => uuid === service)?.name ?? t('why.formerService')}:{' '}
              <FailureText code={code} />
            </Text>
          ))}
        </Section>
      )}
      {trace.without.length > 0 && (
        <Section title={t('why.without.title')}>
          {trace.without.map(({ service, parts }) => (
            <Text key={service} size="sm">
              {t('why.without.parts', {
                service: services.find(({ uuid }) => uuid === service)?.name ?? t('why.formerService'),
                parts: formatList(parts.map((part) => t(`why.without.part.${part}`))),
              })}
            </Text>
          ))}
        </Section>
      )}
      {trace.prompt ? (
        <Section title={t('why.prompt')}>
          {trace.omitted > 0 && (
            <Text size="sm" c="dimmed">
              {t('why.omitted', { count: trace.omitted })}
            </Text>
          )}
          {trace.prompt.map(({ role, text }, at) => (
            <PromptPart key={at} role={role} text={text} />
          ))}
        </Section>
      ) : (
        <Text size="sm" c="dimmed">
          {t('why.noPrompt')}
        </Text>
      )}
      {trace.usage && (
        <Section title={t('why.usage')}>
          <UsageTable usage={trace.usage} />
        </Section>
      )}
    </Stack>
  );
}

/** In words. What the provider said in detail is not kept. */
function FailureText({ code }: { code: string }) {
  const { t, has } = useTranslation('errors');
  return has(code) ? t(code, { reason: '…' }) : <Code>{code}</Code>;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={own['traceHead']}>{title}</h3>
      {children}
    </section>
  );
}

/** What the bot wants of a passage, and how near the best one came. */
function Refusal({ trace: { coverage, threshold, passages } }: { trace: Trace }) {
  const { t } = useTranslation('conversations');
  const percent = (share: number) => formatNumber(Math.round(share * 100));
  return (
    <Text role="note">
      {passages.length === 0
        ? t('why.refusedNone')
        : coverage === null || threshold === null
          ? t('why.refused')
          : t(passages.some(({ used }) => used) ? 'why.refusedNear' : 'why.refusedBelow', {
              percent: percent(coverage),
              threshold: percent(threshold),
            })}
    </Text>
  );
}

/** The way from question to answer, with what each step took or gave. */
function Flow({ trace }: { trace: Trace }) {
  const { t } = useTranslation('conversations');
  const used = trace.passages.filter(({ used }) => used).length;
  const steps: [string, string][] = [
    [t('why.step.question'), ''],
    ...(trace.searchMs === null
      ? []
      : [[t('why.step.search'), formatTime(t, trace.searchMs)] satisfies [string, string]]),
    ...(trace.passages.length === 0
      ? []
      : [
          [
            t('why.step.passages'),
            trace.refused
              ? formatNumber(trace.passages.length)
              : t('why.usedOf', { used, count: trace.passages.length }),
          ] satisfies [string, string],
        ]),
    ...(trace.prompt === null ? [] : [[t('why.step.model'), trace.service ?? ''] satisfies [string, string]]),
    ...(trace.tools.length === 0 ? [] : [[t('why.step.tools'), String(trace.tools.length)] satisfies [string, string]]),
    [t('why.step.answer'), trace.usage ? formatTime(t, trace.usage.latencyMs) : ''],
  ];
  return (
    <ol className={own['flow']} aria-label={t('why.flow')}>
      {steps.map(([name, detail]) => (
        <li key={name}>
          <strong>{name}</strong>
          <span>{detail || ' '}</span>
        </li>
      ))}
    </ol>
  );
}

interface PassageProps {
  passage: Trace['passages'][number];
  number: number;
  isRefused: boolean;
  /** Of the best score. */
  share: number;
  onCitation(citation: Citation): void;
}

function Passage({ passage, number, isRefused, share, onCitation }: PassageProps) {
  const { t } = useTranslation('conversations');
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  const { document, knowledge, embedding, page, headings, text, score, used, cited } = passage;
  const place = [...headings, ...(page ? [t('citation.page', { page })] : [])].join(' › ');
  return (
    <div className={own['tracePassage']} data-used={(used && !isRefused) || undefined}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} truncate flex={1}>
          {document?.name ?? t('why.gone')}
        </Text>
        {used && !isRefused && (
          <State kind={cited === null ? 'draft' : 'live'}>
            {[
              passage.number !== null ? t('why.passageNumber', { number }) : t('why.used'),
              ...(cited === null ? [] : [t('why.cited', { number: cited })]),
            ].join(t('common:dot'))}
          </State>
        )}
        <Text size="xs" c="dimmed">
          {formatNumber(score)}
        </Text>
      </Group>
      <Progress
        value={share * 100}
        size="xs"
        my={4}
        color={used && !isRefused ? 'green' : 'gray'}
        aria-label={t('why.score', { score: formatNumber(score) })}
      />
      {place && (
        <Text size="xs" c="dimmed" truncate>
          {place}
        </Text>
      )}
      {text && (
        <Text
          ref={(node: HTMLElement | null) => {
            if (node && !isOpen) setIsCut(node.scrollHeight > node.clientHeight);
          }}
          size="sm"
          mt={4}
          className={classes['rawText'] ?? ''}
          lineClamp={isOpen ? 0 : 3}
        >
          {toExcerpt(text)}
        </Text>
      )}
      <Group gap="md" style={{ rowGap: 0 }}>
        {isCut && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            py={4}
            onClick={() => setIsOpen(!isOpen)}
            aria-expanded={isOpen}
          >
            {t(isOpen ? 'why.less' : 'why.more')}
          </Anchor>
        )}
        {document && knowledge && (
          <>
            <Anchor
              component="button"
              type="button"
              size="xs"
              py={4}
              onClick={() =>
                onCitation({
                  number: cited ?? number,
                  document: { ...document, mime: /\.pdf$/i.test(document.name) ? 'application/pdf' : '' },
                  knowledge,
                  embedding,
                  page,
                  headings,
                  quote: text,
                })
              }
            >
              <IconFileText size={13} aria-hidden /> {t('why.atPassage')}
            </Anchor>
            <Anchor component={Link} to={`/Knowledge/${knowledge}/documents/${document.uuid}`} size="xs" py={4}>
              {t('citation.document')}
            </Anchor>
          </>
        )}
      </Group>
    </div>
  );
}

function PromptPart({ role, text }: NonNullable<Trace['prompt']>[number]) {
  const { t } = useTranslation('conversations');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={classes['fold']}>
      <button type="button" className={classes['foldHead']} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden />
        <span>{t(`why.role.${role}`)}</span>
        <span className={classes['foldName']}>
          {t('why.characters', { count: text.length, shown: formatNumber(text.length) })}
        </span>
      </button>
      {isOpen && (
        <Code block className={classes['raw'] ?? ''} tabIndex={0}>
          {text}
        </Code>
      )}
    </div>
  );
}
