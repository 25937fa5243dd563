import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { security, type Security } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useConfirmed } from '../../lib/confirmed.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { fetchUser } from '../../lib/session.ts';
import { useTask } from '../../lib/use-task.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { State } from '../../ui/page.tsx';
import { Refusal } from './card.tsx';
import { GoogleMark } from './google-mark.tsx';
import { Section } from './section.tsx';
import { useRefreshSecurity, useSignInOptions } from './security.queries.ts';

export function GoogleSection({ google }: { google: Security['google'] }) {
  const { t } = useTranslation('accounts-security');
  const options = useSignInOptions();
  const [isAsking, setIsAsking] = useState(false);
  const confirmed = useConfirmed();
  const refresh = useRefreshSecurity();
  const task = useTask();
  // What was linked can be unlinked, also where the server no longer offers it.
  if (!google && !options.data?.google) return null;

  const link = () =>
    task.run(() =>
      confirmed(async () => window.location.assign((await call(security.linkGoogle, { anywhere: true })).data.url)),
    );
  const unlink = () => {
    setIsAsking(false);
    void task.run(() =>
      confirmed(async () => {
        await call(security.unlinkGoogle, { anywhere: true });
        toast.success(t('google.unlinked'));
        await Promise.all([refresh(), fetchUser()]);
      }),
    );
  };

  return (
    <Section
      title={t('google.title')}
      text={t('google.text')}
      state={<State kind={google ? 'live' : 'off'}>{google ? t('on') : t('off')}</State>}
    >
      <Refusal error={task.error} />
      {google && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('google.linked', { email: google.email, when: formatMoment(google.linkedAt) })}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          leftSection={<GoogleMark />}
          loading={task.isBusy}
          onClick={() => (google ? setIsAsking(true) : void link())}
        >
          {google ? t('google.unlink') : t('google.link')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        title={t('google.unlinkTitle')}
        text={t('google.unlinkText')}
        confirm={t('google.unlink')}
        cancel={t('common:cancel')}
        onConfirm={unlink}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}
