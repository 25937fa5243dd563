import { Anchor, Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { IconExternalLink, IconRefresh, IconUsers } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { useBotNames } from '../../lib/bot-names.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { ConsolePicture } from './console-picture.tsx';
import classes from './line-channels.module.css';
import { useAskLine, useConnectLine, useLineChannel, useSync } from './line-channels.queries.ts';
import { consoleUrl, managerUrl } from './state.ts';
import { TodoList } from './todo-list.tsx';
import { WebhookChecks } from './webhook-checks.tsx';

interface Props {
  /** Chosen from the start. */
  bot?: string | undefined;
  onClose(): void;
}

/** Three steps: where the two values stand, what they are, and whether LINE reaches us with them. */
export function ConnectDialog({ bot, onClose }: Props) {
  const { t } = useTranslation('line-channels');
  const [step, setStep] = useState<1 | 2>(1);
  const [connected, setConnected] = useState<LineChannel>();
  return (
    <Modal opened onClose={onClose} title={t('connect.title')} size="lg" centered closeOnClickOutside={false}>
      <p className={classes['step']}>{t('connect.step', { step: connected ? 3 : step })}</p>
      {connected ? (
        <Connected connected={connected} />
      ) : step === 1 ? (
        <Find onClose={onClose} onNext={() => setStep(2)} />
      ) : (
        <Paste bot={bot} onBack={() => setStep(1)} onConnected={setConnected} />
      )}
    </Modal>
  );
}

function Find({ onClose, onNext }: { onClose(): void; onNext(): void }) {
  const { t } = useTranslation('line-channels');
  return (
    <Stack gap="sm">
      <h3 className={classes['stepTitle']}>{t('connect.find.title')}</h3>
      <p className={classes['text']}>{t('connect.find.text')}</p>
      <ConsolePicture
        place="console"
        tab="basic"
        rows={[
          { label: t('connect.paste.id'), value: '2000012345', number: 1 },
          { label: t('connect.paste.secret'), value: '8f3a91c7…', number: 2 },
        ]}
      />
      <p className={classes['text']}>
        <Outside href={consoleUrl}>{t('connect.find.open')}</Outside>
      </p>
      <p className={classes['hint']}>
        {t('connect.find.none')} <Outside href={managerUrl}>{t('connect.find.manager')}</Outside>
      </p>
      <p className={classes['hint']}>{t('connect.find.simulator')}</p>
      <Group justify="flex-end" gap="xs" mt="xs">
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button onClick={onNext} data-autofocus>
          {t('connect.next')}
        </Button>
      </Group>
    </Stack>
  );
}

const people = 'people';

interface PasteProps {
  bot: string | undefined;
  onBack(): void;
  onConnected(channel: LineChannel): void;
}

function Paste({ bot, onBack, onConnected }: PasteProps) {
  const { t } = useTranslation('line-channels');
  const connect = useConnectLine();
  const bots = useBotNames();
  const [channelId, setChannelId] = useState('');
  const [secret, setSecret] = useState('');
  const [chosen, setChosen] = useState(bot);
  const [isTold, setIsTold] = useState(false);
  const isKnown = chosen === people || bots.data?.some(({ uuid }) => uuid === chosen);
  // Most have one bot, or mean the first that people can get.
  const answering =
    (isKnown && chosen) || (bots.data?.find(({ published }) => published) ?? bots.data?.[0])?.uuid || people;
  const named = bots.data?.find(({ uuid }) => uuid === answering);
  const fields = connect.error instanceof ApiError ? connect.error.fields : {};
  const missing = (value: string) => (isTold && !value.trim() ? t('common:required') : undefined);
  const submit = () => {
    setIsTold(true);
    if (!channelId.trim() || !secret.trim()) return goToFaultIn(document);
    connect.mutate(
      { channelId: channelId.trim(), secret: secret.trim(), bot: answering === people ? null : answering },
      { onSuccess: onConnected, onError: () => goToFaultIn(document) },
    );
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <div>
          <h3 className={classes['stepTitle']}>{t('connect.paste.title')}</h3>
          <p className={classes['text']}>{t('connect.paste.text')}</p>
        </div>
        <TextInput
          label={t('connect.paste.id')}
          value={channelId}
          onChange={(event) => setChannelId(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="off"
          maxLength={30}
          data-autofocus
          error={missing(channelId) ?? fields['channelId']}
        />
        <PasswordInput
          label={t('connect.paste.secret')}
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('connect.paste.show') }}
          maxLength={60}
          error={missing(secret) ?? fields['secret']}
        />
        <Select
          label={t('connect.paste.bot')}
          value={answering}
          onChange={(value) => setChosen(value ?? undefined)}
          data={[
            ...(bots.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })),
            { value: people, label: t('bot.none') },
          ]}
          leftSection={
            named ? (
              <Avatar mark={named.mark} name={named.name} url={named.avatar?.url} size={20} />
            ) : (
              <IconUsers size={16} aria-hidden />
            )
          }
          allowDeselect={false}
          searchable
          {...(named && !named.published && { description: t('connect.paste.unpublished') })}
          error={fields['bot']}
        />
        <FormActions
          submit={t('connect.paste.submit')}
          cancel={t('common:back')}
          isBusy={connect.isPending}
          error={connect.error && Object.keys(fields).length === 0 ? errorText(connect.error) : undefined}
          onClose={onBack}
        />
      </Stack>
    </form>
  );
}

/** Whoever switches something on in LINE's console sees it ticked here soon after. */
const askAgainMs = 5_000;

function Connected({ connected }: { connected: LineChannel }) {
  const { t } = useTranslation('line-channels');
  const navigate = useNavigate();
  const { uuid } = connected;
  const channel = useLineChannel(uuid).data ?? connected;
  const sync = useSync(uuid);
  const ask = useAskLine(uuid);
  const begin = useEffectEvent(() => sync.mutate());
  useEffect(() => void begin(), []);
  const { webhook } = channel;
  const isRight = webhook.registered === webhook.url && webhook.active === true && webhook.test?.success === true;
  const askAgain = useEffectEvent(() => {
    if (!sync.isPending && !ask.isPending) ask.mutate();
  });
  useEffect(() => {
    if (isRight) return undefined;
    const timer = setInterval(askAgain, askAgainMs);
    return () => clearInterval(timer);
  }, [isRight]);
  return (
    <Stack gap="sm">
      <div className={classes['account']} role="status">
        <Avatar kind="person" id={uuid} name={channel.name} url={channel.avatar?.url} size={40} />
        <span>
          <b>{t('connect.done.title')}</b>
          <span>{[channel.name, channel.basicId].join(t('common:dot'))}</span>
        </span>
      </div>
      <section>
        <h3 className={classes['stepTitle']}>{t('connect.done.checks')}</h3>
        <WebhookChecks channel={channel} isBusy={sync.isPending} />
        {sync.error && (
          <p role="alert" className={classes['fault']}>
            {errorText(sync.error)}
          </p>
        )}
      </section>
      <section>
        <h3 className={classes['stepTitle']}>{t('connect.done.left')}</h3>
        <TodoList channel={channel} isShort />
      </section>
      <Group justify="flex-end" gap="xs" mt="xs">
        {!isRight && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={sync.isPending}
            onClick={() => sync.mutate()}
          >
            {t('overview.sync')}
          </Button>
        )}
        <Button onClick={() => void navigate({ to: '/Line-Channel/$id', params: { id: uuid } })}>
          {t('connect.done.open')}
        </Button>
      </Group>
    </Stack>
  );
}

function Outside({ href, children }: { href: string; children: string }) {
  return (
    <Anchor inherit href={href} target="_blank" rel="noopener noreferrer" className={classes['outside'] ?? ''}>
      {children}
      <IconExternalLink size={14} stroke={1.75} aria-hidden />
    </Anchor>
  );
}
