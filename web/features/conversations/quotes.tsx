import type { Citation } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import own from './quotes.module.css';

/** What an answer quotes, document by document; a press shows the words, and on paper they are all there. */
export function Quotes({ citations }: { citations: Citation[] }) {
  const { t } = useTranslation('conversations');
  return (
    <div className={own['quotes']} role="group" aria-label={t('citation.sources')}>
      {citations.map(({ number, document, page, headings, quote }) => (
        <details key={number} data-number={number}>
          <summary>
            <b>{number}</b>
            <span>
              <bdi>{document.name}</bdi>
              <small>
                {[...headings.slice(-1), ...(page ? [t('citation.page', { page })] : [])].join(t('common:dot'))}
              </small>
            </span>
          </summary>
          <p>{toExcerpt(quote)}</p>
        </details>
      ))}
    </div>
  );
}

/** Shows what a number in an answer stands for, in the list below it. */
export function openQuote(answer: HTMLElement | null, number: number): void {
  const quote = answer?.querySelector(`[data-number="${number}"]`);
  if (!(quote instanceof HTMLDetailsElement)) return;
  quote.open = true;
  quote.querySelector('summary')?.focus({ preventScroll: true });
  quote.scrollIntoView({ block: 'nearest' });
}
