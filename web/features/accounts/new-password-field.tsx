import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { PasswordField, type PasswordFieldProps } from './password-field.tsx';
import { strengthOf } from './strength.ts';

const strengthColors = ['gray', 'red', 'yellow', 'green', 'green'];

/** A password that is chosen now, with how well it would hold. */
export function NewPasswordField({ value, onChange, ...props }: PasswordFieldProps) {
  const { t } = useTranslation('accounts');
  const strength = strengthOf(value);
  return (
    <div>
      <PasswordField
        autoComplete="new-password"
        description={t('register.passwordHint')}
        value={value}
        onChange={onChange}
        {...props}
      />
      {value !== '' && (
        <Group gap="xs" mt={6} wrap="nowrap">
          <Progress
            value={strength * 25}
            color={strengthColors[strength] ?? 'gray'}
            size="sm"
            style={{ flex: 1 }}
            aria-label={t('strength.label')}
          />
          <Text size="xs" c="dimmed" aria-live="polite">
            {t(`strength.${strength}`)}
          </Text>
        </Group>
      )}
    </div>
  );
}

/** The same once more. */
export function RepeatedPasswordField({ of, value, error, ...props }: PasswordFieldProps & { of: string }) {
  const { t } = useTranslation('accounts');
  const isOther = value !== '' && !of.startsWith(value);
  return (
    <PasswordField
      label={t('passwordAgain')}
      name="password-again"
      autoComplete="new-password"
      value={value}
      error={isOther ? t('passwordOther') : error}
      {...props}
    />
  );
}
