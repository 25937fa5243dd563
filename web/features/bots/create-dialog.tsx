import {
  Blockquote,
  Button,
  FileButton,
  Input,
  Loader,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Bot, BotTemplate } from '../../../shared/contracts/bots.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLostTexts } from '../../lib/lost-files.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useCreateBot, useImportBot, useTemplates } from './bots.queries.ts';
import { KnowledgeChoice } from './knowledge-choice.tsx';
import { fillVariables } from './variables.ts';
import classes from './bot-list.module.css';

const ways = ['blank', 'template', 'file'] as const;

/** A bot that begins empty, with what we have written, or as it was exported elsewhere. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('bots-list');
  const navigate = useNavigate();
  const create = useCreateBot();
  const lostTexts = useLostTexts();
  const [way, setWay] = useState<(typeof ways)[number]>('blank');
  const [name, setName] = useState('');
  const [isUnchosen, setIsUnchosen] = useState(false);
  const templateGroup = useRef<HTMLDivElement>(null);
  const [template, setTemplate] = useState<BotTemplate>();
  const templates = useTemplates(way === 'template');
  const [bases, setBases] = useState<string[]>([]);
  const [files, setFiles] = useState<File[]>([]);
  // Whoever has documents can ask at once; the others say first what it is for.
  const open = (bot: Bot) =>
    void navigate({ to: bot.draft.knowledges.length > 0 ? `/Bot/${bot.uuid}/Chat` : `/Bot/${bot.uuid}` });
  const isFromTemplate = way === 'template';
  const fieldError = create.error instanceof ApiError ? create.error.fields['name'] : undefined;
  const choose = (next: BotTemplate) => {
    if (name === '' || name === template?.name) setName(next.name);
    setTemplate(next);
    create.reset();
  };
  return (
    <Modal opened onClose={onClose} title={t('create.title')} size="lg" centered>
      <Stack>
        <div>
          <Segments
            label={t('create.way')}
            value={way}
            options={ways.map((each) => ({ value: each, label: t(`way.${each}`) }))}
            onChange={(next) => {
              setWay(next);
              create.reset();
            }}
          />
        </div>
        {way === 'file' ? (
          <ImportForm onDone={open} />
        ) : (
          <form
            onChange={() => create.isError && create.reset()}
            onSubmit={(event) => {
              event.preventDefault();
              setIsUnchosen(isFromTemplate && !template);
              if (isFromTemplate && !template) {
                templateGroup.current?.querySelector('button')?.focus();
                return;
              }
              create.mutate(
                {
                  ...(isFromTemplate && template && { ...template.config, description: template.description }),
                  name,
                  knowledges: bases,
                  files,
                },
                {
                  onSuccess: ({ bot, lost }) => {
                    lostTexts(lost).forEach(toast.lasting);
                    open(bot);
                  },
                },
              );
            }}
          >
            <Stack>
              <TextInput
                label={t('common:name')}
                placeholder={t('create.placeholder')}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                maxLength={80}
                data-autofocus
                error={fieldError}
              />
              {isFromTemplate && templates.isPending && <Loader size="sm" />}
              {isFromTemplate && templates.isError && (
                <ErrorState
                  title={t('common:failed.title')}
                  text={errorText(templates.error)}
                  retry={t('common:retry')}
                  onRetry={() => void templates.refetch()}
                />
              )}
              {isFromTemplate && templates.data && (
                <>
                  <SimpleGrid cols={2} spacing="xs" role="group" aria-label={t('create.templates')} ref={templateGroup}>
                    {templates.data.map((each) => (
                      <UnstyledButton
                        key={each.id}
                        className={classes['choice'] ?? ''}
                        aria-pressed={template?.id === each.id}
                        onClick={() => choose(each)}
                      >
                        <Text size="sm" fw={600} className={classes['choiceName'] ?? ''}>
                          {each.name}
                        </Text>
                        <Text size="xs" c="dimmed" visibleFrom="sm" className={classes['choiceName'] ?? ''}>
                          {each.description}
                        </Text>
                      </UnstyledButton>
                    ))}
                  </SimpleGrid>
                  {isUnchosen && !template && <Input.Error role="alert">{t('create.chooseTemplate')}</Input.Error>}
                  {template && <TemplatePreview template={template} />}
                </>
              )}
              <KnowledgeChoice bases={bases} onBases={setBases} files={files} onFiles={setFiles} />
              {create.error && !fieldError && (
                <Text size="sm" c="red" role="alert">
                  {errorText(create.error)}
                </Text>
              )}
              {create.isPending && files.length > 0 && (
                <Text size="sm" c="dimmed" role="status">
                  {t('know.reading')}
                </Text>
              )}
              <div className={classes['end']}>
                <FormActions
                  submit={t('common:create')}
                  cancel={t('common:cancel')}
                  isBusy={create.isPending}
                  onClose={onClose}
                />
              </div>
            </Stack>
          </form>
        )}
      </Stack>
    </Modal>
  );
}

function TemplatePreview({ template: { config, description } }: { template: BotTemplate }) {
  const fill = (text: string) => fillVariables(text, config.variables ?? []);
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {description}
      </Text>
      {config.greeting && (
        <Blockquote p="sm" fz="sm">
          {fill(config.greeting)}
        </Blockquote>
      )}
      <ul className={classes['starters']}>
        {(config.starters ?? []).map((starter) => (
          <li key={starter}>{fill(starter)}</li>
        ))}
      </ul>
    </Stack>
  );
}

function ImportForm({ onDone }: { onDone(bot: Bot): void }) {
  const { t } = useTranslation('bots-list');
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState(0);
  const load = useImportBot();
  const start = (next: File | null) => {
    if (!next) return;
    setFile(next);
    setShare(0);
    load.mutate({ file: next, onProgress: setShare }, { onSuccess: onDone });
  };
  return (
    <Stack>
      <Text size="sm">{t('import.text')}</Text>
      <FileButton onChange={start} accept=".zip,application/zip">
        {(props) => (
          <Button
            variant="default"
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
          <Text size="sm">
            {share < 1 ? t('import.sending', { name: file.name, size: formatBytes(file.size) }) : t('import.building')}
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
  );
}
