import { Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useScenario } from '../features/line-campaigns/line-campaigns.queries.ts';
import type { StepPage } from '../features/line-campaigns/step-page.tsx';
import { useLineChannel } from '../features/line-channels/line-channels.queries.ts';
import { filledBubbles } from '../features/rich-messages/bubbles.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';
import { Page } from '../ui/page.tsx';

const route = getRouteApi('/app/Line-Channel/$id/Steps/$scenario');

type Props = Omit<ComponentProps<typeof StepPage>, 'parts'>;

const Editor = later(async () => {
  const [{ StepPage: Shown }, { ContentField: Field, ContentPreview: Preview }] = await Promise.all([
    import('../features/line-campaigns/step-page.tsx'),
    import('../features/rich-messages/content-field.tsx'),
  ]);
  return (props: Props) => <Shown {...props} parts={{ Field, Preview, filled: filledBubbles }} />;
});

export default function LineStepsPage() {
  const { t } = useTranslation('line-campaigns');
  const { id, scenario: uuid } = route.useParams();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const channel = useLineChannel(id);
  const scenario = useScenario(uuid);
  useTitle(scenario.data?.name);
  const error = channel.error ?? scenario.error;
  if (!channel.data || !scenario.data)
    return error ? (
      <RootErrorPage error={error} />
    ) : (
      <Page title={t('scenario.title')} width="reading">
        <Skeleton height={320} />
      </Page>
    );
  return (
    <Editor
      key={uuid}
      channel={channel.data}
      scenario={scenario.data}
      tab={tab}
      onTab={(next) => void navigate({ search: { tab: next }, replace: true })}
      onFail={() => void navigate({ to: '/Line-Channel/$id', params: { id }, search: { tab: 'steps' } })}
    />
  );
}
