import { Button, Code, CopyButton, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconSend } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import type { Mail } from '../../../shared/contracts/operator.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { PagedList } from '../../ui/paged-list.tsx';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useHealth, useMails, useRetryMail, useTestMail } from './operator.queries.ts';

export function MailPanel() {
  const { t } = useTranslation('operator');
  const mails = useMails();
  const test = useTestMail();
  const button = (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconSend size={14} />}
      loading={test.isPending}
      onClick={() =>
        test.mutate(undefined, {
          onSuccess: () => toast.success(t('mail.testDone')),
          onError: (error) => toast.error(error.message),
        })
      }
    >
      {t('mail.test')}
    </Button>
  );
  return (
    <>
      <Mode />
      <Section title={t('mail.title')} end={button}>
        <PagedList
          query={mails}
          labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
          empty={<EmptyState drawing="mails" title={t('mail.empty')} text={t('mail.emptyText')} />}
        >
          {(rows) => (
            <ul style={{ listStyle: 'none', padding: 0, margin: 0 }}>
              {rows.map((mail) => (
                <Row key={mail.uuid} mail={mail} />
              ))}
            </ul>
          )}
        </PagedList>
      </Section>
    </>
  );
}

function Mode() {
  const { t } = useTranslation('operator');
  const mode = useHealth().data?.mail.mode;
  if (!mode) return null;
  return (
    <div style={{ maxWidth: 620, marginBottom: 24 }}>
      <State kind={mode === 'smtp' ? 'live' : 'off'}>
        <b>{t(`mail.mode.${mode}`)}</b>
      </State>
      <Text size="sm" c="dimmed" mt={2}>
        <Trans
          ns="operator"
          i18nKey={`mail.modeText.${mode}` satisfies KeyIn<'operator'>}
          components={{ code: <Code /> }}
        />
      </Text>
    </div>
  );
}

const kinds = { queued: 'working', sent: 'live', failed: 'failed', kept: 'off' } as const satisfies Record<
  Mail['state'],
  StateKind
>;

function Row({ mail }: { mail: Mail }) {
  const { t } = useTranslation('operator');
  const retry = useRetryMail();
  return (
    <li className={rowClass} style={{ flexWrap: 'wrap' }}>
      <Stack gap={0} miw={0} style={{ flex: '1 1 260px' }}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {mail.subject}
        </Text>
        <State kind={kinds[mail.state]}>{t(`mail.state.${mail.state}`)}</State>
        <Text size="xs" c="dimmed" title={formatMoment(mail.createdAt)} style={{ overflowWrap: 'anywhere' }}>
          {mail.recipient} · {formatAgo(mail.createdAt)}
        </Text>
        {mail.error && (
          <Text size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
            {mail.error}
          </Text>
        )}
      </Stack>
      {mail.link && (
        <CopyButton value={mail.link}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              onClick={copy}
            >
              {copied ? t('common:copied') : t('mail.link')}
            </Button>
          )}
        </CopyButton>
      )}
      {mail.state === 'failed' && (
        <Button
          size="xs"
          variant="default"
          loading={retry.isPending}
          onClick={() => retry.mutate(mail.uuid, { onError: (error) => toast.error(error.message) })}
        >
          {t('mail.retry')}
        </Button>
      )}
    </li>
  );
}
