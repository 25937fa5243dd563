import { FiguresPanel } from '../features/figures/figures-panel.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

export default function FiguresPage() {
  const { t } = useTranslation('common');
  useTitle(t('page.figures'));
  return <FiguresPanel />;
}
