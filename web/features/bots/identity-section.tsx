import { Button, FileButton, Group, Textarea, TextInput } from '@mantine/core';
import { files } from '../../../shared/contracts/accounts.ts';
import { ApiError, call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { toast } from '../../ui/toast.tsx';
import { useUpdateBot } from './bots.queries.ts';
import { Section, type SectionProps } from './section.tsx';

export function IdentitySection({ bot, values, set, fieldError, onSaved }: SectionProps & { onSaved(): void }) {
  const { t } = useTranslation('bots-editor');
  const { mutateAsync } = useUpdateBot(bot.uuid);
  const saveAvatar = async (find: () => Promise<string | null>) => {
    try {
      await mutateAsync({ avatar: await find() });
      onSaved();
    } catch (failure) {
      if (failure instanceof ApiError) toast.error(failure.message);
    }
  };
  const upload = async (file: File | null) => {
    if (!file) return;
    const form = new FormData();
    form.append('file', file);
    await saveAvatar(async () => (await call(files.uploadImage, { form })).data.uuid);
  };
  return (
    <Section name="identity">
      <Group align="center" gap="md">
        <Avatar mark={bot.mark} name={values.name} url={bot.avatar?.url} size={56} />
        <Group gap="xs">
          <FileButton onChange={(file) => void upload(file)} accept="image/png,image/jpeg,image/webp,image/gif">
            {(props) => (
              <Button size="xs" variant="default" {...props}>
                {t('identity.avatar')}
              </Button>
            )}
          </FileButton>
          {bot.avatar && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              onClick={() => void saveAvatar(() => Promise.resolve(null))}
            >
              {t('common:remove')}
            </Button>
          )}
        </Group>
      </Group>
      <TextInput
        label={t('common:name')}
        value={values.name}
        onChange={(event) => set('name', event.currentTarget.value)}
        error={values.name.trim() ? fieldError('name') : t('identity.nameMissing')}
        maxLength={80}
        required
        withAsterisk={false}
      />
      <Textarea
        label={t('identity.description')}
        description={t('identity.descriptionHint')}
        value={values.description}
        onChange={(event) => set('description', event.currentTarget.value)}
        error={fieldError('description')}
        maxLength={500}
        autosize
      />
    </Section>
  );
}
