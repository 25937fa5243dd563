import { Anchor, Button, Group, Input, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import classes from './bots.module.css';

/** Where it can be met now, by whom, and how a program asks it. */
export function Published({ bot, onClose }: { bot: string; onClose(): void }) {
  const { t } = useTranslation('bots');
  const chat = `/Bot/${bot}/Chat`;
  const labels = { copyLabel: t('common:copy'), copiedLabel: t('common:copied'), quiet: true } as const;
  const call = `curl ${window.location.origin}/v1/chat/completions \\
  -H 'Authorization: Bearer YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ model: bot, messages: [{ role: 'user', content: 'Hello' }] })}'`;
  return (
    <Stack>
      <CopyField
        label={t('publish.link')}
        description={t('publish.who')}
        value={window.location.origin + chat}
        {...labels}
      />
      <Input.Wrapper label={t('publish.website')} description={t('publish.websiteHint')} labelElement="div">
        <div>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Web-Channel" search={{ bot }} />}>
            {t('publish.toWebsite')}
          </Anchor>
        </div>
      </Input.Wrapper>
      <Input.Wrapper label={t('publish.line')} description={t('publish.lineHint')} labelElement="div">
        <div>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Line-Channel" />}>
            {t('publish.toLine')}
          </Anchor>
        </div>
      </Input.Wrapper>
      <Input.Wrapper label={t('publish.api')} description={t('publish.apiHint')} labelElement="div">
        <pre className={classes['call']} tabIndex={0} aria-label={t('publish.api')}>
          {call}
        </pre>
        <Group justify="space-between" gap="xs">
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Token" search={{ tab: 'keys' }} />}>
            {t('publish.keys')}
          </Anchor>
          <CopyButton value={call} label={labels.copyLabel} copiedLabel={labels.copiedLabel} />
        </Group>
      </Input.Wrapper>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
        <Button component={Link} to={chat} onClick={onClose} data-autofocus>
          {t('publish.chat')}
        </Button>
      </Group>
    </Stack>
  );
}
