import { Alert, Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Citation, Trace } from '../../../shared/contracts/conversations.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatList, formatNumber, formatWait } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { isBuiltIn, modelName } from '../../lib/model-name.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { useServices } from '../../lib/session.ts';
import { SidePanel } from '../../ui/side-panel.tsx';
import { useTrace } from './conversations.queries.ts';
import { Tool } from './tools.tsx';
import { UsageTable } from './usage-table.tsx';
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
          {errorText(trace.error)}
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
  const { t } = useTranslation('conversations-panels', 'conversations');
  const services = useServices();
  const passages = trace.passages.toSorted(
    (one, other) =>
      Number(other.cited !== null) - Number(one.cited !== null) ||
      (one.cited ?? 0) - (other.cited ?? 0) ||
      Number(other.used) - Number(one.used) ||
      other.score - one.score,
  );
  const builtIn = isBuiltIn(trace.service ?? '');
  const best = Math.max(...passages.map(({ score }) => score), 0.01);
  return (
    <Stack gap="lg">
      <Flow trace={trace} />
      {(trace.coverage !== null || trace.refused) && <Match trace={trace} />}
      {passages.length > 0 && (
        <Section title={t('why.passages', { count: passages.length })}>
          <p className={own['hint']}>{t('why.scores')}</p>
          {passages.map((passage) => (
            <Passage
              key={passage.embedding}
              passage={passage}
              isRefused={trace.refused}
              isRead={builtIn}
              share={passage.score / best}
              onCitation={onCitation}
            />
          ))}
        </Section>
      )}
      {trace.tools.length > 0 && (
        <Section title={t('conversations:tool.label')}>
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
      {builtIn ? null : trace.prompt ? (
        <Section title={t('why.prompt')}>
          {trace.omitted > 0 && <p className={own['hint']}>{t('why.omitted', { count: trace.omitted })}</p>}
          {trace.prompt.map(({ role, text }, at) => (
            <PromptPart key={at} role={role} text={text} />
          ))}
        </Section>
      ) : (
        <p className={own['hint']}>{t('why.noPrompt')}</p>
      )}
      {trace.usage && !builtIn && (
        <Section title={t('why.usage')}>
          <div className={own['usage']}>
            <UsageTable usage={trace.usage} />
          </div>
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

/** How near the best passage came, against what the bot wants, and what followed of it. */
function Match({ trace: { coverage, threshold, passages, refused, service } }: { trace: Trace }) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const percent = (share: number) => formatNumber(Math.round(share * 100));
  const isGiven = passages.some(({ used }) => used);
  const values = { threshold: percent(threshold ?? 0) };
  const [verdict, more] =
    passages.length === 0
      ? [t('why.refusedNone'), '']
      : coverage === null || threshold === null
        ? [refused ? t('why.refused') : '', '']
        : coverage < threshold && !isGiven
          ? [t('why.below', values), '']
          : refused || coverage < threshold
            ? [refused ? t('why.refused') : '', t('why.strict', values)]
            : [t(isBuiltIn(service ?? '') ? 'why.aboveBuiltIn' : 'why.above', values), ''];
  return (
    <Section title={t('why.match')}>
      {coverage !== null && (
        <>
          <p className={own['matched']}>{t('why.matched', { percent: percent(coverage) })}</p>
          <div
            className={own['scale']}
            role="meter"
            aria-label={t('why.match')}
            aria-valuenow={Math.round(coverage * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <i style={{ width: `${coverage * 100}%` }} />
            {threshold !== null && <b style={{ insetInlineStart: `${threshold * 100}%` }} />}
          </div>
          {threshold !== null && (
            <p className={own['line']}>
              <span style={{ marginInlineStart: `min(${threshold * 100}%, 100% - 9em)` }}>
                {t('why.wanted', values)}
              </span>
            </p>
          )}
        </>
      )}
      {[verdict, more].filter(Boolean).map((text) => (
        <p key={text} role="note" className={own['verdict']}>
          {text}
        </p>
      ))}
    </Section>
  );
}

/** The way from question to answer, with what each step took or gave. */
function Flow({ trace }: { trace: Trace }) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const used = trace.passages.filter(({ used }) => used).length;
  const quoted = trace.passages.filter(({ cited }) => cited !== null).length;
  const { usage } = trace;
  const builtIn = isBuiltIn(trace.service ?? '');
  const time = (ms: number | null | undefined) => (ms === null || ms === undefined ? '' : formatWait(ms));
  const steps: [string, string, string][] = [
    ...(trace.query === null ? [] : [[t('why.question'), trace.query, ''] satisfies [string, string, string]]),
    ...(trace.searchMs === null
      ? []
      : [
          [
            t('why.search'),
            [
              t('why.found', { count: trace.passages.length }),
              ...(used > 0 && !trace.refused ? [t(builtIn ? 'why.read' : 'why.given', { count: used })] : []),
            ].join(t('common:dot')),
            time(trace.searchMs),
          ] satisfies [string, string, string],
        ]),
    ...(trace.prompt === null
      ? []
      : [
          [t('usage.service'), modelName(trace.service ?? ''), time(builtIn ? null : usage?.firstTokenMs)] satisfies [
            string,
            string,
            string,
          ],
        ]),
    ...(trace.tools.length === 0
      ? []
      : [[t('conversations:tool.label'), formatNumber(trace.tools.length), ''] satisfies [string, string, string]]),
    [
      t('why.answer'),
      usage && usage.tokensOut > 0
        ? t('why.tokens', { count: usage.tokensOut, shown: formatNumber(usage.tokensOut) })
        : builtIn && !trace.refused && quoted > 0
          ? t('why.quoted', { count: quoted })
          : '',
      time(usage?.latencyMs),
    ],
  ];
  return (
    <ol className={own['flow']} aria-label={t('why.flow')}>
      {steps.map(([name, detail, took]) => (
        <li key={name}>
          <strong>{name}</strong>
          <span>{detail}</span>
          <small>{took}</small>
        </li>
      ))}
    </ol>
  );
}

interface PassageProps {
  passage: Trace['passages'][number];
  isRefused: boolean;
  /** By a model that only quotes, and is sent nothing. */
  isRead: boolean;
  /** Of the best score. */
  share: number;
  onCitation(citation: Citation): void;
}

/** A press opens it in its document. */
function Passage({ passage, isRefused, isRead, share, onCitation }: PassageProps) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const { document, knowledge, embedding, page, headings, text, number, used, cited } = passage;
  const place = [...headings.slice(-1), ...(page ? [t('source.page', { page })] : [])].join(t('common:dot'));
  const name = document?.name ?? t('why.gone');
  const percent = formatNumber(Math.round(share * 100));
  const isGiven = used && !isRefused;
  const content = (
    <>
      <span className={own['head']}>
        <b data-cited={cited !== null || undefined}>{cited ?? '–'}</b>
        <strong>{name}</strong>
        <span className={own['score']} title={t('why.scoreOf', { percent })}>
          <i style={{ width: `${share * 100}%` }} data-given={isGiven || undefined} />
        </span>
      </span>
      <small>
        {[
          cited !== null
            ? t(isRead ? 'why.isQuoted' : 'why.isCited', { number: cited })
            : t(isRead ? (isGiven ? 'why.isRead' : 'why.isUnread') : isGiven ? 'why.isGiven' : 'why.isLeft'),
          ...(!isRead && isGiven && number !== null && number !== cited ? [t('why.known', { number })] : []),
          ...(place ? [place] : []),
        ].join(t('common:dot'))}
      </small>
      {text && <span className={own['excerpt']}>{toExcerpt(text)}</span>}
    </>
  );
  if (!document || !knowledge) return <div className={own['passage']}>{content}</div>;
  return (
    <button
      type="button"
      className={own['passage']}
      title={t('why.openPassage', { name })}
      onClick={() =>
        onCitation({
          number: cited ?? number ?? 1,
          document: { ...document, mime: /\.pdf$/i.test(document.name) ? 'application/pdf' : '' },
          knowledge,
          embedding,
          page,
          headings,
          quote: text,
        })
      }
    >
      {content}
    </button>
  );
}

function PromptPart({ role, text }: NonNullable<Trace['prompt']>[number]) {
  const { t } = useTranslation('conversations-panels', 'conversations');
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
