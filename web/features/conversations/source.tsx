import { ActionIcon, Alert, Anchor, Loader, Skeleton, VisuallyHidden } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconExternalLink,
  IconWorld,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toPlainText } from '../../lib/plain-text.ts';
import { useOriginal } from '../../lib/use-original.ts';
import { bringInSight } from './in-sight.ts';
import { Marked } from './marked.tsx';
import { usePassage } from './passage.queries.ts';
import own from './source.module.css';

const PdfPage = lazy(() => import('./pdf-page.tsx'));

interface Place {
  document: string;
  chunk: string;
  /** What was cited of it, where it was opened from an answer. */
  quote: string | undefined;
}

interface Props {
  place: Place;
  /** All of the answer that cites the place, and the one that is open. */
  citations: Citation[];
  citation: Citation | undefined;
  onOpen(citation: Citation): void;
}

/** The passage in its surroundings, and the page of the document. Without a citation, say by a link, all of the passage is what is cited. */
export default function Source({ place, citations, citation, onOpen }: Props) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const passage = usePassage(place.document, place.chunk);
  if (!citation && passage.isPending) return <Skeleton height={240} />;
  if (!citation && passage.isError) return <Alert color="yellow">{errorText(passage.error)}</Alert>;
  const { data } = passage;
  const document = data?.document ?? (citation && { ...citation.document, knowledge: citation.knowledge });
  if (!document) return null;
  const text = data?.text ?? citation?.quote ?? '';
  const quote = place.quote ?? citation?.quote ?? text;
  const page = data?.page ?? citation?.page ?? null;
  const headings = data?.headings ?? citation?.headings ?? [];
  const isGone = passage.error instanceof ApiError && passage.error.status === 404;
  const quoted = <Passage text={text} quote={quote} before={data?.before?.text} />;
  const head = (
    <>
      <h3 title={document.name}>{document.name}</h3>
      {citation?.document.url && (
        <Anchor className={own['open'] ?? ''} href={citation.document.url} target="_blank" rel="noreferrer">
          <IconWorld size={14} aria-hidden />
          <span>{t('source.page-on-web')}</span>
        </Anchor>
      )}
      {!isGone && (
        <Anchor
          className={own['open'] ?? ''}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/Knowledge/$id/documents/$documentId"
              params={{ id: document.knowledge, documentId: document.uuid }}
              search={{ chunk: place.chunk, ...(page !== null && { page: String(page) }) }}
              state={{ quote }}
              aria-label={t('conversations:citation.document')}
            />
          )}
        >
          <IconExternalLink size={14} aria-hidden />
          <span>{t('source.open')}</span>
        </Anchor>
      )}
    </>
  );
  return (
    <>
      {citations.length > 1 && (
        <ol className={own['list']}>
          {citations.map((each) => (
            <li key={each.number}>
              <button
                type="button"
                aria-current={each === citation || undefined}
                aria-label={t('conversations:citation.open', { number: each.number, name: each.document.name })}
                onClick={() => onOpen(each)}
              >
                <b>{each.number}</b>
                <span>
                  <strong>{each.document.name}</strong>
                  {each.headings.length > 0 && <small>{each.headings.at(-1)}</small>}
                </span>
                {each.page !== null && <small>{t('source.page', { page: each.page })}</small>}
              </button>
            </li>
          ))}
        </ol>
      )}
      {isGone && (
        <p role="note" className={own['note']}>
          {t('source.changed')}
        </p>
      )}
      {document.mime === 'application/pdf' && page !== null && !isGone ? (
        <Original
          key={document.uuid}
          document={document}
          chunk={place.chunk}
          cited={page}
          quote={quote}
          head={head}
          failed={
            <>
              <p role="alert" className={own['note']}>
                {t('source.pageFailed')}
              </p>
              <div className={own['sheet']}>{quoted}</div>
            </>
          }
        >
          <VisuallyHidden>{quoted}</VisuallyHidden>
        </Original>
      ) : (
        <>
          <div className={own['head']}>{head}</div>
          {headings.length > 0 && <p className={own['path']}>{headings.join(' › ')}</p>}
          <div className={own['sheet']}>
            <Beside chunk={data?.before} of={text} headings={headings} isBefore />
            {data?.before && <Heading headings={headings} after={data.before.headings} />}
            {quoted}
            <Beside chunk={data?.after} of={text} headings={headings} />
          </div>
        </>
      )}
    </>
  );
}

interface BesideProps {
  chunk: { text: string; headings: string[] } | null | undefined;
  /** The passage that it stands beside, and the headings over that. */
  of: string;
  headings: string[];
  isBefore?: boolean;
}

/** What the document says before the passage or after it, but for what both have. */
function Beside({ chunk, of, headings, isBefore = false }: BesideProps) {
  const { t } = useTranslation('conversations-panels');
  if (!chunk) return null;
  const text = isBefore
    ? chunk.text.slice(0, chunk.text.length - inCommon(chunk.text, of))
    : chunk.text.slice(inCommon(of, chunk.text));
  const shown = toPlainText(text).trim();
  if (shown === '') return null;
  return (
    <section className={own['beside']} aria-label={t(isBefore ? 'source.before' : 'source.after')}>
      <Heading headings={chunk.headings} after={headings} />
      <p>{shown}</p>
    </section>
  );
}

/** Where it is another one than that of what it stands beside. */
function Heading({ headings, after }: { headings: string[]; after: string[] }) {
  const heading = headings.at(-1);
  return heading === undefined || heading === after.at(-1) ? null : <h4>{heading}</h4>;
}

/** How many characters at the end of one are the beginning of the other. */
function inCommon(one: string, other: string): number {
  let length = Math.min(one.length, other.length);
  while (length > 0 && !one.endsWith(other.slice(0, length))) length--;
  return length;
}

interface OriginalProps {
  document: { uuid: string; knowledge: string };
  chunk: string;
  /** The page that is cited. */
  cited: number;
  quote: string;
  head: ReactNode;
  failed: ReactNode;
  /** The same in words, for whoever cannot see a page. */
  children: ReactNode;
}

const zooms = [1, 1.25, 1.5, 2, 3];

/** The page that is cited, or one that was turned to since; how large it is drawn stays from source to source. */
function Original({ document, chunk, cited, quote, head, failed, children }: OriginalProps) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const [turned, setTurned] = useState({ chunk, page: cited });
  const page = turned.chunk === chunk ? turned.page : cited;
  const [pages, setPages] = useState<number>();
  const [zoom, setZoom] = useState(1);
  const open = useOriginal(document);
  const at = zooms.indexOf(zoom);
  const turn = (to: number) => setTurned({ chunk, page: to });
  const button = (label: string, Icon: typeof IconPlus, isOff: boolean, onClick: () => void) => (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isOff} onClick={onClick}>
      <Icon size={16} />
    </ActionIcon>
  );
  return (
    <>
      <div className={own['head']}>
        {head}
        <span aria-live="polite">{pages ? t('source.pageOf', { page, pages }) : t('source.page', { page })}</span>
      </div>
      {children}
      <div className={own['page']}>
        <Suspense fallback={<Loader mx="auto" my="xl" />}>
          <PdfPage
            open={open}
            page={page}
            zoom={zoom}
            highlight={page === cited ? quote : ''}
            onPages={setPages}
            failed={failed}
            label={t('source.page', { page })}
          />
        </Suspense>
      </div>
      {pages !== undefined && (
        <div className={own['tools']}>
          {button(t('conversations:citation.previousPage'), IconChevronLeft, page <= 1, () => turn(page - 1))}
          {button(t('conversations:citation.nextPage'), IconChevronRight, page >= pages, () => turn(page + 1))}
          {button(t('source.zoomOut'), IconMinus, at <= 0, () => setZoom(zooms[at - 1] ?? 1))}
          <span>{formatNumber(zoom * 100)}%</span>
          {button(t('source.zoomIn'), IconPlus, at === zooms.length - 1, () => setZoom(zooms[at + 1] ?? zoom))}
        </div>
      )}
    </>
  );
}

interface PassageProps {
  text: string;
  quote: string;
  /** What stands above it, once that is known. */
  before: string | undefined;
}

/** The passage with what is quoted of it marked, and in sight. */
function Passage({ text, quote, before }: PassageProps) {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const mark = box.current?.querySelector('mark');
    if (mark) bringInSight(mark);
  }, [text, quote, before]);
  return (
    <p ref={box}>
      <Marked text={text} words={quote} />
    </p>
  );
}
