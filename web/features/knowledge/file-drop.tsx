import { Box, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconAlertTriangle, IconCheck, IconCopyCheck, IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useUploadFile } from './knowledge.queries.ts';

interface Upload {
  id: number;
  name: string;
  state: 'waiting' | 'sending' | 'done' | 'duplicate' | 'failed';
  message?: string;
}

let lastId = 0;

/** Files dropped or chosen, sent one after another; each tells how it went. */
export function FileDrop({
  base,
  compact = false,
  onSettled,
}: {
  base: string;
  compact?: boolean;
  onSettled?: () => void;
}) {
  const { t } = useTranslation('knowledge');
  const [uploads, setUploads] = useState<Upload[]>([]);
  const { mutateAsync } = useUploadFile(base);
  const patch = (id: number, changes: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...changes } : each)));

  const send = async (files: File[]) => {
    const added = files.map((file) => ({ file, upload: { id: ++lastId, name: file.name, state: 'waiting' as const } }));
    setUploads((before) => [...added.map(({ upload }) => upload), ...before].slice(0, 50));
    for (const { file, upload } of added) {
      patch(upload.id, { state: 'sending' });
      try {
        const document = await mutateAsync(file);
        patch(upload.id, { state: document?.duplicate ? 'duplicate' : 'done' });
      } catch (error) {
        patch(upload.id, { state: 'failed', message: error instanceof Error ? error.message : '' });
      }
    }
    onSettled?.();
  };

  return (
    <Stack gap="sm">
      <Dropzone
        onDrop={(files) => void send(files)}
        p={compact ? 'md' : 'xl'}
        inputProps={{ 'aria-label': t('drop.title') }}
      >
        <Group justify="center" gap="md" style={{ pointerEvents: 'none' }}>
          <IconFileUpload size={compact ? 28 : 40} stroke={1.4} color="var(--green)" aria-hidden />
          <Box ta={{ base: 'center', xs: 'start' }}>
            <Text fw={600}>{t('drop.title')}</Text>
            <Text size="sm" c="dimmed">
              {t('drop.formats')}
            </Text>
          </Box>
        </Group>
      </Dropzone>
      {uploads.length > 0 && (
        <Paper withBorder p="xs" aria-live="polite">
          <Stack gap={4}>
            {uploads.map((upload) => (
              <Group key={upload.id} gap="xs" wrap="nowrap" align="flex-start">
                {(upload.state === 'sending' || upload.state === 'waiting') && <Loader size={16} mt={3} />}
                {upload.state === 'done' && <IconCheck size={18} color="var(--mantine-color-green-6)" aria-hidden />}
                {upload.state === 'duplicate' && (
                  <IconCopyCheck size={18} color="var(--mantine-color-yellow-7)" aria-hidden />
                )}
                {upload.state === 'failed' && (
                  <IconAlertTriangle size={18} color="var(--mantine-color-red-6)" aria-hidden />
                )}
                <div style={{ minWidth: 0 }}>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {upload.name}
                  </Text>
                  {upload.state === 'duplicate' && (
                    <Text size="xs" c="dimmed">
                      {t('drop.duplicate')}
                    </Text>
                  )}
                  {upload.message && (
                    <Text size="xs" c="red">
                      {upload.message}
                    </Text>
                  )}
                </div>
              </Group>
            ))}
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}
