import { ActionIcon, Anchor, Box, Button, Fieldset, FileButton, Group, MultiSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { files } from '../../../shared/contracts/accounts.ts';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { ApiError, call } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { toServiceOption } from '../../lib/service-option.ts';
import { useServices } from '../../lib/session.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ServiceSelect } from '../../ui/service-select.tsx';
import { toast } from '../../ui/toast.tsx';
import { useBotKnowledges, useUpdateBot } from './bots.queries.ts';

const saveAfterMs = 700;
const mostStarters = 8;

type Values = Pick<Bot, 'name' | 'description'> & Bot['draft'];

const valuesOf = (bot: Bot): Values => ({ name: bot.name, description: bot.description, ...bot.draft });

interface Props {
  bot: Bot;
  onSaved(): void;
  onState(state: 'saved' | 'saving' | 'failed'): void;
}

/** The draft, saved by itself a moment after the last key. */
export function BotForm({ bot, onSaved, onState }: Props) {
  const { t } = useTranslation('bots');
  const [values, setValues] = useState(() => valuesOf(bot));
  const [saved, setSaved] = useState(values);
  const [error, setError] = useState<ApiError>();
  const update = useUpdateBot(bot.uuid);
  const services = useServices();
  const bases = useBotKnowledges();
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);
  const guard = useUnsavedGuard(isDirty);
  const set = <K extends keyof Values>(field: K, value: Values[K]) => setValues((before) => ({ ...before, [field]: value }));

  const report = useRef({ onSaved, onState });
  useEffect(() => {
    report.current = { onSaved, onState };
  });
  const { mutateAsync } = update;
  useEffect(() => {
    if (!isDirty) return;
    report.current.onState('saving');
    const timer = setTimeout(() => {
      // Empty lines that wait for a text are not a change yet.
      const body = { ...values, starters: values.starters.map((starter) => starter.trim()).filter(Boolean) };
      mutateAsync(body).then(
        () => {
          setSaved(values);
          setError(undefined);
          report.current.onState('saved');
          report.current.onSaved();
        },
        (failure: unknown) => {
          if (failure instanceof ApiError) setError(failure);
          report.current.onState('failed');
        },
      );
    }, saveAfterMs);
    return () => clearTimeout(timer);
  }, [values, isDirty, mutateAsync]);

  const upload = async (file: File | null) => {
    if (!file) return;
    const form = new FormData();
    form.append('file', file);
    try {
      const { data } = await call(files.uploadImage, { form });
      await mutateAsync({ avatar: data.uuid });
      report.current.onSaved();
    } catch (failure) {
      if (failure instanceof ApiError) toast.error(failure.message);
    }
  };

  const options = services.filter((service) => service.group === 'model').map((service) => toServiceOption(service, [t('form.context', { tokens: formatNumber(service.contextTokens) }), service.price && service.price.out === 0 ? t('form.free') : '', service.availability === 'ready' ? '' : t('form.notReady')].filter(Boolean)));
  const fieldError = (field: string) => error?.fields[field];

  return (
    <Stack gap="md" p="md" maw={720} mx="auto">
      {error && Object.keys(error.fields).length === 0 && (
        <Text c="red" size="sm" role="alert">
          {error.message}
        </Text>
      )}
      <Fieldset legend={t('form.identity')}>
        <Stack>
          <Group align="center" gap="md">
            <Avatar id={bot.uuid} name={values.name} url={bot.avatar?.url} size={56} />
            <Group gap="xs">
              <FileButton onChange={(file) => void upload(file)} accept="image/png,image/jpeg,image/webp,image/gif">
                {(props) => (
                  <Button size="xs" variant="default" {...props}>
                    {t('form.avatar')}
                  </Button>
                )}
              </FileButton>
              {bot.avatar && (
                <Button size="xs" variant="subtle" color="gray" onClick={() => void mutateAsync({ avatar: null })}>
                  {t('form.avatarRemove')}
                </Button>
              )}
            </Group>
          </Group>
          <TextInput label={t('form.name')} value={values.name} onChange={(event) => set('name', event.currentTarget.value)} error={values.name.trim() ? fieldError('name') : t('form.nameMissing')} maxLength={80} required />
          <TextInput label={t('form.description')} description={t('form.descriptionHint')} value={values.description} onChange={(event) => set('description', event.currentTarget.value)} error={fieldError('description')} maxLength={500} />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('form.answering')}>
        <Stack>
          <ServiceSelect label={t('form.service')} description={t('form.serviceHint')} options={options} value={values.service} onChange={(service) => set('service', service)} />
          <MultiSelect
            label={t('form.knowledges')}
            description={t('form.knowledgesHint')}
            placeholder={values.knowledges.length === 0 ? t('form.knowledgesPlaceholder') : ''}
            data={(bases.data ?? []).map((base) => ({ value: base.uuid, label: base.name }))}
            value={values.knowledges}
            onChange={(knowledges) => set('knowledges', knowledges)}
            maxValues={20}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('common:clear') }}
            nothingFoundMessage={t('form.knowledgesNone')}
            error={fieldError('knowledges')}
          />
          {bases.data?.length === 0 && (
            <Anchor component={Link} to="/Knowledge/Add" size="sm">
              {t('form.knowledgesAdd')}
            </Anchor>
          )}
          <Textarea label={t('form.instructions')} description={t('form.instructionsHint')} placeholder={t('form.instructionsPlaceholder')} value={values.instructions} onChange={(event) => set('instructions', event.currentTarget.value)} autosize minRows={4} maxRows={16} maxLength={20_000} error={fieldError('instructions')} />
          <Textarea label={t('form.refusal')} description={t('form.refusalHint')} placeholder={t('form.refusalPlaceholder')} value={values.refusal} onChange={(event) => set('refusal', event.currentTarget.value)} autosize minRows={2} maxLength={1000} error={fieldError('refusal')} />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('form.opening')}>
        <Stack>
          <Textarea label={t('form.greeting')} value={values.greeting} onChange={(event) => set('greeting', event.currentTarget.value)} autosize minRows={2} maxLength={1000} error={fieldError('greeting')} />
          <Box>
            <Text size="sm" fw={500}>
              {t('form.starters')}
            </Text>
            <Text size="xs" c="dimmed" mb={6}>
              {t('form.startersHint')}
            </Text>
            <Stack gap={6}>
              {values.starters.map((starter, at) => (
                <Group key={at} gap={6} wrap="nowrap">
                  <TextInput style={{ flex: 1 }} value={starter} maxLength={120} aria-label={t('form.starter', { number: at + 1 })} onChange={(event) => set('starters', values.starters.with(at, event.currentTarget.value))} />
                  <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('form.starterRemove', { number: at + 1 })} onClick={() => set('starters', values.starters.toSpliced(at, 1))}>
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              ))}
              {values.starters.length < mostStarters && (
                <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} />} onClick={() => set('starters', [...values.starters, ''])} style={{ alignSelf: 'flex-start' }}>
                  {t('form.starterAdd')}
                </Button>
              )}
            </Stack>
          </Box>
        </Stack>
      </Fieldset>
      <ConfirmDialog opened={guard.isAsking} title={t('common:unsaved.title')} text={t('common:unsaved.text')} confirm={t('common:unsaved.leave')} cancel={t('common:unsaved.stay')} onConfirm={guard.leave} onClose={guard.stay} />
    </Stack>
  );
}
