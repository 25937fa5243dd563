import { Alert, Button, TextInput } from '@mantine/core';
import { IconChevronRight, IconMessage2Question } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { knowledge, Knowledge, SearchHit } from '../../../shared/contracts/knowledge.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { formatList, formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { useMay } from '../../lib/session.ts';
import { Section, State } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CutName } from './cut-name.tsx';
import classes from './knowledge.module.css';
import { useSearchTest } from './knowledge.queries.ts';
import { matchesIn, sortMatches } from './matches.ts';
import { PassageSkeletons } from './skeletons.tsx';
import { useTriedQuestions } from './tried-questions.ts';

type Base = Pick<Knowledge, 'uuid' | 'settings' | 'documentCount'>;

/** Asks a base directly: what would be found, in which order, and by which words. */
export function SearchTest({ base: { uuid: base, settings, documentCount } }: { base: Base }) {
  const { t } = useTranslation('knowledge-test', 'knowledge');
  const [query, setQuery] = useState('');
  const [isTold, setIsTold] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const search = useSearchTest(base);
  const tried = useTriedQuestions(base);
  const ask = (question: string) => {
    setQuery(question);
    search.mutate(question);
    tried.add(question);
  };
  const isUnasked = query.trim() === '';
  return (
    <div className={classes['test']}>
      <form
        className={classes['tools']}
        onSubmit={(event) => {
          event.preventDefault();
          setIsTold(isUnasked);
          if (isUnasked) field.current?.focus();
          else ask(query.trim());
        }}
      >
        <TextInput
          ref={field}
          className={classes['ask'] ?? ''}
          aria-label={t('label')}
          placeholder={t('placeholder')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          maxLength={2000}
          error={isTold && isUnasked && t('missing')}
        />
        <Button type="submit" loading={search.isPending}>
          {t('submit')}
        </Button>
      </form>
      {tried.questions.length > 0 && (
        <div className={classes['tried']} role="group" aria-label={t('recent')}>
          <span aria-hidden>{t('recent')}</span>
          {tried.questions.map((question) => (
            <button key={question} type="button" className={classes['chip']} onClick={() => ask(question)}>
              {question}
            </button>
          ))}
          <button type="button" className={classes['clear']} onClick={tried.forget}>
            {t('forget')}
          </button>
        </div>
      )}
      {search.isError && <Alert color="red">{search.error.message}</Alert>}
      {search.isPending && <PassageSkeletons />}
      {search.isIdle && (
        <EmptyState
          drawing="search"
          title={t('knowledge:tabs.test')}
          text={t(documentCount > 0 ? 'invite' : 'inviteEmpty')}
        />
      )}
      {search.data && (
        <Results base={base} threshold={settings.retrieval.threshold} query={search.variables} found={search.data} />
      )}
    </div>
  );
}

interface ResultsProps {
  base: string;
  /** What the best passage has to have for a bot to answer. */
  threshold: number;
  query: string;
  found: ReplyOf<typeof knowledge.search>;
}

function Results({ base, threshold, query, found: { data, meta } }: ResultsProps) {
  const { t } = useTranslation('knowledge-test', 'knowledge');
  const mayEdit = useMay('edit');
  const [best] = data;
  const write = mayEdit && (
    <Button
      component={Link}
      to={`/Knowledge/${base}/documents/Create?${new URLSearchParams({ question: query }).toString()}`}
      variant="default"
      size="xs"
      leftSection={<IconMessage2Question size={16} stroke={1.75} />}
    >
      {t('write')}
    </Button>
  );
  if (!best)
    return (
      <div aria-live="polite">
        <div className={classes['verdict']}>
          <State kind="warning">
            <b>{t('refuses')}</b>
          </State>
        </div>
        <EmptyState drawing="search" title={t('nothing')} text={t('nothingText')} action={write} />
      </div>
    );
  const isEnough = meta.coverage >= threshold;
  const weights = t('weights', { weight: formatShare(meta.coverage), threshold: formatShare(threshold) });
  const hits = data.map((hit, at) => ({ hit, at, base, query, threshold, words: matchedWords(hit, query) }));
  const words = matchedWords(best, query);
  const isWeak = ({ hit: { coverage }, words: { found } }: HitProps) => coverage < threshold && found.length === 0;
  const [near, weak] = [hits.filter((each) => !isWeak(each)), hits.filter(isWeak)];
  return (
    <div aria-live="polite">
      <div className={classes['verdict']}>
        <State kind={isEnough ? 'live' : 'warning'}>
          <b>{t(isEnough ? 'answers' : 'refuses')}</b>
        </State>
        <span className={classes['gauge']} role="img" aria-label={weights} title={weights}>
          <span style={{ width: `${100 * meta.coverage}%` }} data-short={!isEnough || undefined} />
          <i style={{ insetInlineStart: `${100 * threshold}%` }} />
        </span>
        <p className={classes['hint']}>
          {words.found.length > 0 ? t('has', { words: formatList(words.found) }) : t(isEnough ? 'hasOther' : 'hasNone')}
          {words.found.length > 0 &&
            words.missing.length > 0 &&
            `${t('common:dot')}${t('misses', { words: formatList(words.missing) })}`}
        </p>
        <div className={classes['next']}>
          {!isEnough && write}
          <Link to="/Knowledge/$id/documents" params={{ id: base }} search={{ tab: 'settings' }}>
            {t('change')}
          </Link>
        </div>
      </div>
      {near.length > 0 && (
        <Section
          title={t(isEnough ? 'passages' : 'closest')}
          count={t('found', { count: near.length, ms: formatNumber(Math.ceil(meta.tookMs)) })}
          end={<span className={`${classes['count']} ${classes['wide']}`}>{t('figures')}</span>}
        >
          {near.map((each) => (
            <Hit key={each.hit.embedding.uuid} {...each} />
          ))}
        </Section>
      )}
      {weak.length > 0 && (
        <details className={classes['weak']} key={query}>
          <summary>
            <IconChevronRight size={16} aria-hidden />
            {t('weakOnes', { count: weak.length })}
          </summary>
          {weak.map((each) => (
            <Hit key={each.hit.embedding.uuid} {...each} />
          ))}
        </details>
      )}
    </div>
  );
}

const matchedWords = ({ embedding }: SearchHit, query: string) =>
  sortMatches([...embedding.headings, embedding.text].join('\n'), query);

interface HitProps {
  base: string;
  hit: SearchHit;
  at: number;
  query: string;
  threshold: number;
  words: ReturnType<typeof matchedWords>;
}

function Hit({ base, hit, at, query, threshold, words: { found, parts } }: HitProps) {
  const { t } = useTranslation('knowledge-test', 'knowledge');
  const { embedding, document, score, coverage } = hit;
  const text = toExcerpt(embedding.text);
  const number = embedding.position + 1;
  return (
    <article className={classes['hit']}>
      <header>
        <span className={classes['rank']}>{at + 1}</span>
        <Link
          to="/Knowledge/$id/documents/$documentId"
          params={{ id: base, documentId: document.uuid }}
          className={classes['hitDocument']}
          aria-label={document.name}
          title={document.name}
        >
          <CutName name={document.name} />
        </Link>
        <Link
          to="/Knowledge/$id/documents/$documentId"
          params={{ id: base, documentId: document.uuid }}
          search={{ chunk: embedding.uuid, ...(embedding.page !== null && { page: String(embedding.page) }) }}
          className={classes['hitLink']}
          aria-label={t('open', { name: document.name, number })}
        >
          {t('chunk', { number: formatNumber(number) })}
        </Link>
        <span className={classes['hitPlace']}>
          {[...(embedding.page === null ? [] : [t('page', { page: embedding.page })]), ...embedding.headings].join(
            ' › ',
          )}
        </span>
        <span className={classes['figure']} title={t('weight', { weight: formatShare(coverage) })}>
          {found.length > 0
            ? t('words', { found: formatNumber(parts.found), of: formatNumber(parts.of) })
            : t(coverage >= threshold ? 'otherWords' : 'weak')}
        </span>
        <span className={classes['score']} title={t('score', { score: score.toFixed(1) })}>
          <span style={{ width: `${100 * coverage}%` }} data-short={coverage < threshold || undefined} />
        </span>
      </header>
      <p>
        {matchesIn(text, query).map((part, index) =>
          part.isMatch ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
        )}
      </p>
    </article>
  );
}
