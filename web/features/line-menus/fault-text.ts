import { useTranslation } from '../../lib/i18n.ts';

/** The sentence for what is wrong, as the server would say it. */
export function useFaultText() {
  const { t, has } = useTranslation('line-menus', 'errors');
  return (code: string): string => {
    const key = has(`editor.warnings.${code}`) ? `editor.warnings.${code}` : `errors:field.${code}`;
    return has(key) ? t(key) : code;
  };
}
