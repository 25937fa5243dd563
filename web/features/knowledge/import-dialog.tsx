import { Button, FileButton, Progress, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatBytes, formatList } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { useImportBase } from './knowledge.queries.ts';

/** So many of what was left out are named. */
const mostNames = 5;

/** Makes a base of an exported file, and opens it. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('knowledge');
  const navigate = useNavigate();
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState(0);
  const load = useImportBase();
  const start = (next: File | null) => {
    if (!next) return;
    setFile(next);
    setShare(0);
    load.mutate(
      { file: next, onProgress: setShare },
      {
        onSuccess: ({ data, meta: { left } }) => {
          const names = formatList(left.slice(0, mostNames).map(({ name }) => name));
          if (left.length > 0) toast.lasting(t('import.left', { count: left.length, names }));
          void navigate({ to: '/Knowledge/$id/documents', params: { id: data.uuid } });
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title={t('import.title')} centered>
      <Stack>
        <Text size="sm">{t('import.text')}</Text>
        <FileButton onChange={start} accept=".zip,application/zip">
          {(props) => (
            <Button
              data-autofocus
              leftSection={<IconUpload size={16} />}
              disabled={load.isPending}
              style={{ alignSelf: 'flex-start' }}
              {...props}
            >
              {t('import.choose')}
            </Button>
          )}
        </FileButton>
        {file && load.isPending && (
          <Stack gap={4} role="status">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {share < 1
                ? t('import.sending', { name: file.name, size: formatBytes(file.size) })
                : t('import.building')}
            </Text>
            <Progress value={share * 100} animated={share >= 1} aria-label={t('import.progress')} />
          </Stack>
        )}
        {load.error && (
          <Text size="sm" c="red" role="alert">
            {errorText(load.error)}
          </Text>
        )}
      </Stack>
    </Modal>
  );
}
