import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconEdit } from '@tabler/icons-react';
import { useState } from 'react';
import { groups, type KeyModel } from '../../../shared/contracts/services.ts';
import { ApiError } from '../../lib/api.ts';
import { formatShort } from '../../lib/amounts.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { State } from '../../ui/page.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { AbilityFields, abilityValuesOf, changedAbilities, toAbilities } from './ability-fields.tsx';
import { useChangeKeyModel, useKeyModels } from './models.queries.ts';

/** Of a model that was taken for something else nobody has said it. */
const usualContext = 8192;

/** Of a thousand nobody reads more; the others are found by their names. */
const maxShown = 50;

/** The models of a server of one's own, and what they can do where the server does not say it. */
export function KeyModels({ uuid }: { uuid: string }) {
  const { t } = useTranslation('models');
  const models = useKeyModels(uuid);
  const change = useChangeKeyModel(uuid);
  const [q, setQ] = useState('');
  const [editing, setEditing] = useState<KeyModel>();
  if (models.isPending) return <SkeletonRows />;
  if (!models.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(models.error)}
        retry={t('common:retry')}
        onRetry={() => void models.refetch()}
      />
    );
  if (editing) return <EditForm uuid={uuid} model={editing} onClose={() => setEditing(undefined)} />;
  const found = models.data.filter(({ name, modelId }) => `${name} ${modelId}`.toLowerCase().includes(q.toLowerCase()));
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('keys.said.description')}
      </Text>
      {models.data.length > 5 && (
        <SearchInput value={q} onChange={setQ} label={t('operated.search')} clearLabel={t('common:clear')} />
      )}
      {found.length === 0 && (
        <Text size="sm">{t(models.data.length === 0 ? 'keys.said.none' : 'operated.noMatch')}</Text>
      )}
      <Stack gap="sm" component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
        {found.slice(0, maxShown).map((model) => (
          <Group key={model.uuid} component="li" gap="xs" wrap="nowrap" justify="space-between" aria-label={model.name}>
            <Stack gap={2} miw={0}>
              <Group gap={6}>
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {model.name}
                </Text>
                {model.changed && <State kind="draft">{t('operated.changed')}</State>}
              </Group>
              <Text size="xs" c="dimmed">
                {model.group === 'model'
                  ? [
                      t('operated.context', { tokens: formatShort(model.contextTokens) }),
                      ...model.capabilities.map((each) => t(`operated.able.${each}`)),
                    ].join(' · ')
                  : t(`operated.uses.${model.group}`)}
              </Text>
            </Stack>
            <Group gap={4} wrap="nowrap">
              {model.changed && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('keys.said.reset', { name: model.name })}
                  disabled={change.isPending}
                  onClick={() =>
                    change.mutate(
                      { service: model.uuid, changes: { group: null, capabilities: null, contextTokens: null } },
                      {
                        onSuccess: () => toast.success(t('keys.said.resetDone')),
                        onError: (error) => toast.error(errorText(error)),
                      },
                    )
                  }
                >
                  <IconArrowBackUp size={18} />
                </ActionIcon>
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('keys.editName', { name: model.name })}
                onClick={() => setEditing(model)}
              >
                <IconEdit size={18} />
              </ActionIcon>
            </Group>
          </Group>
        ))}
      </Stack>
      {found.length > maxShown && (
        <Text size="xs" c="dimmed">
          {t('keys.said.more', { count: found.length - maxShown })}
        </Text>
      )}
    </Stack>
  );
}

function EditForm({ uuid, model, onClose }: { uuid: string; model: KeyModel; onClose(): void }) {
  const { t } = useTranslation('models');
  const change = useChangeKeyModel(uuid);
  const [group, setGroup] = useState(model.group);
  const [values, setValues] = useState(
    abilityValuesOf({ ...model, contextTokens: model.contextTokens || usualContext }),
  );
  const fields = change.error instanceof ApiError ? change.error.fields : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(
          {
            service: model.uuid,
            changes: {
              ...(group !== model.group && { group }),
              ...(group === 'model' && changedAbilities(values, model)),
            },
          },
          {
            onSuccess: () => {
              toast.success(t('operated.saved'));
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {model.name}
        </Text>
        <Select
          label={t('operated.use')}
          data={groups.map((each) => ({ value: each, label: t(`operated.uses.${each}`) }))}
          value={group}
          onChange={(chosen) => setGroup((before) => groups.find((each) => each === chosen) ?? before)}
          allowDeselect={false}
        />
        {group === 'model' && <AbilityFields value={values} onChange={setValues} error={fields['contextTokens']} />}
        <FormActions
          isBusy={change.isPending}
          disabled={!toAbilities(values)}
          submit={t('common:save')}
          cancel={t('common:back')}
          error={Object.keys(fields).length === 0 ? problemOf(change.error) : undefined}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
