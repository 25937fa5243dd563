import { Button, Group, Loader, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Dropzone } from '@mantine/dropzone';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { useLostTexts } from '../../lib/lost-files.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { makeBot } from '../../lib/make-bot.ts';
import { toast } from '../../ui/toast.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { State, type StateKind } from '../../ui/page.tsx';
import classes from './home.module.css';
import { FirstSite } from './first-site.tsx';
import { useSample } from './home.queries.ts';

const kinds = { sending: 'working', taken: 'live', lost: 'failed' } as const;

/** As long as a name may be, in characters. */
const maxName = 60;

/** A bot is called as the first of the files that it knows. */
const nameOf = (files: File[]) => [...(files[0]?.name.replace(/\.[^.]+$/, '') ?? '')].slice(0, maxName).join('');

/** What a newcomer finds: a place for their own file, and a sample for who has none at hand. */
export function FirstFiles() {
  const { t } = useTranslation('home');
  const client = useQueryClient();
  const navigate = useNavigate();
  const sample = useSample();
  const lostTexts = useLostTexts();
  const open = useRef<() => void>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** What became of each of several files. */
  const [told, setTold] = useState<{ name: string; kind: StateKind; text: string }[]>([]);
  const start = async (files: File[]) => {
    if (files.length === 0) return;
    setIsBusy(true);
    setProblem(undefined);
    setTold(files.map(({ name }) => ({ name, kind: 'draft', text: t('begin.file.waiting') })));
    try {
      const { bot, lost } = await makeBot({ name: nameOf(files) }, files, (at, state, error) =>
        setTold((before) =>
          before.map((each, place) =>
            place === at
              ? { ...each, kind: kinds[state], text: state === 'lost' ? errorText(error) : t(`begin.file.${state}`) }
              : each,
          ),
        ),
      );
      lostTexts(lost).forEach(toast.lasting);
      await client.invalidateQueries();
      await navigate({ to: `/Bot/${bot.uuid}/Chat` });
    } catch (error) {
      setProblem(errorText(error));
      setIsBusy(false);
    }
  };
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
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
          {t(isTouch ? 'begin.titleTouch' : 'begin.title')}
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
      {told.length > 1 && (
        <ul className={classes['told']} aria-live="polite">
          {told.map(({ name, kind, text }, at) => (
            <li key={at}>
              <State kind={kind}>{name}</State>
              <small>{text}</small>
            </li>
          ))}
        </ul>
      )}
      <FirstSite />
      {(problem ?? problemOf(sample.error)) && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {problem ?? problemOf(sample.error)}
        </Text>
      )}
    </>
  );
}
