import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';
import { BaseForm } from '../features/knowledge/base-form.tsx';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { useCreateKnowledge } from '../features/knowledge/knowledge.queries.ts';
import { useTellLost } from '../ui/tell-lost.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';

export default function KnowledgeAddPage() {
  const { t } = useTranslation('knowledge');
  const navigate = useNavigate();
  const create = useCreateKnowledge();
  const tellLost = useTellLost();
  useTitle(t('common:page.knowledge-add'));
  return (
    <Page width="form" above={<Crumbs />} title={t('common:page.knowledge-add')}>
      <BaseForm
        isBusy={create.isPending}
        error={create.error}
        onSubmit={(values) =>
          create.mutate(values, {
            onSuccess: ({ base, lost }) => {
              tellLost(lost);
              void navigate({ to: `/Knowledge/${base}/documents` });
            },
          })
        }
      />
    </Page>
  );
}
