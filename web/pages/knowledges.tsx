import { useTranslation } from '../lib/i18n.ts';
import { KnowledgeList } from '../features/knowledge/knowledge-list.tsx';
import { useTitle } from '../lib/use-title.ts';

export default function KnowledgesPage() {
  const { t } = useTranslation('common');
  useTitle(t('page.knowledges'));
  return <KnowledgeList />;
}
