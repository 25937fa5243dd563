import { getRouteApi } from '@tanstack/react-router';
import { SentSource, SentSourceSkeleton, useSentSource } from '../features/conversations/sent-source.tsx';
import { SharedThreadGone } from '../features/conversations/shared-thread.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { PublicFrame, PublicPage } from '../features/shell/public-page.tsx';
import { ApiError } from '../lib/api.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/Source/$message');

export default function SourcePage() {
  return (
    <PublicPage>
      <Page />
    </PublicPage>
  );
}

function Page() {
  const { message } = route.useParams();
  const { key = '', number = '1' } = route.useSearch();
  const sent = { message, key, number: Number(number) };
  const source = useSentSource(sent);
  useTitle(source.data?.title);
  const { t } = useTranslation('conversations-panels');
  const isGone = source.error instanceof ApiError && source.error.status < 500;
  if (source.isError && !isGone) return <RootErrorPage error={source.error} />;
  return (
    <PublicFrame note={!isGone && t('shared.note')}>
      {isGone ? (
        <SharedThreadGone title={t('sent.gone')} text={t('sent.goneText')} />
      ) : source.isPending ? (
        <SentSourceSkeleton />
      ) : (
        source.data && <SentSource sent={sent} source={source.data} />
      )}
    </PublicFrame>
  );
}
