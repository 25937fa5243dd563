import { Group, Input, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { groupColors, type BotGroup } from '../../../shared/contracts/bots.ts';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { useSaveGroup } from './bots.queries.ts';
import classes from './bot-list.module.css';

/** A new group, or another name and color for one. */
export function GroupDialog({ group, onClose }: { group?: BotGroup; onClose(): void }) {
  const { t } = useTranslation('bots-list');
  const save = useSaveGroup();
  const [name, setName] = useState(group?.name ?? '');
  const [color, setColor] = useState<BotGroup['color']>(group?.color ?? 'green');
  const error = save.error instanceof ApiError ? (save.error.fields['name'] ?? save.error.message) : undefined;
  return (
    <Modal opened onClose={onClose} title={group ? t('groups.edit') : t('groups.create')} centered>
      <form
        onChange={() => save.isError && save.reset()}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ uuid: group?.uuid, name, color }, { onSuccess: onClose });
        }}
      >
        <Stack>
          <TextInput
            label={t('common:name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={40}
            data-autofocus
            error={error}
          />
          <Input.Wrapper label={t('groups.color')} labelElement="div" labelProps={{ id: 'group-color' }}>
            <Group gap="xs" mt={4} role="radiogroup" aria-labelledby="group-color">
              {groupColors.map((each) => (
                <input
                  key={each}
                  type="radio"
                  name="color"
                  className={classes['swatch']}
                  value={each}
                  checked={color === each}
                  aria-label={t(`color.${each}`)}
                  onChange={() => setColor(each)}
                  style={{ appearance: 'none', margin: 0, background: `var(--mantine-color-${each}-6)` }}
                />
              ))}
            </Group>
          </Input.Wrapper>
          <FormActions
            submit={t('common:save')}
            cancel={t('common:cancel')}
            isBusy={save.isPending}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
