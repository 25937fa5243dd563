import { Anchor, Button, Group, Input, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { State } from '../../ui/page.tsx';
import QrCode from '../../ui/qr-code.tsx';
import classes from './bots.module.css';

/** Where it can be met now, by whom, and how a program asks it. */
export function Published({
  bot,
  onClose,
}: {
  bot: Pick<Bot, 'uuid'> & Partial<Pick<Bot, 'visibility'>>;
  onClose(): void;
}) {
  const { t } = useTranslation('bots-publish');
  const chat = `/Bot/${bot.uuid}/Chat`;
  const address = window.location.origin + chat;
  const labels = { copyLabel: t('common:copy'), copiedLabel: t('common:copied'), quiet: true } as const;
  const call = `curl ${window.location.origin}/v1/chat/completions \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ model: bot.uuid, messages: [{ role: 'user', content: 'Hello' }] })}'`;
  return (
    <Stack>
      <State kind="live">{t('state')}</State>
      <div className={classes['address']}>
        <CopyField
          label={t('link')}
          {...(bot.visibility && { description: t(`who.${bot.visibility}`) })}
          value={address}
          {...labels}
        />
        <QrCode value={address} label={t('code')} size={96} />
      </div>
      <Input.Wrapper label={t('website')} description={t('websiteHint')} labelElement="div">
        <div>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Web-Channel" search={{ bot: bot.uuid }} />}>
            {t('toWebsite')}
          </Anchor>
        </div>
      </Input.Wrapper>
      <Input.Wrapper label={t('line')} description={t('lineHint')} labelElement="div">
        <div>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Line-Channel" />}>
            {t('toLine')}
          </Anchor>
        </div>
      </Input.Wrapper>
      <details className={classes['programs']}>
        <summary>{t('api')}</summary>
        <p>{t('apiHint')}</p>
        <div className={classes['call']}>
          <pre tabIndex={0} aria-label={t('api')}>
            {call}
          </pre>
          <CopyButton value={call} label={labels.copyLabel} copiedLabel={labels.copiedLabel} />
        </div>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Token" search={{ tab: 'keys' }} />}>
          {t('keys')}
        </Anchor>
      </details>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
        <Button component={Link} to={chat} onClick={onClose} data-autofocus>
          {t('chat')}
        </Button>
      </Group>
    </Stack>
  );
}
