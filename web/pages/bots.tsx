import { useTranslation } from '../lib/i18n.ts';
import { BotList } from '../features/bots/bot-list.tsx';
import { useTitle } from '../lib/use-title.ts';

export default function BotsPage() {
  const { t } = useTranslation('common');
  useTitle(t('page.bots'));
  return <BotList />;
}
