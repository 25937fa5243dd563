import { Alert, Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Knowledge, SearchHit } from '../../../shared/contracts/knowledge.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { Section, State } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import classes from './knowledge.module.css';
import { useSearchTest } from './knowledge.queries.ts';
import { matchesIn } from './matches.ts';
import { useTriedQuestions } from './tried-questions.ts';

/** Asks a base directly: what would be found, in which order, and by which words. */
export function SearchTest({ base: { uuid: base, settings } }: { base: Pick<Knowledge, 'uuid' | 'settings'> }) {
  const { t } = useTranslation('knowledge');
  const [query, setQuery] = useState('');
  const search = useSearchTest(base);
  const tried = useTriedQuestions(base);
  const ask = (question: string) => {
    setQuery(question);
    search.mutate(question);
    tried.add(question);
  };
  const isEnough = (search.data?.meta.coverage ?? 0) >= settings.retrieval.threshold;
  const best = search.data?.data[0]?.score ?? 1;
  return (
    <div className={classes['test']}>
      <form
        className={classes['tools']}
        onSubmit={(event) => {
          event.preventDefault();
          if (query.trim()) ask(query.trim());
        }}
      >
        <TextInput
          className={classes['ask'] ?? ''}
          aria-label={t('test.label')}
          placeholder={t('test.placeholder')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          maxLength={2000}
        />
        <Button type="submit" loading={search.isPending} disabled={!query.trim()}>
          {t('test.submit')}
        </Button>
      </form>
      {tried.questions.length > 0 && (
        <div className={classes['tried']} role="group" aria-label={t('test.recent')}>
          <span aria-hidden>{t('test.recent')}</span>
          {tried.questions.map((question) => (
            <button key={question} type="button" className={classes['chip']} onClick={() => ask(question)}>
              {question}
            </button>
          ))}
          <button type="button" className={classes['clear']} onClick={tried.forget}>
            {t('test.forget')}
          </button>
        </div>
      )}
      {search.isError && <Alert color="red">{search.error.message}</Alert>}
      {search.isIdle && tried.questions.length === 0 && (
        <EmptyState drawing="search" title={t('tabs.test')} text={t('test.invite')} />
      )}
      {search.data && (
        <div aria-live="polite">
          <p className={classes['verdict']}>
            <State kind={isEnough ? 'live' : 'warning'}>
              {t('test.coverage', { percent: Math.round(search.data.meta.coverage * 100) })}
            </State>
            <span>{isEnough ? t('test.answers') : t('test.refuses')}</span>
            <span className={classes['count']}>
              {t('test.found', {
                count: search.data.data.length,
                ms: formatNumber(Math.ceil(search.data.meta.tookMs)),
              })}
            </span>
          </p>
          {search.data.data.length === 0 ? (
            <EmptyState drawing="search" title={t('test.nothing')} text={t('test.nothingText')} />
          ) : (
            <Section title={t('test.passages')} count={search.data.data.length}>
              {search.data.data.map((hit, at) => (
                <Hit key={hit.embedding.uuid} base={base} hit={hit} at={at} query={search.variables} best={best} />
              ))}
            </Section>
          )}
        </div>
      )}
    </div>
  );
}

interface HitProps {
  base: string;
  hit: SearchHit;
  at: number;
  query: string;
  best: number;
}

function Hit({ base, hit: { embedding, document, score }, at, query, best }: HitProps) {
  const { t } = useTranslation('knowledge');
  const text = toExcerpt(embedding.text);
  return (
    <article className={classes['hit']}>
      <header>
        <span className={classes['number']}>{at + 1}</span>
        <Link
          to="/Knowledge/$id/documents/$documentId"
          params={{ id: base, documentId: document.uuid }}
          search={{ chunk: embedding.uuid, ...(embedding.page !== null && { page: String(embedding.page) }) }}
          className={classes['hitLink']}
          aria-label={t('test.open', { name: document.name, number: embedding.position + 1 })}
        >
          {document.name}
        </Link>
        <span className={classes['hitPlace']}>
          {[...(embedding.page === null ? [] : [t('test.page', { page: embedding.page })]), ...embedding.headings].join(
            ' › ',
          )}
        </span>
        <span className={classes['score']} title={t('test.score')}>
          <span style={{ width: `${(score / best) * 100}%` }} />
        </span>
        <span className={classes['figure']}>{score.toFixed(1)}</span>
      </header>
      <p>
        {matchesIn(text, query).map((part, index) =>
          part.isMatch ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
        )}
      </p>
    </article>
  );
}
