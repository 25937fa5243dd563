import { Container, Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Keys } from '../features/keys/key-list.tsx';
import { useTitle } from '../lib/use-title.ts';
import { PageHeader } from '../ui/page-header.tsx';

export default function TokenPage() {
  const { t } = useTranslation('keys');
  useTitle(t('title'));
  return (
    <Container size="lg" py="lg">
      <PageHeader title={t('title')} />
      <Tabs value="keys">
        <Tabs.List mb="md">
          <Tabs.Tab value="keys">{t('tab')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="keys">
          <Keys />
        </Tabs.Panel>
      </Tabs>
    </Container>
  );
}
