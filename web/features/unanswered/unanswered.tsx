import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Page } from '../../ui/page.tsx';
import { PanelArea, SidePanel } from '../../ui/side-panel.tsx';
import type { Written } from './answer-form.tsx';
import { QuestionDetail, StatusButton, type AnswerText } from './question-detail.tsx';
import { QuestionList, searchOf } from './question-list.tsx';
import { useQuestions, type Filter } from './unanswered.queries.ts';
import classes from './unanswered.module.css';

interface Props {
  filter: Filter;
  question: string | undefined;
  AnswerText: AnswerText;
  onFilter(changes: Partial<Filter>): void;
  onOpen(question: string | undefined): void;
  onCitation(citation: Citation): void;
}

/** What visitors asked and no document answers: a list, and beside it one of them with its form; on a phone one after the other. */
export function UnansweredQuestions({ filter, question, AnswerText, onFilter, onOpen, onCitation }: Props) {
  const { t } = useTranslation('unanswered');
  const [drafts] = useState(() => new Map<string, Written>());
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const questions = useQuestions(filter);
  const rows = questions.data?.map(({ uuid }) => uuid) ?? [];
  const at = question === undefined ? -1 : rows.indexOf(question);
  // What was answered leaves the list, and the next one stands in its place.
  const place = useRef(0);
  useEffect(() => {
    if (at >= 0) place.current = at;
  }, [at]);
  const others = rows.filter((uuid) => uuid !== question);
  const goOn = () => onOpen(others[place.current] ?? others.at(-1));
  const step = (by: 1 | -1) => {
    if (document.querySelector('[aria-modal="true"], [role="menu"]')) return;
    if (question !== undefined) {
      const next = at < 0 ? others[place.current] : rows[at + by];
      if (next) onOpen(next);
      return;
    }
    const links = [...document.querySelectorAll<HTMLElement>('[data-question]')];
    const focused = links.findIndex((link) => link === document.activeElement);
    links[focused < 0 ? 0 : Math.min(Math.max(focused + by, 0), links.length - 1)]?.focus();
  };
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ]);
  const detail = question !== undefined && (
    <QuestionDetail
      key={question}
      uuid={question}
      drafts={drafts}
      AnswerText={AnswerText}
      hasNext={others.length > 0}
      onNext={goOn}
      onCitation={onCitation}
    />
  );
  const status = question !== undefined && <StatusButton key={question} uuid={question} onDone={goOn} />;
  return (
    <PanelArea className={classes['scroll']}>
      {isPhone && detail ? (
        <Page
          title={t('detail.title')}
          above={
            <Link to="/Unanswered" search={searchOf(filter)} className={classes['back']} aria-label={t('common:back')}>
              <IconArrowLeft size={20} stroke={1.6} />
            </Link>
          }
          actions={status}
        >
          {detail}
        </Page>
      ) : (
        <>
          <QuestionList filter={filter} questions={questions} question={question} onFilter={onFilter} />
          <SidePanel
            opened={question !== undefined}
            onClose={() => onOpen(undefined)}
            title={t('detail.title')}
            end={status}
          >
            {detail}
          </SidePanel>
        </>
      )}
    </PanelArea>
  );
}
