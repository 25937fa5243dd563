import '@mantine/core/styles/Checkbox.css';
import { ActionIcon, Checkbox, Group, Input, Skeleton, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload, IconX } from '@tabler/icons-react';
import { botLimits } from '../../../shared/contracts/bots.ts';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './bot-list.module.css';
import { useBotKnowledges } from './bots.queries.ts';

interface Props {
  bases: string[];
  onBases(bases: string[]): void;
  files: File[];
  onFiles(files: File[]): void;
}

/** What a new bot shall know: bases that are there, files that become one, or nothing yet. */
export function KnowledgeChoice({ bases, onBases, files, onFiles }: Props) {
  const { t } = useTranslation('bots-list');
  const known = useBotKnowledges();
  const isFull = bases.length + (files.length > 0 ? 1 : 0) >= botLimits.knowledges;
  const words = t(useMediaQuery('(pointer: coarse)') ? 'know.choose' : 'know.files');
  const add = (more: File[]) =>
    onFiles([...files, ...more.filter(({ name }) => !files.some((file) => file.name === name))]);
  return (
    <Input.Wrapper label={t('know.label')} description={t('know.hint')} labelElement="div">
      {known.isPending && <Skeleton height={40} mt={8} />}
      {known.data && known.data.length > 0 && (
        <div role="group" aria-label={t('know.bases')} className={classes['bases']}>
          {known.data.map((base) => {
            const isChosen = bases.includes(base.uuid);
            return (
              <label key={base.uuid}>
                <Checkbox
                  checked={isChosen}
                  disabled={isFull && !isChosen}
                  onChange={() =>
                    onBases(isChosen ? bases.filter((uuid) => uuid !== base.uuid) : [...bases, base.uuid])
                  }
                />
                <span>{base.name}</span>
                <span className={classes['count']}>
                  {t('know.documents', { count: base.documentCount, shown: formatNumber(base.documentCount) })}
                </span>
              </label>
            );
          })}
        </div>
      )}
      <Dropzone
        onDrop={add}
        disabled={isFull && files.length === 0}
        className={classes['drop'] ?? ''}
        inputProps={{ 'aria-label': words }}
        mt={8}
      >
        <Group gap={8} justify="center" style={{ pointerEvents: 'none' }}>
          <IconUpload size={16} aria-hidden />
          <Text size="sm">{words}</Text>
        </Group>
      </Dropzone>
      {files.length > 0 && (
        <ul className={classes['files']}>
          {files.map((file) => (
            <li key={file.name}>
              <span>{file.name}</span>
              <span className={classes['count']}>{formatBytes(file.size)}</span>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('know.remove', { name: file.name })}
                onClick={() => onFiles(files.filter((each) => each !== file))}
              >
                <IconX size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </Input.Wrapper>
  );
}
