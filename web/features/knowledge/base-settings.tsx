import { Button, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { ApiError } from '../../lib/api.ts';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { Section } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ChunkEffect, ChunkPreview } from './chunk-preview.tsx';
import classes from './knowledge.module.css';
import { useChunkPreview, useDocuments, useUpdateKnowledge } from './knowledge.queries.ts';
import { ReindexDialog } from './reindex-dialog.tsx';
import { SettingsFields } from './settings-fields.tsx';

/** What a base is called, how it divides and finds; beside it what that makes of one of its documents. */
export function BaseSettings({ base }: { base: Knowledge }) {
  const { t } = useTranslation('knowledge');
  const update = useUpdateKnowledge(base.uuid);
  const { name, description, settings } = base;
  const saved = { name, description, settings };
  const [values, setValues] = useState(saved);
  const [isAsking, setIsAsking] = useState(false);
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);
  const guard = useUnsavedGuard(isDirty);
  const isRedivided = JSON.stringify(values.settings.chunking) !== JSON.stringify(settings.chunking);
  const form = useId();
  // The one that a change of the division tells most about.
  const documents = useDocuments(base.uuid, { q: '', status: undefined, sort: '-chunks' });
  const all = documents.data?.pages.flatMap(({ data }) => data) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const document = all.find(({ uuid }) => uuid === chosen) ?? all[0];
  const of = { document: document?.uuid ?? '' };
  const before = useChunkPreview(base.uuid, { chunking: settings.chunking, of }, document !== undefined);
  const asked = document && { base: base.uuid, chunking: values.settings.chunking, of, isReady: !before.isFetching };
  // Whoever came for one part of it finds that.
  useEffect(() => {
    window.document.getElementById(window.location.hash.slice(1))?.scrollIntoView({ block: 'center' });
  }, []);
  const isUnnamed = values.name.trim() === '';
  const field = useRef<HTMLInputElement>(null);
  const fields = update.error instanceof ApiError ? update.error.fields : {};
  const set = (changes: Partial<typeof values>) => {
    update.reset();
    setValues({ ...values, ...changes });
  };
  const save = () =>
    update.mutate(values, {
      onSuccess: ({ data }) => {
        // The server has trimmed them.
        setValues({ name: data.name, description: data.description, settings: data.settings });
        toast.success(t('settings.saved'));
        if (isRedivided && base.documentCount > 0) setIsAsking(true);
      },
    });
  return (
    <>
      <div className={classes['settings']}>
        <form
          id={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (isUnnamed) field.current?.focus();
            else save();
          }}
        >
          <Section title={t('settings.general')}>
            <Stack className={classes['fields'] ?? ''}>
              <TextInput
                ref={field}
                label={t('common:name')}
                value={values.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                maxLength={80}
                required
                error={
                  (isUnnamed && t('form.nameMissing')) ||
                  (fields['name'] ?? (Object.keys(fields).length === 0 ? problemOf(update.error) : undefined))
                }
              />
              <Textarea
                label={t('form.description')}
                description={t('form.descriptionHint')}
                value={values.description}
                onChange={(event) => set({ description: event.currentTarget.value })}
                maxLength={500}
                autosize
                minRows={2}
                error={fields['description']}
              />
            </Stack>
          </Section>
          <SettingsFields
            value={values.settings}
            onChange={(next) => set({ settings: next })}
            effect={
              asked &&
              isRedivided &&
              before.data &&
              !before.isPlaceholderData && (
                <ChunkEffect key={of.document} {...asked} name={document?.name ?? ''} before={before.data} />
              )
            }
          />
        </form>
        <div className={classes['beside']}>
          <Section
            title={t('settings.preview')}
            end={
              all.length > 0 && (
                <Select
                  aria-label={t('settings.previewOf')}
                  data={all.map(({ uuid, name: label }) => ({ value: uuid, label }))}
                  value={document?.uuid ?? null}
                  onChange={setChosen}
                  allowDeselect={false}
                  searchable
                  size="xs"
                  w={220}
                />
              )
            }
          >
            {asked ? (
              <ChunkPreview {...asked} />
            ) : (
              <p className={classes['hint']}>{documents.isPending ? '' : t('settings.previewNone')}</p>
            )}
          </Section>
        </div>
      </div>
      <div className={classes['foot']} data-shown={isDirty || undefined}>
        <span role="status">{isDirty && t('settings.changed')}</span>
        <Button variant="default" disabled={!isDirty} onClick={() => setValues(saved)}>
          {t('settings.discard')}
        </Button>
        <Button type="submit" form={form} loading={update.isPending} disabled={!isDirty}>
          {t('common:save')}
        </Button>
      </div>
      <ConfirmDialog {...guard} />
      <ReindexDialog base={base} opened={isAsking} onClose={() => setIsAsking(false)} />
    </>
  );
}
