import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyField } from '../../ui/copy-field.tsx';

export function ShownSecret({ secret, onDone }: { secret: string; onDone(): void }) {
  const { t } = useTranslation('webhooks');
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={t('created.once')}>
        {t('created.warning')}
      </Alert>
      <CopyField
        label={t('created.secret')}
        value={secret}
        copyLabel={t('common:copy')}
        copiedLabel={t('common:copied')}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t('created.done')}
        </Button>
      </Group>
    </Stack>
  );
}
