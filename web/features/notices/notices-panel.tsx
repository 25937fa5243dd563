import { Group, Input, Select, Skeleton, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { User } from '../../../shared/contracts/accounts.ts';
import { mailWishes, type Quiet } from '../../../shared/contracts/notices.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useChatSound, useChatToast } from '../../lib/preferences.ts';
import { useTask } from '../../lib/use-task.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './notices.module.css';
import { saveNotices, useKeepNotices, useNotices, type Standing } from './notices.queries.ts';
import { PushRefusedError, turnPushOff, turnPushOn } from './push.ts';

export function NoticesPanel({ user }: { user: User }) {
  const { t } = useTranslation('notices');
  const [chatToast, setChatToast] = useChatToast();
  const [chatSound, setChatSound] = useChatSound();
  const read = useNotices();
  return (
    <>
      <Section title={t('here')}>
        <div className={classes['rows']}>
          <Switch
            label={t('toast')}
            description={t('toastText')}
            checked={chatToast}
            onChange={(event) => setChatToast(event.currentTarget.checked)}
          />
          <Switch
            label={t('sound')}
            description={t('soundText')}
            checked={chatSound}
            onChange={(event) => setChatSound(event.currentTarget.checked)}
          />
          {read.data && <PushSwitch standing={read.data} />}
        </div>
      </Section>
      {read.isError && !read.data && (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(read.error)}
          retry={t('common:retry')}
          onRetry={() => void read.refetch()}
        />
      )}
      {read.isPending && <Skeleton height={220} role="status" aria-label={t('common:loading')} />}
      {read.data && <Everywhere standing={read.data} timezone={user.timezone} />}
    </>
  );
}

function PushSwitch({ standing: { notices, push } }: { standing: Standing }) {
  const { t } = useTranslation('notices');
  const keep = useKeepNotices();
  const task = useTask();
  const [refusal, setRefusal] = useState<PushRefusedError['reason']>();
  const isPossible = push === 'on' || push === 'off';
  const turn = (isOn: boolean) =>
    void task.run(async () => {
      setRefusal(undefined);
      try {
        await keep(await (isOn ? turnPushOn(notices) : turnPushOff()));
      } catch (error) {
        if (!(error instanceof PushRefusedError)) throw error;
        setRefusal(error.reason);
        // The browser may have been told never to ask again.
        await keep(notices);
      }
    });
  const problem = isPossible ? refusal : push;
  return (
    <div>
      <Switch
        label={t('push')}
        description={t('pushText')}
        checked={push === 'on'}
        disabled={!isPossible || task.isBusy}
        onChange={(event) => turn(event.currentTarget.checked)}
      />
      <p role="status">{problem && t(`pushState.${problem}`)}</p>
      {task.error && (
        <Text size="sm" role="alert" c="red">
          {task.error.message}
        </Text>
      )}
    </div>
  );
}

const usualQuiet: Quiet = { from: '22:00', to: '07:00' };

function Everywhere({ standing: { notices }, timezone }: { standing: Standing; timezone: string }) {
  const { t } = useTranslation('notices');
  const keep = useKeepNotices();
  const task = useTask();
  const save = (changes: Parameters<typeof saveNotices>[0]) =>
    void task.run(async () => {
      await keep(await saveNotices(changes));
      toast.success(t('saved'));
    });
  const { quiet } = notices;
  return (
    <Section title={t('everywhere')}>
      <div className={classes['rows']}>
        {notices.sendsMail ? (
          <Select
            label={t('mail')}
            description={t('mailText')}
            data={mailWishes.map((value) => ({ value, label: t(`wish.${value}`) }))}
            value={notices.mail}
            onChange={(next) => {
              const mail = mailWishes.find((each) => each === next);
              if (mail) save({ mail });
            }}
            allowDeselect={false}
          />
        ) : (
          <Input.Wrapper label={t('mail')} labelElement="div" description={t('noMail')} />
        )}
        <div>
          <Switch
            label={t('quiet')}
            description={t('quietText', { timezone: timezone.replaceAll('_', ' ') })}
            checked={quiet !== null}
            disabled={task.isBusy}
            onChange={(event) => save({ quiet: event.currentTarget.checked ? usualQuiet : null })}
          />
          {quiet && (
            <QuietTimes key={`${quiet.from} ${quiet.to}`} quiet={quiet} onSave={(next) => save({ quiet: next })} />
          )}
        </div>
        {task.error && (
          <Text size="sm" role="alert" c="red">
            {Object.values(task.error.fields)[0] ?? task.error.message}
          </Text>
        )}
      </div>
    </Section>
  );
}

/** Saved when a field is left, since a time is typed in parts. */
function QuietTimes({ quiet, onSave }: { quiet: Quiet; onSave(next: Quiet): void }) {
  const { t } = useTranslation('notices');
  const [shown, setShown] = useState(quiet);
  const leave = () => {
    if (shown.from && shown.to && (shown.from !== quiet.from || shown.to !== quiet.to)) onSave(shown);
  };
  return (
    <Group grow mt="sm" maw={320}>
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="time"
          label={t(name)}
          value={shown[name]}
          onChange={(event) => setShown({ ...shown, [name]: event.currentTarget.value })}
          onBlur={leave}
        />
      ))}
    </Group>
  );
}
