import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bots } from '../../../shared/contracts/bots.ts';
import { ApiError, call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { chooseWorkspace, fetchUser, getUser, getWorkspace, useMay } from '../../lib/session.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { toast } from '../../ui/toast.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import { useListingPreview, usePublicBot } from './explore.queries.ts';
import { ListingPreview } from './listing-preview.tsx';
import { PublicBot } from './public-bot.tsx';

interface Props {
  bot: string;
  /** Nothing where the bot is only shown as everybody gets it. */
  error: object | null;
  /** For whatever else is wrong. */
  otherwise: ReactNode;
}

const isUuid = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

/** A bot that is not here may be in another workspace of the person's own, which is one press away, or be for everybody. */
export function BotProblem({ bot, error, otherwise }: Props) {
  const { t } = useTranslation('explore');
  const isMissing = !error || (error instanceof ApiError && error.status === 404);
  const place = useQuery({
    queryKey: ['bot-place', bot],
    enabled: isMissing && isUuid(bot),
    retry: false,
    queryFn: async ({ signal }) => (await call(bots.place, { params: { uuid: bot }, signal, anywhere: true })).data,
  });
  const isElsewhere = place.data && place.data.uuid !== getWorkspace()?.uuid;
  const shown = usePublicBot(bot, isMissing && !isElsewhere);
  const isOperator = useMay('operator');
  const preview = useListingPreview(bot, isOperator && isUuid(bot) && shown.data === null);
  if (isMissing && ((isUuid(bot) && place.isPending) || (!isElsewhere && shown.isPending))) return null;
  if (!place.data || !isElsewhere) {
    if (shown.data) return <PublicBot bot={shown.data} />;
    if (preview.isLoading) return null;
    return preview.data ? <ListingPreview bot={preview.data} /> : otherwise;
  }
  const { uuid, name } = place.data;
  const change = async () => {
    const find = () => getUser()?.workspaces.find((each) => each.uuid === uuid);
    if (!find()) await fetchUser().catch((error: unknown) => toast.error(errorText(error)));
    const found = find();
    if (found) chooseWorkspace(found);
  };
  return (
    <Center mih="70vh" p="lg">
      <Stack align="center" gap="sm" ta="center" maw={480}>
        <Drawing kind="bots" size={160} />
        <Title order={1} size="h3" {...pageTitle}>
          {t('elsewhere.title')}
        </Title>
        <Text c="dimmed">{t('elsewhere.text', { name })}</Text>
        <Button mt="sm" onClick={() => void change()}>
          {t('elsewhere.switch', { name })}
        </Button>
      </Stack>
    </Center>
  );
}
