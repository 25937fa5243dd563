import { Alert, Badge, Button, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { IconMail, IconMailOff, IconSend } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import type { Mail } from '../../../shared/contracts/operator.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
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
      leftSection={<IconSend size={16} />}
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
      <Group justify="flex-end" mb="md">
        {button}
      </Group>
      <PagedList
        query={mails}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={<EmptyState drawing="mails" title={t('mail.empty')} text={t('mail.emptyText')} />}
      >
        {(rows) => (
          <Stack gap="xs" component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
            {rows.map((mail) => (
              <Row key={mail.uuid} mail={mail} />
            ))}
          </Stack>
        )}
      </PagedList>
    </>
  );
}

function Mode() {
  const { t } = useTranslation('operator');
  const mode = useHealth().data?.mail.mode;
  if (!mode) return null;
  return (
    <Alert
      mb="lg"
      color={mode === 'smtp' ? 'green' : 'yellow'}
      icon={mode === 'smtp' ? <IconMail /> : <IconMailOff />}
      title={t(`mail.mode.${mode}`)}
    >
      <Trans
        ns="operator"
        i18nKey={`mail.modeText.${mode}` satisfies KeyIn<'operator'>}
        components={{ code: <Code /> }}
      />
    </Alert>
  );
}

const colors = { queued: 'blue', sent: 'green', failed: 'red', kept: 'yellow' } as const satisfies Record<
  Mail['state'],
  string
>;

function Row({ mail }: { mail: Mail }) {
  const { t } = useTranslation('operator');
  const retry = useRetryMail();
  return (
    <Paper withBorder component="li" px="md" py="sm">
      <Group justify="space-between" gap="xs" align="flex-start" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {mail.subject}
          </Text>
          <Text size="xs" c="dimmed" title={formatMoment(mail.createdAt)} style={{ overflowWrap: 'anywhere' }}>
            {mail.recipient} · {formatAgo(mail.createdAt)}
          </Text>
        </Stack>
        <Badge variant="light" color={colors[mail.state]}>
          {t(`mail.state.${mail.state}`)}
        </Badge>
      </Group>
      {mail.error && (
        <Text size="xs" c="red" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {mail.error}
        </Text>
      )}
      {mail.state === 'failed' && (
        <Button
          size="compact-sm"
          variant="default"
          mt="xs"
          loading={retry.isPending}
          onClick={() => retry.mutate(mail.uuid, { onError: (error) => toast.error(error.message) })}
        >
          {t('mail.retry')}
        </Button>
      )}
      {mail.link && (
        <div style={{ marginTop: 8 }}>
          <CopyField
            label={t('mail.link')}
            value={mail.link}
            copyLabel={t('common:copy')}
            copiedLabel={t('common:copied')}
            quiet
          />
        </div>
      )}
    </Paper>
  );
}
