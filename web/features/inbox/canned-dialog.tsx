import { Alert, Button, Group, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { replyMarks } from '../../../shared/addressed.ts';
import type { CannedReply } from '../../../shared/contracts/inbox.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCanned, useSaveCanned } from './inbox.queries.ts';
import { findUnfilled } from './writing.ts';
import classes from './inbox.module.css';

interface Props {
  onUse(text: string): void;
  onClose(): void;
}

type Edited = Pick<CannedReply, 'shortcut' | 'title' | 'text'> & { uuid?: string };

/** The team's canned replies: to use one, write one, change or delete one. */
export function CannedDialog({ onUse, onClose }: Props) {
  const { t } = useTranslation('inbox');
  const canned = useCanned();
  const { save, remove } = useSaveCanned();
  const [edited, setEdited] = useState<Edited>();
  const add = () => setEdited({ shortcut: '', title: '', text: '' });
  const restore = ({ shortcut, title, text }: CannedReply) =>
    save.mutate({ shortcut, title, text }, { onError: (error) => toast.error(errorText(error)) });
  const onRemove = (reply: CannedReply) =>
    remove.mutate(reply.uuid, {
      onError: (error) => toast.error(errorText(error)),
      onSuccess: () => toast.undo(t('canned.removed', { title: reply.title }), t('common:undo'), () => restore(reply)),
    });
  return (
    <Modal opened onClose={onClose} title={t('canned.title')} size="lg" centered>
      {edited ? (
        <Form edited={edited} onDone={() => setEdited(undefined)} />
      ) : (
        <PagedList
          query={{ ...canned, hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => {} }}
          labels={{ failed: t('canned.failed'), reason: errorText, retry: t('common:retry'), more: t('common:more') }}
          empty={
            <EmptyState
              drawing="mails"
              title={t('canned.empty')}
              text={t('canned.emptyText')}
              action={
                <Button mt="xs" onClick={add}>
                  {t('canned.add')}
                </Button>
              }
            />
          }
        >
          {(replies) => (
            <>
              <ul className={classes['canned']}>
                {replies.map((reply) => (
                  <li key={reply.uuid}>
                    <button type="button" onClick={() => onUse(reply.text)} title={t('canned.use')}>
                      <code>/{reply.shortcut}</code>
                      <span>
                        {reply.title}
                        <small>{reply.text}</small>
                      </span>
                    </button>
                    <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setEdited(reply)}>
                      {t('common:edit')}
                    </Button>
                    <IconButton label={t('canned.remove', { title: reply.title })} onClick={() => onRemove(reply)}>
                      <IconTrash size={15} stroke={1.75} aria-hidden />
                    </IconButton>
                  </li>
                ))}
              </ul>
              <Button mt="md" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
                {t('canned.add')}
              </Button>
            </>
          )}
        </PagedList>
      )}
    </Modal>
  );
}

function Form({ edited, onDone }: { edited: Edited; onDone(): void }) {
  const { t } = useTranslation('inbox');
  const { save } = useSaveCanned();
  const [values, setValues] = useState(edited);
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const unknown = findUnfilled(values.text, replyMarks);
  const set = (changes: Partial<Edited>) => setValues({ ...values, ...changes });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { shortcut, title, text } = values;
    save.mutate(
      { uuid: edited.uuid, shortcut: shortcut.replace(/^\//, '').trim(), title, text },
      { onSuccess: onDone },
    );
  };
  return (
    <form onSubmit={submit} onInput={() => save.reset()} noValidate>
      <Stack>
        {save.error && Object.keys(fields).length === 0 && (
          <Alert color="red" role="alert">
            {errorText(save.error)}
          </Alert>
        )}
        <TextInput
          label={t('canned.shortcut')}
          name="shortcut"
          description={t('canned.shortcutHint')}
          leftSection="/"
          value={values.shortcut}
          error={fields['shortcut']}
          maxLength={30}
          autoCapitalize="none"
          data-autofocus
          onChange={(event) => set({ shortcut: event.currentTarget.value })}
        />
        <TextInput
          label={t('canned.name')}
          name="title"
          value={values.title}
          error={fields['title']}
          maxLength={80}
          onChange={(event) => set({ title: event.currentTarget.value })}
        />
        <Textarea
          label={t('canned.text')}
          name="text"
          value={values.text}
          error={fields['text']}
          maxLength={4000}
          autosize
          minRows={4}
          maxRows={12}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
        {unknown.length > 0 && (
          <Alert color="yellow" role="status">
            {t('canned.unknown', { variables: unknown.map(({ text }) => text).join(t('common:comma')) })}
          </Alert>
        )}
        <Text size="xs" c="dimmed">
          {t('canned.variables', { name: '{{name}}', staff: '{{staff}}', shop: '{{shop}}' })}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common:save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
