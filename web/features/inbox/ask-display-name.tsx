import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { setUser } from '../../lib/session.ts';

/** Asks who answers for the name that customers see; saved or put off, it is not asked again. */
export function AskDisplayName() {
  const { t } = useTranslation('inbox');
  const [name, setName] = useState('');
  const save = useMutation({
    mutationFn: async (displayName: string) =>
      setUser((await call(accounts.update, { body: { displayName }, anywhere: true })).data),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(name);
      }}
    >
      <Group gap="xs" p="xs" align="flex-end">
        <TextInput
          size="xs"
          flex="1 1 200px"
          label={t('displayName.label')}
          description={t('displayName.hint')}
          maxLength={40}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={save.error && errorText(save.error)}
        />
        <Button size="xs" type="submit" variant="default" disabled={!name.trim()} loading={save.isPending}>
          {t('common:save')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" disabled={save.isPending} onClick={() => save.mutate('')}>
          {t('displayName.later')}
        </Button>
      </Group>
    </form>
  );
}
