import { Button, Group, Input, Stack, Textarea, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { usualSettings, type BaseSettings } from '../../../shared/contracts/knowledge.ts';
import { ApiError } from '../../lib/api.ts';
import { pathOf } from '../../lib/dropped-files.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ChosenFiles, DropAnywhere, FilePicker } from './file-drop.tsx';
import classes from './knowledge.module.css';
import { SettingsFields } from './settings-fields.tsx';

interface Props {
  isBusy: boolean;
  error: object | null;
  onSubmit(values: { name: string; description: string; settings: BaseSettings; files: File[] }): void;
}

const maxName = 60;

/** What a new base begins with: its files name it until somebody does. */
export function BaseForm({ isBusy, error, onSubmit }: Props) {
  const { t } = useTranslation('knowledge');
  const [values, setValues] = useState({ name: '', description: '', settings: usualSettings });
  const [files, setFiles] = useState<File[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  const [isTold, setIsTold] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const fields = error instanceof ApiError ? error.fields : {};
  const isUnnamed = values.name.trim() === '';
  const add = (more: File[]) => {
    setFiles([...files, ...more.filter((each) => !files.some((file) => pathOf(file) === pathOf(each)))]);
    const [first] = more;
    if (isUnnamed && first)
      setValues({ ...values, name: [...first.name.replace(/\.[^.]+$/, '')].slice(0, maxName).join('') });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsTold(isUnnamed);
        if (isUnnamed) field.current?.focus();
        else onSubmit({ ...values, files });
      }}
    >
      <DropAnywhere into={values.name || t('list.create')} onFiles={add} />
      <Stack>
        <TextInput
          ref={field}
          label={t('common:name')}
          placeholder={t('form.namePlaceholder')}
          value={values.name}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
          maxLength={80}
          required
          error={(isTold && isUnnamed && t('form.nameMissing')) || fields['name']}
        />
        <Input.Wrapper label={t('form.files')} labelElement="div">
          <FilePicker isArea onFiles={add} />
          <ChosenFiles files={files} onFiles={setFiles} />
        </Input.Wrapper>
        <Textarea
          label={t('form.description')}
          description={t('form.descriptionHint')}
          value={values.description}
          onChange={(event) => setValues({ ...values, description: event.currentTarget.value })}
          maxLength={500}
          autosize
          minRows={2}
          error={fields['description']}
        />
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          style={{ alignSelf: 'flex-start' }}
          leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t('settings.more')}
        </Button>
        {isOpen && (
          <SettingsFields value={values.settings} onChange={(settings) => setValues({ ...values, settings })} />
        )}
        {error && Object.keys(fields).length === 0 && (
          <p className={classes['problem']} role="alert">
            {errorText(error)}
          </p>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            {t('common:create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
