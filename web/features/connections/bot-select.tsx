import { Select } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useBotNames } from '../../lib/bot-names.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import classes from './connections.module.css';

interface Props {
  label: string;
  description?: string;
  value: string | null;
  error?: string | undefined;
  onChange(bot: string | null): void;
}

const people = 'people';

/** Which bot answers, or people only. */
export function BotSelect({ label, description, value, error, onChange }: Props) {
  const { t } = useTranslation('connections');
  const bots = useBotNames();
  const mark = (uuid: string | null) => {
    const bot = bots.data?.find((each) => each.uuid === uuid);
    return bot ? (
      <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
    ) : (
      <IconUsers size={16} aria-hidden />
    );
  };
  return (
    <Select
      label={label}
      description={description}
      value={value ?? people}
      onChange={(next) => onChange(next === people ? null : next)}
      data={[
        { value: people, label: t('bot.none') },
        ...(bots.data ?? []).map(({ uuid, name, published }) => ({
          value: uuid,
          label: published ? name : t('bot.named', { name }),
        })),
      ]}
      leftSection={mark(value)}
      renderOption={({ option }) => (
        <span className={classes['answers']}>
          {mark(option.value)}
          {option.label}
        </span>
      )}
      allowDeselect={false}
      searchable
      error={error}
    />
  );
}
