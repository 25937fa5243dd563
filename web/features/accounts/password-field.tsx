import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from '../../lib/i18n.ts';

export interface PasswordFieldProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string;
  onChange(value: string): void;
}

/** A password that is known already, unless the properties say otherwise; it notices the key that makes passwords fail. */
export function PasswordField({ onChange, description, ...props }: PasswordFieldProps) {
  const { t } = useTranslation('accounts');
  const [isCapsLock, setIsCapsLock] = useState(false);
  const look = (event: KeyboardEvent) => setIsCapsLock(event.getModifierState('CapsLock'));
  return (
    <PasswordInput
      label={t('password')}
      name="password"
      autoComplete="current-password"
      required
      maxLength={512}
      {...props}
      description={isCapsLock ? t('capsLock') : description}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyUp={look}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
    />
  );
}
