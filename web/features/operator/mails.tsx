import { Alert, Button, CopyButton, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconMailOff, IconSend } from '@tabler/icons-react';
import type { Mail } from '../../../shared/contracts/operator.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyButton as CopyText } from '../../ui/copy-button.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Section, State, type StateKind } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import classes from './mails.module.css';
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
          onError: (error) => toast.error(errorText(error)),
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
          labels={{
            failed: t('common:failed.title'),
            reason: errorText,
            retry: t('common:retry'),
            more: t('common:more'),
          }}
          empty={<EmptyState drawing="mails" title={t('mail.empty')} text={t('mail.emptyText')} />}
        >
          {(rows) => (
            <table className={table['list']}>
              <thead>
                <tr>
                  <th>{t('mail.subject')}</th>
                  <th data-from="sm">{t('mail.recipient')}</th>
                  <th data-from="sm" className={classes['state']}>
                    {t('mail.stateLabel')}
                  </th>
                  <th data-from="md" className={classes['when']}>
                    {t('mail.when')}
                  </th>
                  <th data-from="sm" className={classes['act']} aria-label={t('common:actions')} />
                </tr>
              </thead>
              <tbody>
                {rows.map((mail) => (
                  <Row key={mail.uuid} mail={mail} />
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
      </Section>
    </>
  );
}

// No server of anybody's: what is put in place of it is.
const exampleUrl = 'SMTP_URL=smtps://user:password@mail.example.com';

function Mode() {
  const { t } = useTranslation('operator');
  const mode = useHealth().data?.mail.mode;
  if (!mode) return null;
  if (mode === 'smtp')
    return (
      <div className={classes['mode']}>
        <State kind="live">
          <b>{t('mail.mode.smtp')}</b>
        </State>
        <Text size="sm" c="dimmed" mt={2}>
          {t('mail.modeText.smtp')}
        </Text>
      </div>
    );
  return (
    <Alert
      color="yellow"
      icon={<IconMailOff />}
      title={t('mail.mode.kept')}
      className={classes['mode'] ?? ''}
      styles={{ body: { minWidth: 0 } }}
    >
      {t('mail.modeText.kept')}
      <div className={classes['example']}>
        <code>{exampleUrl}</code>
        <CopyText value={exampleUrl} label={t('mail.copyExample')} copiedLabel={t('common:copied')} />
      </div>
    </Alert>
  );
}

const kinds = { queued: 'working', sent: 'live', failed: 'failed', kept: 'draft' } as const satisfies Record<
  Mail['state'],
  StateKind
>;

function Row({ mail }: { mail: Mail }) {
  const { t } = useTranslation('operator');
  const retry = useRetryMail();
  const state = <State kind={kinds[mail.state]}>{t(`mail.state.${mail.state}`)}</State>;
  const ago = formatAgo(mail.createdAt);
  const action = (
    <>
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
          onClick={() => retry.mutate(mail.uuid, { onError: (error) => toast.error(errorText(error)) })}
        >
          {t('mail.retry')}
        </Button>
      )}
    </>
  );
  return (
    <tr>
      <td className={classes['mail']}>
        <b>{mail.subject}</b>
        <div className={table['onPhone']}>
          {state}
          <small>{ago}</small>
          <small>{mail.recipient}</small>
        </div>
        {mail.error && <small className={classes['error']}>{mail.error}</small>}
        <div className={table['onPhone']}>{action}</div>
      </td>
      <td data-from="sm" className={classes['mail']}>
        {mail.recipient}
      </td>
      <td data-from="sm">{state}</td>
      <td data-from="md" className={table['quiet']} title={formatMoment(mail.createdAt)}>
        {ago}
      </td>
      <td data-from="sm" data-number>
        {action}
      </td>
    </tr>
  );
}
