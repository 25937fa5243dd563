import { Button, Center, Code, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { getUser } from '../../lib/session.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { Mark } from '../../ui/logo.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import { DefaultLayout } from './default-layout.tsx';
import { NotFoundPage } from './error-pages.tsx';

/** Whoever is signed in keeps the menu. */
export default function Lost() {
  return getUser() ? (
    <DefaultLayout>
      <NotFoundPage />
    </DefaultLayout>
  ) : (
    <LostStranger />
  );
}

/** Where this is, and the way in. */
function LostStranger() {
  const { t } = useTranslation('accounts');
  const { pathname } = useLocation();
  useTitle(t('common:notFound.title'));
  return (
    <Center component="main" id="main" tabIndex={-1} mih="100vh" p="lg">
      <Stack align="center" gap="sm" ta="center" maw={420}>
        <Group gap={8} mb="md">
          <Mark size={36} />
          <Text fz={26} fw={700}>
            Kotae
          </Text>
        </Group>
        <Drawing kind="lost" />
        <Title order={1} size="h2" {...pageTitle}>
          {t('common:notFound.title')}
        </Title>
        <Text c="dimmed" size="sm" style={{ textWrap: 'balance' }}>
          {t('common:notFound.text')}
        </Text>
        <Text c="dimmed" size="xs">
          404 <Code style={{ overflowWrap: 'anywhere' }}>{pathname}</Code>
        </Text>
        <Button component={Link} to="/Login" mt="xs" size="sm">
          {t('login.submit')}
        </Button>
      </Stack>
    </Center>
  );
}
