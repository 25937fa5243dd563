import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/List.css';
import { Button, Checkbox, FileButton, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Bot, Tool } from '../../../shared/contracts/bots.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { monospace } from '../../ui/monospace.ts';
import { Modal } from '../../ui/overlays.tsx';
import { useReadOpenApi, useUpdateBot } from './bots.queries.ts';

interface Props {
  bot: Bot;
  tools: Tool[];
  /** How many more the bot can have. */
  room: number;
  onSaved(tools: Tool[]): void;
  onClose(): void;
}

/** The calls of somebody's API as tools, of which a person picks. */
export function OpenApiDialog({ bot, tools, room, onSaved, onClose }: Props) {
  const { t } = useTranslation('bots-editor');
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<string[]>([]);
  const read = useReadOpenApi(bot.uuid);
  const update = useUpdateBot(bot.uuid);
  const isTaken = ({ name }: Tool) => tools.some((tool) => tool.name === name);
  const error = read.error ?? update.error;
  const readText = (document: string) =>
    read.mutate(document, {
      onSuccess: (found) =>
        setPicked(
          found.tools
            .filter((tool) => !isTaken(tool))
            .slice(0, room)
            .map(({ name }) => name),
        ),
    });
  const take = (file: File | null) => {
    if (!file) return;
    void file.text().then((content) => {
      setText(content);
      readText(content);
    });
  };
  const add = () => {
    const next = [...tools, ...(read.data?.tools ?? []).filter(({ name }) => picked.includes(name))];
    update.mutate(
      { tools: next },
      {
        onSuccess: () => {
          onSaved(next);
          onClose();
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title={t('openapi.title')} size="lg" centered>
      <Stack>
        {!read.data && (
          <>
            <Text size="sm">{t('openapi.text')}</Text>
            <Textarea
              label={t('openapi.document')}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              minRows={6}
              maxRows={14}
              autosize
              styles={monospace}
              data-autofocus
              placeholder='{ "openapi": "3.1.0", … }'
            />
          </>
        )}
        {error && (
          <Text size="sm" c="red" role="alert">
            {error instanceof ApiError ? (Object.values(error.fields)[0] ?? error.message) : errorText(error)}
          </Text>
        )}
        {read.data && (
          <>
            {read.data.tools.length > 0 ? (
              <Checkbox.Group
                label={t('openapi.pick', { count: read.data.tools.length })}
                value={picked}
                onChange={setPicked}
              >
                <Stack gap="xs" mt="xs">
                  {read.data.tools.map((tool) => (
                    <Checkbox
                      key={tool.name}
                      value={tool.name}
                      disabled={isTaken(tool) || (picked.length >= room && !picked.includes(tool.name))}
                      label={
                        <>
                          {tool.name}{' '}
                          <Text span size="xs" c="dimmed">
                            {tool.method}
                          </Text>
                        </>
                      }
                      description={isTaken(tool) ? t('openapi.taken') : tool.description}
                    />
                  ))}
                </Stack>
              </Checkbox.Group>
            ) : (
              <Text size="sm">{t('openapi.none')}</Text>
            )}
            {read.data.skipped.length > 0 && (
              <details>
                <summary>{t('openapi.skipped', { count: read.data.skipped.length })}</summary>
                <List size="xs" mt="xs">
                  {read.data.skipped.map((reason) => (
                    <List.Item key={reason} style={{ overflowWrap: 'anywhere' }}>
                      {reason}
                    </List.Item>
                  ))}
                </List>
              </details>
            )}
          </>
        )}
        <Group justify="flex-end" gap="xs">
          {read.data ? (
            <>
              <Button variant="default" onClick={() => read.reset()}>
                {t('openapi.back')}
              </Button>
              <Button onClick={add} loading={update.isPending} disabled={picked.length === 0}>
                {t('openapi.add', { count: picked.length })}
              </Button>
            </>
          ) : (
            <>
              <FileButton onChange={take} accept=".json,.yaml,.yml,application/json,application/yaml">
                {(props) => (
                  <Button variant="default" leftSection={<IconUpload size={15} />} {...props}>
                    {t('openapi.file')}
                  </Button>
                )}
              </FileButton>
              <Button onClick={() => readText(text)} loading={read.isPending} disabled={!text.trim()}>
                {t('openapi.read')}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
