/** What a source has besides its words, where visitors may see pages of PDFs. */
import { useCallback, useState, type ComponentType, type ReactNode } from 'react';
import type { KeyIn } from '../shared/texts.ts';
import { useWidget } from './context.ts';
import type { Source } from './conversation.ts';
import type { Language } from './language.ts';
import { sayIn, type Say } from './texts.ts';
import type { PageProps } from './page.tsx';
import './paper.css';

type Texts = Record<KeyIn<'widget-page'>, string>;
export type SayOfPage = Say<KeyIn<'widget-page'>>;

/** The part with its texts, which the chat does without until then. */
export async function loadPaper(language: Language) {
  const texts: Texts = (
    await (language === 'ja'
      ? import('../shared/locales/ja/widget-page.json')
      : import('../shared/locales/en/widget-page.json'))
  ).default;
  return { Paper, texts };
}

/** A page that somebody wants to see, and how far it is. */
interface Asked {
  source: Source;
  Page?: ComponentType<PageProps>;
  state: 'coming' | 'drawn' | 'failed';
}

interface Props {
  source: Source;
  texts: Texts;
  /** The words, as they stand where there is no page. */
  children: ReactNode;
}

/** The words that are quoted, or in their stead the page that they stand on. */
function Paper({ source, texts, children }: Props) {
  const { setting, language } = useWidget();
  const say: SayOfPage = sayIn(texts, setting.texts[language]);
  const [last, setAsked] = useState<Asked>();
  const asked = last?.source === source ? last : undefined;
  const onState = useCallback((state: 'drawn' | 'failed') => setAsked((before) => before && { ...before, state }), []);
  const show = () => {
    setAsked({ source, state: 'coming' });
    import('./page.tsx').then(
      ({ Page }) => setAsked({ source, Page, state: 'coming' }),
      () => setAsked({ source, state: 'failed' }),
    );
  };
  if (!asked || asked.state === 'failed')
    return (
      <>
        {asked && (
          <p className="fault" role="alert">
            {say('pageFailed')}
          </p>
        )}
        {children}
        <button
          type="button"
          className="chip"
          onClick={({ currentTarget }) => {
            // It goes, and the focus would with it.
            currentTarget.closest<HTMLElement>('.sheet')?.focus();
            show();
          }}
        >
          {say('showPage')}
        </button>
      </>
    );
  return (
    <div className="paper">
      <blockquote className="unseen" dir="auto">
        {source.quote}
      </blockquote>
      {asked.Page && <asked.Page source={source} say={say} onState={onState} />}
      {asked.state === 'coming' && (
        <p className="coming" role="status">
          <span className="unseen">{say('pageComing')}</span>
        </p>
      )}
    </div>
  );
}
