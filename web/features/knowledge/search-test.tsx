import { Alert, Button, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState, type SyntheticEvent } from 'react';
import { noLabels, type knowledge, type Knowledge, type SearchHit } from '../../../shared/contracts/knowledge.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useKnownLabels } from '../../lib/labels.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { isComposing } from '../../ui/keyboard.ts';
import { Section, State } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CutName } from './cut-name.tsx';
import classes from './knowledge.module.css';
import { useSearchTest } from './knowledge.queries.ts';
import { matchesIn, sortMatches } from './matches.ts';
import { maxLengths } from './pairs.ts';
import { PassageSkeletons } from './skeletons.tsx';
import { useTriedQuestions } from './tried-questions.ts';

// Only where there is a label to choose.
const LabelFilter = lazy(async () => ({ default: (await import('../../lib/label-filter.tsx')).LabelFilter }));

interface Props {
  base: Pick<Knowledge, 'uuid' | 'settings' | 'documentCount' | 'busyCount' | 'bots'>;
  /** The question of the address, so that going back comes back to what it found. */
  asked: string;
  onAsk(question: string): void;
}

/** Asks a base directly: what would be found, in which order, and by which words. */
export function SearchTest({ base: whole, asked, onAsk }: Props) {
  const { uuid: base, documentCount, busyCount } = whole;
  const { t } = useTranslation('knowledge-test', 'knowledge');
  const [typed, setTyped] = useState<string>();
  const [isTold, setIsTold] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const [filter, setFilter] = useState(noLabels);
  const known = useKnownLabels([base]);
  const search = useSearchTest(base, { query: asked, filter, isReading: busyCount > 0 });
  const tried = useTriedQuestions(base);
  // As in the style sheet.
  const isWide = useMediaQuery('(min-width: 80em)', window.innerWidth >= 1280);
  // Beside what is found there is room for the one that is asked, too.
  const others = isWide ? tried.questions : tried.questions.filter((question) => question !== asked);
  const query = typed ?? asked;
  const ask = (question: string) => {
    setTyped(undefined);
    tried.add(question);
    if (question === asked) void search.refetch();
    else onAsk(question);
  };
  const isUnasked = query.trim() === '';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setIsTold(isUnasked);
    if (isUnasked) return void field.current?.focus();
    // What was found is seen, and no keyboard before it.
    if (!isWide) field.current?.blur();
    ask(query.trim());
  };
  return (
    <div className={classes['test']}>
      <form className={classes['tools']} onSubmit={submit}>
        <Textarea
          ref={field}
          className={classes['ask'] ?? ''}
          aria-label={t('label')}
          placeholder={t('placeholder')}
          value={query}
          onChange={(event) => setTyped(event.currentTarget.value)}
          // A question is one line, and all of it is seen.
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !isComposing(event)) submit(event);
          }}
          autosize
          minRows={1}
          maxRows={4}
          maxLength={maxLengths.question}
          error={isTold && isUnasked && t('missing')}
        />
        <Button type="submit" loading={search.isFetching}>
          {t('submit')}
        </Button>
      </form>
      {known.length > 0 && (
        <Suspense>
          <LabelFilter isBare known={known} value={filter} onChange={setFilter} />
        </Suspense>
      )}
      {(others.length > 0 || isWide) && (
        <div className={classes['tried']} data-last={asked !== '' || undefined} role="group" aria-label={t('recent')}>
          <span aria-hidden>{t('recent')}</span>
          {others.length === 0 && <p className={classes['hint']}>{t('recentNone')}</p>}
          {others.length > 0 && (
            <>
              <button type="button" className={classes['clear']} onClick={tried.forget}>
                {t('forget')}
              </button>
              <div className={classes['chips']}>
                {others.map((question) => (
                  <button
                    key={question}
                    type="button"
                    className={classes['chip']}
                    title={question}
                    aria-current={question === asked || undefined}
                    onClick={() => ask(question)}
                  >
                    {question}
                  </button>
                ))}
              </div>
            </>
          )}
        </div>
      )}
      <div className={classes['searched']}>
        {busyCount > 0 && asked !== '' && (
          <p className={classes['reading']}>
            <State kind="working">{t('reading', { count: busyCount, shown: formatNumber(busyCount) })}</State>
          </p>
        )}
        {search.isError && <Alert color="red">{errorText(search.error)}</Alert>}
        {search.isLoading && <PassageSkeletons />}
        {asked === '' && (
          <EmptyState
            drawing="search"
            title={t('knowledge:tabs.test')}
            text={t(documentCount > 0 ? 'invite' : 'inviteEmpty')}
          />
        )}
        {search.data && <Results base={whole} query={asked} found={search.data} />}
      </div>
    </div>
  );
}

interface ResultsProps {
  base: Props['base'];
  query: string;
  found: ReplyOf<typeof knowledge.search>;
}

/** So little below the threshold, another threshold would help; far below, it would let anything through. */
const nearlyEnough = 0.08;

const mostAsked = 2;

/** Of what lacks a word, however little that weighs, not all is there. */
const mostInPart = 0.99;

function Results({ base: { uuid: base, settings, bots }, query, found: { data, meta } }: ResultsProps) {
  const { t } = useTranslation('knowledge-test', 'knowledge');
  // What the best passage has to have for a bot to answer.
  const { threshold } = settings.retrieval;
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
        <div className={classes['said']}>
          <State kind={isEnough ? 'live' : 'warning'}>
            <b>{t(isEnough ? 'answers' : 'refuses')}</b>
          </State>
          {near.length > 0 && (
            <span>
              {meta.coverage >= 0.995 && words.missing.length === 0
                ? t('whole')
                : t('weight', { weight: formatShare(Math.min(meta.coverage, mostInPart)) })}
            </span>
          )}
        </div>
        {near.length > 0 && (
          <div className={classes['gauge']}>
            <span aria-hidden>
              <span style={{ width: `${100 * meta.coverage}%` }} data-short={!isEnough || undefined} />
              <i style={{ insetInlineStart: `${100 * threshold}%` }} />
            </span>
            <small style={{ marginInlineStart: `clamp(0px, ${100 * threshold}% - 80px, 100% - 160px)` }}>
              {t('enough', { threshold: formatShare(threshold) })}
            </small>
          </div>
        )}
        {words.found.length > 0 ? (
          <>
            <dl className={classes['matched']}>
              <Words name={t('has')} words={words.found} />
              {words.missing.length > 0 && <Words name={t('misses')} words={words.missing} isMissing />}
            </dl>
            {!isEnough && words.missing.length > 0 && <p className={classes['hint']}>{t('weights')}</p>}
          </>
        ) : (
          <p className={classes['hint']}>{t(isEnough ? 'hasOther' : near.length > 0 ? 'hasNone' : 'nothing')}</p>
        )}
        {isEnough && bots.length > 0 && (
          <div className={classes['next']}>
            {bots.slice(0, mostAsked).map((bot) => (
              <Button
                key={bot.uuid}
                variant="default"
                className={classes['askBot'] ?? ''}
                leftSection={<Avatar mark={bot.mark} name={bot.name} size={20} />}
                renderRoot={(props) => (
                  <Link {...props} to="/Bot/$id/Chat" params={{ id: bot.uuid }} state={{ ask: query }} />
                )}
              >
                {t('askBot', { name: bot.name })}
              </Button>
            ))}
          </div>
        )}
        {!isEnough && mayEdit && (
          <div className={classes['next']}>
            <Button
              component={Link}
              to={`/Knowledge/${base}/documents/Create?${new URLSearchParams({ question: query }).toString()}`}
            >
              {t('write')}
            </Button>
            {meta.coverage > threshold - nearlyEnough ? (
              <Button component={Link} to={`/Knowledge/${base}/documents?tab=settings#retrieval`} variant="default">
                {t('change')}
              </Button>
            ) : (
              <Button component={Link} to={`/Knowledge/${base}/documents/Create`} variant="default">
                {t('knowledge:documents.add')}
              </Button>
            )}
          </div>
        )}
      </div>
      {near.length > 0 && (
        <Section
          title={t(isEnough ? 'passages' : 'closest')}
          count={formatNumber(near.length)}
          end={near.length > 1 && <span className={`${classes['count']} ${classes['wide']}`}>{t('figures')}</span>}
        >
          {near.map((each) => (
            <Hit key={each.hit.embedding.uuid} {...each} isAlone={near.length === 1} />
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

interface WordsProps {
  name: string;
  words: string[];
  isMissing?: boolean;
}

function Words({ name, words, isMissing = false }: WordsProps) {
  return (
    <div>
      <dt>{name}</dt>
      {words.map((word) => (
        <dd key={word} data-missing={isMissing || undefined}>
          {word}
        </dd>
      ))}
    </div>
  );
}

interface HitProps {
  base: string;
  hit: SearchHit;
  at: number;
  query: string;
  threshold: number;
  words: ReturnType<typeof matchedWords>;
  /** What it matches is told above already. */
  isAlone?: boolean;
}

function Hit({ base, hit, at, query, threshold, words: { parts }, isAlone = false }: HitProps) {
  const { t } = useTranslation('knowledge-test', 'knowledge');
  const { embedding, document, score, coverage } = hit;
  const text = toExcerpt(embedding.text);
  const number = embedding.position + 1;
  const place = [...(embedding.page === null ? [] : [t('page', { page: embedding.page })]), ...embedding.headings];
  return (
    <article className={classes['hit']}>
      <header>
        <span className={classes['rank']}>{at + 1}</span>
        <Link
          to="/Knowledge/$id/documents/$documentId"
          params={{ id: base, documentId: document.uuid }}
          search={{ chunk: embedding.uuid, ...(embedding.page !== null && { page: String(embedding.page) }) }}
          className={classes['hitDocument']}
          aria-label={t('open', { name: document.name, number: formatNumber(number) })}
          title={document.name}
        >
          <CutName name={document.name} />
        </Link>
        <span className={classes['hitPlace']}>
          {place.length > 0
            ? matchesIn(place.join(' › '), query).map(markMatch)
            : t('chunk', { number: formatNumber(number) })}
        </span>
        {!isAlone && (
          <>
            <span
              className={classes['figure']}
              title={t('words', { found: formatNumber(parts.found), of: formatNumber(parts.of) })}
            >
              {formatShare(coverage)}
            </span>
            <span className={classes['score']} title={t('score', { score: score.toFixed(1) })}>
              <span style={{ width: `${100 * coverage}%` }} data-short={coverage < threshold || undefined} />
            </span>
          </>
        )}
      </header>
      <p>{matchesIn(text, query).map(markMatch)}</p>
    </article>
  );
}

const markMatch = ({ text, isMatch }: ReturnType<typeof matchesIn>[number], at: number) =>
  isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
