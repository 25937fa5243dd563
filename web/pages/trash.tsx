import { TrashList } from '../features/trash/trash-list.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

export default function TrashPage() {
  const { t } = useTranslation('common');
  useTitle(t('page.trash'));
  return <TrashList />;
}
