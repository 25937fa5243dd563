import { useNavigate } from '@tanstack/react-router';
import { useLostTexts } from '../lib/lost-files.ts';
import { useTranslation } from '../lib/i18n.ts';
import { BaseForm } from '../features/knowledge/base-form.tsx';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { useCreateKnowledge } from '../features/knowledge/knowledge.queries.ts';
import { useTitle } from '../lib/use-title.ts';
import { toast } from '../ui/toast.tsx';
import { Page } from '../ui/page.tsx';

export default function KnowledgeAddPage() {
  const { t } = useTranslation('knowledge');
  const navigate = useNavigate();
  const create = useCreateKnowledge();
  const lostTexts = useLostTexts();
  useTitle(t('common:page.knowledge-add'));
  return (
    <Page width="form" above={<Crumbs />} title={t('common:page.knowledge-add')}>
      <BaseForm
        isBusy={create.isPending}
        error={create.error}
        onSubmit={(values) =>
          create.mutate(values, {
            onSuccess: ({ base, lost }) => {
              lostTexts(lost).forEach(toast.lasting);
              void navigate({ to: `/Knowledge/${base}/documents` });
            },
          })
        }
      />
    </Page>
  );
}
