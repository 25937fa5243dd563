import '@mantine/core/styles/Checkbox.css';
import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useBotNames } from '../../lib/bot-names.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { DomainField } from './domain-field.tsx';
import { domainIn, twinOf } from './domains.ts';
import classes from './web-channels.module.css';
import { useCreateWebChannel } from './web-channels.queries.ts';

const people = 'people';

interface Props {
  /** Chosen from the start. */
  bot?: string | undefined;
  onClose(): void;
}

/** All that a website needs: what it is called, who answers, and where it is. */
export function CreateDialog({ bot, onClose }: Props) {
  const { t } = useTranslation('web-channels');
  const navigate = useNavigate();
  const create = useCreateWebChannel();
  const bots = useBotNames();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | undefined>(bot);
  const [written, setWritten] = useState('');
  const [withTwin, setWithTwin] = useState(true);
  const [isTold, setIsTold] = useState(false);
  const domain = domainIn(written);
  const twin = domain && twinOf(domain);
  const isWrong = written.trim() !== '' && !domain;
  // Most have one bot, or mean the first that visitors can get.
  const answering = chosen ?? (bots.data?.find(({ published }) => published) ?? bots.data?.[0])?.uuid ?? people;
  const fields = create.error instanceof ApiError ? create.error.fields : {};
  const title = name.trim() || domain;
  const submit = () => {
    setIsTold(true);
    if (!title || isWrong) {
      form.current?.querySelector<HTMLElement>(isWrong ? '[name="domain"]' : '[name="name"]')?.focus();
      return;
    }
    create.mutate(
      {
        name: title,
        bot: answering === people ? null : answering,
        domains: domain ? [domain, ...(twin && withTwin ? [twin] : [])] : [],
      },
      {
        onSuccess: ({ uuid }) =>
          void navigate({ to: '/Web-Channel/$id', params: { id: uuid }, search: { part: 'snippet' } }),
      },
    );
  };
  const named = bots.data?.find(({ uuid }) => uuid === answering);
  return (
    <Modal opened onClose={onClose} title={t('create.title')} centered>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          <DomainField
            name="domain"
            label={t('create.domain')}
            description={t('create.domainHint')}
            placeholder="shop.example.com"
            value={written}
            onChange={setWritten}
            data-autofocus
            error={
              ((isTold || written.includes(' ')) && isWrong && t('domains.invalid')) ||
              Object.entries(fields).find(([path]) => path.startsWith('domains'))?.[1]
            }
          />
          {twin && (
            <Checkbox
              label={t('create.twin', { domain: twin })}
              checked={withTwin}
              onChange={(event) => setWithTwin(event.currentTarget.checked)}
            />
          )}
          <TextInput
            name="name"
            label={t('common:name')}
            description={t('create.nameHint')}
            placeholder={domain ?? t('create.namePlaceholder')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={80}
            error={(isTold && !title && t('common:required')) || fields['name']}
          />
          <Select
            label={t('create.bot')}
            value={answering}
            onChange={(value) => setChosen(value ?? undefined)}
            data={[
              ...(bots.data ?? []).map((each) => ({ value: each.uuid, label: each.name })),
              { value: people, label: t('bot.none') },
            ]}
            leftSection={
              named ? (
                <Avatar mark={named.mark} name={named.name} url={named.avatar?.url} size={20} />
              ) : (
                <IconUsers size={16} aria-hidden />
              )
            }
            allowDeselect={false}
            searchable
            {...(named && !named.published && { description: t('create.unpublished') })}
            error={fields['bot']}
          />
          <div className={classes['end']}>
            <FormActions
              submit={t('common:create')}
              cancel={t('common:cancel')}
              isBusy={create.isPending}
              error={create.error && Object.keys(fields).length === 0 ? errorText(create.error) : undefined}
              onClose={onClose}
            />
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
