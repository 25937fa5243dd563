import { Skeleton, Stack } from '@mantine/core';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { PublicBot } from '../features/explore/public-bot.tsx';
import { usePublicBot } from '../features/explore/explore.queries.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';

const route = getRouteApi('/app/Bot/$id/Chat');

/** A bot's chat for who is not signed in: where it is for everybody, or else the way to sign in. */
export default function PublicBotPage() {
  const { id } = route.useParams();
  const bot = usePublicBot(id);
  if (bot.isPending)
    return (
      <Stack p="md" w="100%" maw={760} mx="auto">
        <Skeleton height={40} />
        <Skeleton height={320} />
      </Stack>
    );
  if (bot.data) return <PublicBot bot={bot.data} />;
  if (bot.isError) return <RootErrorPage error={bot.error} />;
  return <Navigate to="/Login" search={{ next: window.location.pathname + window.location.search }} replace />;
}
