import { Alert, Button, TextInput } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { knowledge, Knowledge, SearchHit } from '../../../shared/contracts/knowledge.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { useMay } from '../../lib/session.ts';
import { Section, State } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CutName } from './cut-name.tsx';
import classes from './knowledge.module.css';
import { useSearchTest } from './knowledge.queries.ts';
import { matchesIn, sortMatches } from './matches.ts';
import { maxLengths } from './pairs.ts';
import { PassageSkeletons } from './skeletons.tsx';
import { useTriedQuestions } from './tried-questions.ts';

interface Props {
  base: Pick<Knowledge, 'uuid' | 'settings' | 'documentCount'>;
  /** The question of the address, so that going back comes back to what it found. */
  asked: string;
  onAsk(question: string): void;
}

/** Asks a base directly: what would be found, in which order, and by which words. */
export function SearchTest({ base: { uuid: base, settings, documentCount }, asked, onAsk }: Props) {
  const { t } = useTranslation('knowledge-test', 'knowledge');
  const [typed, setTyped] = useState<string>();
  const [isTold, setIsTold] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const search = useSearchTest(base, asked);
  const tried = useTriedQuestions(base);
  const others = tried.questions.filter((question) => question !== asked);
  const query = typed ?? asked;
  const ask = (question: string) => {
    setTyped(undefined);
    tried.add(question);
    if (question === asked) void search.refetch();
    else onAsk(question);
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
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={maxLengths.question}
          error={isTold && isUnasked && t('missing')}
        />
        <Button type="submit" loading={search.isFetching}>
          {t('submit')}
        </Button>
      </form>
      {others.length > 0 && (
        <div className={classes['tried']} role="group" aria-label={t('recent')}>
          <span aria-hidden>{t('recent')}</span>
          {others.map((question) => (
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
      {search.isLoading && <PassageSkeletons />}
      {asked === '' && (
        <EmptyState
          drawing="search"
          title={t('knowledge:tabs.test')}
          text={t(documentCount > 0 ? 'invite' : 'inviteEmpty')}
        />
      )}
      {search.data && (
        <Results base={base} threshold={settings.retrieval.threshold} query={asked} found={search.data} />
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

/** So little below the threshold, another threshold would help; far below, it would let anything through. */
const nearlyEnough = 0.15;

function Results({ base, threshold, query, found: { data, meta } }: ResultsProps) {
  const { t } = useTranslation('knowledge-test', 'knowledge');
  const mayEdit = useMay('edit');
  const hits = data.map((hit, at) => ({ hit, at, base, query, threshold, words: matchedWords(hit, query) }));
  const words = hits[0]?.words ?? { found: [], missing: [] };
  const isEnough = data.length > 0 && meta.coverage >= threshold;
  const isWeak = ({ hit: { coverage }, words: { found } }: HitProps) => coverage < threshold && found.length === 0;
  const near = hits.filter((each) => !isWeak(each));
  // Where nothing has a word of the question, what is the least unlike it says nothing.
  const weak = near.length > 0 ? hits.filter((each) => isWeak(each) && each.hit.coverage >= 0.005) : [];
  return (
    <div aria-live="polite">
      <div className={classes['verdict']}>
        <State kind={isEnough ? 'live' : 'warning'}>
          <b>{t(isEnough ? 'answers' : 'refuses')}</b>
        </State>
        {near.length > 0 && (
          <>
            <span className={classes['gauge']} aria-hidden>
              <span style={{ width: `${100 * meta.coverage}%` }} data-short={!isEnough || undefined} />
              <i style={{ insetInlineStart: `${100 * threshold}%` }} />
            </span>
            <p className={classes['hint']} title={t('weightsAbout')}>
              {t('weights', { weight: formatShare(meta.coverage), threshold: formatShare(threshold) })}
            </p>
          </>
        )}
        <p className={classes['hint']}>
          {words.found.length > 0
            ? t('has', { words: words.found.join(t('common:comma')) })
            : t(isEnough ? 'hasOther' : near.length > 0 ? 'hasNone' : 'nothing')}
        </p>
        {words.found.length > 0 && words.missing.length > 0 && (
          <p className={classes['hint']}>{t('misses', { words: words.missing.join(t('common:comma')) })}</p>
        )}
        {!isEnough && (
          <div className={classes['next']}>
            {mayEdit && (
              <Button
                component={Link}
                to={`/Knowledge/${base}/documents/Create?${new URLSearchParams({ question: query }).toString()}`}
                size="xs"
              >
                {t('write')}
              </Button>
            )}
            {mayEdit && meta.coverage > threshold - nearlyEnough && (
              <Link to="/Knowledge/$id/documents" params={{ id: base }} search={{ tab: 'settings' }}>
                {t('change')}
              </Link>
            )}
          </div>
        )}
      </div>
      {near.length > 0 && (
        <Section
          title={t(isEnough ? 'passages' : 'closest')}
          count={formatNumber(near.length)}
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

function Hit({ base, hit, at, query, threshold, words: { parts } }: HitProps) {
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
          {matchesIn(
            [...(embedding.page === null ? [] : [t('page', { page: embedding.page })]), ...embedding.headings].join(
              ' › ',
            ),
            query,
          ).map(markMatch)}
        </span>
        <span
          className={classes['figure']}
          title={t('words', { found: formatNumber(parts.found), of: formatNumber(parts.of) })}
        >
          {formatShare(coverage)}
        </span>
        <span className={classes['score']} title={t('score', { score: score.toFixed(1) })}>
          <span style={{ width: `${100 * coverage}%` }} data-short={coverage < threshold || undefined} />
        </span>
      </header>
      <p>{matchesIn(text, query).map(markMatch)}</p>
    </article>
  );
}

const markMatch = ({ text, isMatch }: ReturnType<typeof matchesIn>[number], at: number) =>
  isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
