import { getRouteApi } from '@tanstack/react-router';
import { useMayAsk, useSharedThread } from '../features/conversations/conversations.queries.ts';
import { SharedThread, SharedThreadGone, SharedThreadSkeleton } from '../features/conversations/shared-thread.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { PublicFrame, PublicPage } from '../features/shell/public-page.tsx';
import { ApiError } from '../lib/api.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useUser } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/Shared/$token');

export default function SharedPage() {
  return (
    <PublicPage>
      <Page />
    </PublicPage>
  );
}

function Page() {
  const { token } = route.useParams();
  const thread = useSharedThread(token);
  const mayAsk = useMayAsk(thread.data?.bot.uuid, useUser() !== undefined);
  useTitle(thread.data?.title);
  const { t } = useTranslation('conversations-panels');
  const isGone = thread.error instanceof ApiError && thread.error.status === 404;
  if (thread.isError && !isGone) return <RootErrorPage error={thread.error} />;
  return (
    <PublicFrame note={!isGone && t('shared.note')}>
      {isGone ? (
        <SharedThreadGone title={t('shared.gone')} text={t('shared.goneText')} />
      ) : thread.isPending ? (
        <SharedThreadSkeleton />
      ) : (
        thread.data && <SharedThread thread={thread.data} mayAsk={mayAsk} />
      )}
    </PublicFrame>
  );
}
