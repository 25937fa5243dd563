import { Box, Button, Group, Input, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconLock, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { monospace } from '../../ui/monospace.ts';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSecrets } from './bots.queries.ts';

/** Names of what only the server knows: it can be replaced and forgotten, never read. */
export function SecretsManager({ bot }: { bot: Bot }) {
  const { t } = useTranslation('bots-editor');
  const { set, remove } = useSecrets(bot.uuid);
  const [editing, setEditing] = useState<{ name: string; origins: string; isNew: boolean }>();
  const [removing, setRemoving] = useState<string>();
  const close = () => {
    set.reset();
    setEditing(undefined);
  };
  return (
    <Box role="group" aria-labelledby="secrets-label">
      <Input.Label labelElement="div" id="secrets-label">
        {t('secrets.label')}
      </Input.Label>
      <Input.Description mb={6}>{t('secrets.hint', { mark: '{{secret.NAME}}' })}</Input.Description>
      <Stack gap={4}>
        {bot.secrets.map(({ name, origins }) => (
          <Group key={name} justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <Group gap={6} wrap="nowrap" align="flex-start" miw={0}>
              <IconLock size={15} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
              <Stack gap={0} miw={0}>
                <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {origins.length > 0 ? origins.join(', ') : t('secrets.nowhere')}
                </Text>
              </Stack>
            </Group>
            <Group gap={4} wrap="nowrap" flex="none">
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('secrets.replaceOf', { name })}
                onClick={() =>
                  setEditing({
                    name,
                    origins: (origins.length > 0 ? origins : toolOrigins(bot)).join(', '),
                    isNew: false,
                  })
                }
              >
                {t('secrets.replace')}
              </Button>
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                aria-label={t('secrets.removeOf', { name })}
                onClick={() => setRemoving(name)}
              >
                {t('common:remove')}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
      <Button
        size="xs"
        variant="subtle"
        mt={4}
        leftSection={<IconPlus size={14} />}
        onClick={() => setEditing({ name: '', origins: toolOrigins(bot).join(', '), isNew: true })}
      >
        {t('secrets.add')}
      </Button>
      <Modal
        opened={editing !== undefined}
        onClose={close}
        title={editing?.isNew ? t('secrets.add') : t('secrets.replaceOf', { name: editing?.name ?? '' })}
        centered
      >
        {editing && (
          <form
            onChange={() => set.isError && set.reset()}
            onSubmit={(event) => {
              event.preventDefault();
              // The value stays in the field and in nothing of ours.
              const value = new FormData(event.currentTarget).get('value');
              const origins = editing.origins.split(',').map((origin) => origin.trim());
              set.mutate(
                { name: editing.name, value: String(value), origins: origins.filter(Boolean) },
                { onSuccess: () => setEditing(undefined) },
              );
            }}
          >
            <Stack>
              {editing.isNew && (
                <TextInput
                  label={t('common:name')}
                  description={t('secrets.titleHint')}
                  value={editing.name}
                  maxLength={40}
                  styles={monospace}
                  data-autofocus
                  onChange={(event) => setEditing({ ...editing, name: event.currentTarget.value })}
                  error={fieldOf(set.error, 'name')}
                />
              )}
              <TextInput
                label={t('secrets.origins')}
                description={t('secrets.originsHint')}
                placeholder="https://api.example.com"
                value={editing.origins}
                onChange={(event) => setEditing({ ...editing, origins: event.currentTarget.value })}
                error={originError(set.error)}
              />
              <PasswordInput
                label={t('secrets.value')}
                name="value"
                autoComplete="off"
                maxLength={2000}
                error={
                  fieldOf(set.error, 'value') ??
                  (set.error && !fieldOf(set.error, 'name') && !originError(set.error)
                    ? errorText(set.error)
                    : undefined)
                }
                visibilityToggleButtonProps={{ 'aria-label': t('secrets.show') }}
              />
              <FormActions
                submit={t('common:save')}
                cancel={t('common:cancel')}
                isBusy={set.isPending}
                onClose={close}
              />
            </Stack>
          </form>
        )}
      </Modal>
      <ConfirmDialog
        opened={removing !== undefined}
        title={t('secrets.removeOf', { name: removing ?? '' })}
        text={t('secrets.removeText')}
        confirm={t('common:remove')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onConfirm={() =>
          remove.mutate(removing ?? '', {
            onSuccess: () => setRemoving(undefined),
            onError: (error) => toast.error(errorText(error)),
          })
        }
        onClose={() => setRemoving(undefined)}
      />
    </Box>
  );
}

const fieldOf = (error: unknown, field: string) => (error instanceof ApiError ? error.fields[field] : undefined);

const originError = (error: unknown) =>
  error instanceof ApiError
    ? Object.entries(error.fields).find(([path]) => path.startsWith('origins'))?.[1]
    : undefined;

/** Where the tools of the bot, as they are saved, lead. */
const toolOrigins = ({ draft }: Bot): string[] => [
  ...new Set(
    draft.tools
      .map(({ url }) => url.replace(/\{[^{}]*\}/g, 'x'))
      .flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : [])),
  ),
];
