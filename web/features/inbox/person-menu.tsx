import { Alert, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconArrowsJoin, IconBan, IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { inbox, type GuestProfile } from '../../../shared/contracts/inbox.ts';
import { fetchBytes } from '../../lib/api.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { AnchoredMenu } from '../../ui/floating.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { toast } from '../../ui/toast.tsx';
import { useEraseGuest, useGuests, useMergeGuest, useUpdateGuest } from './inbox.queries.ts';
import classes from './inbox.module.css';

interface Props {
  guest: GuestProfile;
  onErased(): void;
  onClose(): void;
}

export function PersonMenu({ guest, onErased, onClose }: Props) {
  const { t } = useTranslation('inbox');
  const mayErase = useMay('edit');
  const [asked, setAsked] = useState<'merge' | 'block' | 'erase'>();
  const update = useUpdateGuest(guest.uuid);
  const erase = useEraseGuest(guest.uuid);
  const fail = (error: unknown) => toast.error(errorText(error));
  const save = () =>
    fetchBytes(inbox.exportGuest, { params: { uuid: guest.uuid } }).then(
      (bytes) => saveFile(bytes, { name: `${guest.name}.json`, type: 'application/json' }),
      fail,
    );
  const icon = { size: 15, stroke: 1.75 };
  if (asked === 'merge') return <MergeDialog guest={guest} onClose={onClose} />;
  if (asked === 'block')
    return (
      <ConfirmDialog
        opened
        title={t('person.blockTitle', { name: guest.name })}
        text={t('person.blockText')}
        confirm={t('person.block')}
        cancel={t('common:cancel')}
        loading={update.isPending}
        onConfirm={() => update.mutate({ blocked: true }, { onError: fail, onSuccess: onClose })}
        onClose={onClose}
      />
    );
  if (asked === 'erase')
    return (
      <ConfirmDialog
        opened
        title={t('person.eraseTitle', { name: guest.name })}
        text={t('person.eraseText', { count: guest.threads.length })}
        confirm={t('person.erase')}
        cancel={t('common:cancel')}
        loading={erase.isPending}
        onConfirm={() =>
          erase.mutate(undefined, {
            onError: fail,
            onSuccess() {
              onClose();
              toast.success(t('person.erased', { name: guest.name }));
              onErased();
            },
          })
        }
        onClose={onClose}
      />
    );
  return (
    <AnchoredMenu
      label={t('common:menuOf', { name: guest.name })}
      position="bottom-end"
      width={216}
      closeOnItemClick={false}
      onClose={onClose}
    >
      <Menu.Item leftSection={<IconArrowsJoin {...icon} />} onClick={() => setAsked('merge')}>
        {t('person.merge')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconDownload {...icon} />}
        onClick={() => {
          void save();
          onClose();
        }}
      >
        {t('person.export')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconBan {...icon} />}
        onClick={() =>
          guest.blocked ? update.mutate({ blocked: false }, { onError: fail, onSettled: onClose }) : setAsked('block')
        }
      >
        {t(guest.blocked ? 'person.unblock' : 'person.block')}
      </Menu.Item>
      {mayErase && (
        <Menu.Item color="red.6" leftSection={<IconTrash {...icon} />} onClick={() => setAsked('erase')}>
          {t('person.eraseAsk')}
        </Menu.Item>
      )}
    </AnchoredMenu>
  );
}

/** Two that are one: found, looked at, and only then made one. */
function MergeDialog({ guest, onClose }: { guest: GuestProfile; onClose(): void }) {
  const { t } = useTranslation('inbox');
  const [q, setQ] = useState('');
  const [other, setOther] = useState<{ uuid: string; name: string }>();
  const guests = useGuests(q);
  const { merge } = useMergeGuest(guest.uuid);
  // Most often it is whoever has the same address or number.
  const [byEmail, byPhone] = [useGuests(guest.email).data, useGuests(guest.phone).data];
  const alike = [...(byEmail ?? []), ...(byPhone ?? [])];
  const others = (q ? (guests.data ?? []) : alike).filter(({ uuid }) => uuid !== guest.uuid);
  const found = others.filter(({ uuid }, at) => others.findIndex((each) => each.uuid === uuid) === at);
  const hint = q
    ? found.length === 0 && guests.data
      ? t('person.mergeNone')
      : ''
    : t(found.length > 0 ? 'person.mergeAlike' : 'person.mergeHint');
  return (
    <Modal opened onClose={onClose} title={t('person.mergeTitle', { name: guest.name })} centered>
      {other ? (
        <Stack>
          <Text size="sm">{t('person.mergeText', { name: guest.name, other: other.name })}</Text>
          {merge.error && (
            <Alert color="red" role="alert">
              {errorText(merge.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setOther(undefined)}>
              {t('common:back')}
            </Button>
            <Button
              loading={merge.isPending}
              onClick={() =>
                merge.mutate(other.uuid, {
                  onSuccess() {
                    toast.success(t('person.merged', { other: other.name }));
                    onClose();
                  },
                })
              }
            >
              {t('person.mergeConfirm')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <>
          <SearchInput value={q} onChange={setQ} label={t('person.mergeSearch')} clearLabel={t('common:clear')} />
          <p className={classes['hint']} role="status">
            {problemOf(guests.error) ?? hint}
          </p>
          <ul className={classes['people']}>
            {found.map(({ uuid, name, avatar, email, lastSeenAt }) => (
              <li key={uuid}>
                <button type="button" onClick={() => setOther({ uuid, name })}>
                  <Avatar kind="person" id={uuid} name={name} url={avatar?.url} size={28} />
                  <span>
                    {name}
                    <small>
                      {[email, ...(lastSeenAt ? [formatAgo(lastSeenAt)] : [])].filter(Boolean).join(t('common:dot'))}
                    </small>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Modal>
  );
}
