import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { AuditPanel } from '../features/operator/audit.tsx';
import { HealthPanel } from '../features/operator/health.tsx';
import { HostsPanel } from '../features/operator/hosts.tsx';
import { MailPanel } from '../features/operator/mails.tsx';
import { RegistrationPanel } from '../features/operator/registration.tsx';
import { UsersPanel } from '../features/operator/users.tsx';
import { useTitle } from '../lib/use-title.ts';
import { SkeletonRows } from '../ui/paged-list.tsx';
import { Page } from '../ui/page.tsx';
import { useOpenTab } from '../ui/use-open-tab.ts';

const OperatedServices = lazy(async () => ({
  default: (await import('../features/models/operated-services.tsx')).OperatedServices,
}));

const OperatedPayments = lazy(async () => ({
  default: (await import('../features/payments/operated.tsx')).OperatedPayments,
}));
const ExplorePanel = lazy(async () => ({ default: (await import('../features/explore/operated.tsx')).ExplorePanel }));

const panels = {
  health: HealthPanel,
  users: UsersPanel,
  models: OperatedServices,
  payments: OperatedPayments,
  explore: ExplorePanel,
  registration: RegistrationPanel,
  hosts: HostsPanel,
  audit: AuditPanel,
  mail: MailPanel,
};
const tabs = [
  'health',
  // Near the first, so that a phone shows it: mail is what most servers lack.
  'mail',
  'users',
  'models',
  'payments',
  'explore',
  'registration',
  'hosts',
  'audit',
] as const satisfies (keyof typeof panels)[];

const route = getRouteApi('/app/Operator');

export default function OperatorPage() {
  const { t } = useTranslation('operator');
  const { tab: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const tab = tabs.find((each) => each === wanted) ?? 'health';
  const list = useOpenTab(tab);
  const Panel = panels[tab];
  useTitle(t('common:page.operator'));
  return (
    <Page title={t('common:page.operator')} facts={tab === 'health' && t('description')}>
      <Tabs value={tab} onChange={(next) => void navigate({ search: next ? { tab: next } : {} })} keepMounted={false}>
        <Tabs.List ref={list}>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tabs.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Suspense fallback={<SkeletonRows />}>
            <Panel />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
