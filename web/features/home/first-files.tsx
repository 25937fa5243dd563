import { Button, Group, Loader, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { bots } from '../../../shared/contracts/bots.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './home.module.css';
import { useSample } from './home.queries.ts';

/** As long as a name may be, in characters. */
const maxName = 60;

/** From files to a bot that answers from them, in one step: a base, its documents, a bot, and its chat. */
async function begin(files: File[]): Promise<{ bot: string; problem?: Error }> {
  const name = [...(files[0]?.name.replace(/\.[^.]+$/, '') ?? '')].slice(0, maxName).join('');
  const base = (await call(knowledge.create, { body: { name } })).data.uuid;
  let isFilled = false;
  let problem: Error | undefined;
  for (const file of files) {
    const form = new FormData();
    form.append('file', file);
    try {
      await call(documents.add, { params: { knowledge: base }, form });
      isFilled = true;
    } catch (error) {
      problem ??= error instanceof Error ? error : new Error(String(error));
    }
  }
  if (!isFilled && problem) {
    // Nobody asked for a base without a document.
    await call(knowledge.remove, { params: { uuid: base } });
    throw problem;
  }
  await untilRead(base);
  const bot = (await call(bots.create, { body: { name, knowledges: [base] } })).data.uuid;
  return { bot, ...(problem && { problem }) };
}

const readEveryMs = 500;
const readForMs = 60_000;

/** Whoever comes to the chat can ask; a long file goes on being read behind it. */
async function untilRead(base: string): Promise<void> {
  const until = Date.now() + readForMs;
  while (Date.now() < until) {
    const { busyCount } = (await call(knowledge.get, { params: { uuid: base } })).data;
    if (busyCount === 0) return;
    await new Promise((done) => setTimeout(done, readEveryMs));
  }
}

/** What a newcomer finds: a place for their own file, and a sample for who has none at hand. */
export function FirstFiles() {
  const { t } = useTranslation('home');
  const client = useQueryClient();
  const navigate = useNavigate();
  const sample = useSample();
  const open = useRef<() => void>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const start = async (files: File[]) => {
    if (files.length === 0) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      const { bot, problem: lost } = await begin(files);
      if (lost) toast.error(lost.message);
      await client.invalidateQueries();
      await navigate({ to: `/Bot/${bot}/Chat` });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setIsBusy(false);
    }
  };
  return (
    <>
      <Dropzone
        onDrop={(files) => void start(files)}
        openRef={open}
        activateOnClick={false}
        enablePointerEvents
        disabled={isBusy}
        className={classes['drop']}
        inputProps={{ 'aria-label': t('begin.title') }}
      >
        <Group justify="center" mb="xs" style={{ pointerEvents: 'none' }}>
          <Drawing kind="documents" />
        </Group>
        <Text component="h2" fz={16} fw={600} m={0} style={{ pointerEvents: 'none' }}>
          {t('begin.title')}
        </Text>
        <Text c="dimmed" size="sm" mb="md" style={{ pointerEvents: 'none' }}>
          {t('begin.text')}
        </Text>
        {isBusy ? (
          <Group justify="center" gap="xs" role="status">
            <Loader size={16} />
            <Text size="sm">{t('begin.busy')}</Text>
          </Group>
        ) : (
          <Group justify="center" gap="sm">
            <Button onClick={() => open.current?.()}>{t('begin.choose')}</Button>
            <Button
              variant="subtle"
              color="gray"
              loading={sample.isPending}
              onClick={() =>
                sample.mutate(undefined, { onSuccess: ({ bot }) => void navigate({ to: `/Bot/${bot}/Chat` }) })
              }
            >
              {t('sample.button')}
            </Button>
          </Group>
        )}
      </Dropzone>
      {(problem ?? sample.error?.message) && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {problem ?? sample.error?.message}
        </Text>
      )}
    </>
  );
}
