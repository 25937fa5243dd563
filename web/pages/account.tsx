import { Tabs } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { Confirmation } from '../features/accounts/confirmation.tsx';
import { DataPanel } from '../features/accounts/data-panel.tsx';
import { ProfileForm } from '../features/accounts/profile-form.tsx';
import { SecurityPanel } from '../features/accounts/security-panel.tsx';
import { NoticesPanel } from '../features/notices/notices-panel.tsx';
import { useQueryText } from '../lib/query-text.ts';
import { fetchUser, useUser } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';

const tabs = ['profile', 'security', 'notices', 'data'] as const;

export default function AccountPage() {
  // Both files of texts at once: the fields of the sign-in screens are used here, too.
  const { t } = useTranslation('accounts-security', 'accounts');
  const router = useRouter();
  const asked = useQueryText()('tab');
  const user = useUser();
  useTitle(t('common:page.account'));
  // A click in a mail may have changed the account since this page began.
  useEffect(() => void fetchUser(), []);
  if (!user) return null;
  const tab = tabs.find((each) => each === asked) ?? 'profile';
  return (
    <Page width="form" title={t('common:page.account')}>
      <Confirmation>
        <Tabs
          value={tab}
          onChange={(next) => void router.navigate({ href: `/Account?tab=${next}` })}
          keepMounted={false}
        >
          <Tabs.List mb="lg">
            {tabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t(`tabs.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="profile">
            <ProfileForm user={user} />
          </Tabs.Panel>
          <Tabs.Panel value="security">
            <SecurityPanel />
          </Tabs.Panel>
          <Tabs.Panel value="notices">
            <NoticesPanel user={user} />
          </Tabs.Panel>
          <Tabs.Panel value="data">
            <DataPanel user={user} />
          </Tabs.Panel>
        </Tabs>
      </Confirmation>
    </Page>
  );
}
