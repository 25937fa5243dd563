import { Alert, Button, FileButton, Group, Select, Stack, TextInput } from '@mantine/core';
import { useMemo, useState, type FormEvent } from 'react';
import { accounts, files, type User } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useConfirmed } from '../../lib/confirmed.ts';
import { changeLocale, formatLocale, useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { setUser } from '../../lib/session.ts';
import { useTask } from '../../lib/use-task.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { Refusal } from './card.tsx';
import { Section } from './section.tsx';

type Values = Pick<User, 'username' | 'email' | 'locale' | 'timezone'> & { displayName: string };

const fieldNames = ['username', 'displayName', 'email', 'locale', 'timezone'] as const;

export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation('accounts-security', 'accounts');
  // Only what was touched: the rest follows the account, which may change elsewhere meanwhile.
  const [touched, setTouched] = useState<Partial<Values>>({});
  const confirmed = useConfirmed();
  const task = useTask();
  const values: Values = {
    username: user.username,
    displayName: user.displayName ?? '',
    email: user.email,
    locale: user.locale,
    timezone: user.timezone,
    ...touched,
  };
  const changes = Object.fromEntries(
    fieldNames.filter((name) => values[name] !== (user[name] ?? '')).map((name) => [name, values[name]]),
  );
  const isDirty = Object.keys(changes).length > 0;
  const guard = useUnsavedGuard(isDirty);
  const set = (change: Partial<Values>) => setTouched({ ...touched, ...change });
  const zones = useMemo(
    () =>
      [...new Set(['UTC', user.timezone, ...Intl.supportedValuesOf('timeZone')])]
        .sort()
        .map((value) => ({ value, label: value.replaceAll('_', ' ') })),
    [user.timezone],
  );
  const taken =
    task.error?.code === 'email-taken' ? 'email' : task.error?.code === 'username-taken' ? 'username' : undefined;
  const fieldError = (name: (typeof fieldNames)[number]) =>
    task.error?.fields[name] ?? (taken === name ? task.error?.message : undefined);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void task.run(() =>
      confirmed(async () => {
        const { data } = await call(accounts.update, { body: changes, anywhere: true });
        setUser(data);
        setTouched({});
        if ('locale' in changes) await changeLocale(data.locale);
        toast.success(
          data.pendingEmail && 'email' in changes
            ? t('profile.mailSent', { email: data.pendingEmail })
            : t('profile.saved'),
        );
      }),
    );
  };

  return (
    <Section title={t('profile.title')}>
      <Picture user={user} />
      <form onSubmit={submit} onInput={task.forget} noValidate>
        <Stack maw={480}>
          {!taken && <Refusal error={task.error} fields={[...fieldNames]} />}
          <TextInput
            label={t('accounts:username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={40}
            value={values.username}
            onChange={(event) => set({ username: event.currentTarget.value })}
            error={fieldError('username')}
          />
          <TextInput
            label={t('profile.displayName')}
            description={t('profile.displayNameHint')}
            name="displayName"
            autoComplete="nickname"
            maxLength={40}
            value={values.displayName}
            onChange={(event) => set({ displayName: event.currentTarget.value })}
            error={fieldError('displayName')}
          />
          <TextInput
            label={t('accounts:email')}
            name="email"
            type="email"
            autoComplete="email"
            required
            maxLength={254}
            value={values.email}
            onChange={(event) => set({ email: event.currentTarget.value })}
            error={fieldError('email')}
          />
          {user.pendingEmail && (
            <Alert color="blue" style={{ overflowWrap: 'anywhere' }}>
              {t('profile.pending', { email: user.pendingEmail })}
            </Alert>
          )}
          <Select
            label={t('common:language')}
            data={[
              { value: 'en', label: 'English' },
              { value: 'ja', label: '日本語' },
            ]}
            value={values.locale}
            onChange={(locale) => (locale === 'en' || locale === 'ja') && set({ locale })}
            allowDeselect={false}
            error={fieldError('locale')}
          />
          <Select
            label={t('profile.timezone')}
            description={t('profile.now', { time: timeIn(values.timezone) })}
            data={zones}
            value={values.timezone}
            onChange={(timezone) => timezone && set({ timezone })}
            allowDeselect={false}
            searchable
            nothingFoundMessage={t('profile.noTimezone')}
            error={fieldError('timezone')}
          />
          <Group gap="xs">
            <Button
              type="submit"
              loading={task.isBusy}
              disabled={!isDirty || !values.username.trim() || !values.email.trim()}
            >
              {t('common:save')}
            </Button>
            {isDirty && (
              <Button variant="subtle" color="gray" onClick={() => (setTouched({}), task.forget())}>
                {t('profile.discard')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      <ConfirmDialog {...guard} />
    </Section>
  );
}

function Picture({ user }: { user: User }) {
  const { t } = useTranslation('accounts-security');
  const task = useTask();
  const change = async (avatar: string | null) =>
    setUser((await call(accounts.update, { body: { avatar }, anywhere: true })).data);
  const upload = (file: File | null) => {
    if (!file) return;
    const form = new FormData();
    form.append('file', file);
    void task.run(async () => change((await call(files.uploadImage, { form })).data.uuid));
  };
  return (
    <Stack gap="xs">
      <Refusal error={task.error} />
      <Group gap="md">
        <Avatar kind="person" id={user.uuid} name={user.username} url={user.avatar?.url} size={64} />
        <Group gap="xs">
          <FileButton onChange={upload} accept="image/png,image/jpeg,image/webp,image/gif">
            {(props) => (
              <Button size="xs" variant="default" loading={task.isBusy} {...props}>
                {t('profile.avatar')}
              </Button>
            )}
          </FileButton>
          {user.avatar && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              disabled={task.isBusy}
              onClick={() => void task.run(() => change(null))}
            >
              {t('profile.avatarRemove')}
            </Button>
          )}
        </Group>
      </Group>
    </Stack>
  );
}

const timeIn = (timeZone: string) =>
  new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'short', timeZone }).format(new Date());
