import { ActionIcon, Button, Group, Input, Stack, TagsInput, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { labelLimits, type Document } from '../../../shared/contracts/knowledge.ts';
import type { Labels } from '../../../shared/labels.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useKnownLabels } from '../../lib/labels.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { useLabel } from './knowledge.queries.ts';

/** Files one document under tags and fields, or adds tags to several. */
export function LabelsDialog({ documents, onClose }: { documents: Document[]; onClose(): void }) {
  const { t } = useTranslation('labels', 'common');
  const known = useKnownLabels([...new Set(documents.map(({ knowledge }) => knowledge))]);
  const [only] = documents.length === 1 ? documents : [];
  const [tags, setTags] = useState(only?.tags ?? []);
  const [fields, setFields] = useState(only?.fields ?? []);
  const label = useLabel();
  const [isBusy, setIsBusy] = useState(false);
  const written = fields.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '');
  const isHalf = written.some(({ name, value }) => name.trim() === '' || value.trim() === '');
  const [isTold, setIsTold] = useState(false);
  const labelsFor = (document: Document): Labels =>
    only ? { tags, fields: written } : { tags: [...new Set([...document.tags, ...tags])], fields: document.fields };
  const save = async () => {
    setIsTold(isHalf);
    if (isHalf) return;
    setIsBusy(true);
    const done = await Promise.allSettled(
      documents.map((document) => label.mutateAsync({ document, labels: labelsFor(document) })),
    );
    setIsBusy(false);
    const failed = done.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    if (failed.length === 0) onClose();
    else toast.error(only ? errorText(failed[0]) : t('failed', { count: failed.length, reason: errorText(failed[0]) }));
  };
  const change = (at: number, more: Partial<Labels['fields'][number]>) =>
    setFields(fields.map((field, place) => (place === at ? { ...field, ...more } : field)));
  return (
    <Modal
      opened
      centered
      onClose={onClose}
      title={only ? t('title', { name: only.name }) : t('titleMany', { count: documents.length })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <TagsInput
            label={t(only ? 'tags' : 'tagsMany')}
            description={t('tagsHint')}
            data={known.flatMap(({ name, value }) => (name === null ? [value] : []))}
            value={tags}
            onChange={(next) => setTags(next.map((tag) => tag.slice(0, labelLimits.tag)))}
            maxTags={labelLimits.tags}
            openOnFocus={false}
            limit={50}
            acceptValueOnBlur
            data-autofocus
          />
          {only && (
            <Input.Wrapper
              label={t('fields')}
              labelElement="div"
              description={t('fieldsHint')}
              error={isTold && isHalf && t('half')}
            >
              <Stack gap={6} mt={6}>
                {fields.map((field, at) => (
                  <Group key={at} gap={4} wrap="nowrap">
                    {(['name', 'value'] as const).map((part) => (
                      <TextInput
                        key={part}
                        style={{ flex: part === 'name' ? 2 : 3 }}
                        value={field[part]}
                        placeholder={t(part)}
                        aria-label={t(`fieldOf.${part}`, { number: at + 1 })}
                        maxLength={labelLimits[part]}
                        onChange={(event) => change(at, { [part]: event.currentTarget.value })}
                      />
                    ))}
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={36}
                      aria-label={t('removeField', { number: at + 1 })}
                      onClick={() => setFields(fields.toSpliced(at, 1))}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Group>
                ))}
              </Stack>
              {fields.length < labelLimits.fields && (
                <Button
                  variant="subtle"
                  size="xs"
                  mt={6}
                  leftSection={<IconPlus size={14} />}
                  onClick={() => setFields([...fields, { name: '', value: '' }])}
                >
                  {t('addField')}
                </Button>
              )}
            </Input.Wrapper>
          )}
          <FormActions submit={t('common:save')} cancel={t('common:cancel')} isBusy={isBusy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
