import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LazyAnswerText, prefetchAnswerText } from '../features/conversations/lazy-answer-text.tsx';
import { reasons, searchOf, statuses } from '../features/unanswered/question-list.tsx';
import { UnansweredQuestions } from '../features/unanswered/unanswered.tsx';
import type { Filter } from '../features/unanswered/unanswered.queries.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/app/Unanswered');

export default function UnansweredPage() {
  const { t } = useTranslation('common');
  const { question, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const leave = useNavigate();
  const filter: Filter = {
    status: statuses.find((each) => each === search.status) ?? 'open',
    reason: reasons.find((each) => each === search.reason),
    bot: search.bot,
    q: search.q,
  };
  useTitle(t('page.unanswered'));
  useEffect(() => void prefetchAnswerText(), []);
  return (
    <UnansweredQuestions
      filter={filter}
      question={question}
      AnswerText={LazyAnswerText}
      // A filter is no step, and what is open may not be in the list then.
      onFilter={(changes) => void navigate({ search: searchOf({ ...filter, ...changes }), replace: true })}
      onOpen={(next) =>
        void navigate({
          search: { ...searchOf(filter), ...(next && { question: next }) },
          replace: question !== undefined,
        })
      }
      onCitation={({ knowledge, document, embedding }) =>
        void leave({
          to: '/Knowledge/$id/documents/$documentId',
          params: { id: knowledge, documentId: document.uuid },
          search: { chunk: embedding },
        })
      }
    />
  );
}
