import { useTranslation } from '../lib/i18n.ts';
import { InvitationCard } from '../features/accounts/invitation-card.tsx';
import { useQueryText } from '../lib/query-text.ts';
import { useTitle } from '../lib/use-title.ts';

export default function InvitationPage() {
  const { t } = useTranslation('accounts');
  const code = useQueryText()('code') ?? '';
  useTitle(t('invitation.title'));
  return <InvitationCard key={code} code={code} />;
}
