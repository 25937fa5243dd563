import '@mantine/core/styles/NumberInput.css';
import { MultiSelect, NumberInput } from '@mantine/core';
import { capabilities, type Service } from '../../../shared/contracts/services.ts';
import { useTranslation } from '../../lib/i18n.ts';

type Abilities = Pick<Service, 'capabilities' | 'contextTokens'>;

/** What is in the fields, which may be half of a number. */
export interface AbilityValues {
  able: string[];
  contextTokens: number | string;
}

export const abilityValuesOf = ({ capabilities, contextTokens }: Abilities): AbilityValues => ({
  able: capabilities,
  contextTokens,
});

/** Nothing while there is no number. */
export const toAbilities = ({ able, contextTokens }: AbilityValues): Abilities | undefined =>
  typeof contextTokens === 'number'
    ? { capabilities: capabilities.filter((each) => able.includes(each)), contextTokens }
    : undefined;

/** Only what was touched: what is not stays with the list, and follows it. */
export function changedAbilities(values: AbilityValues, before: Abilities): Partial<Abilities> {
  const now = toAbilities(values);
  if (!now) return {};
  const isAble = capabilities.every((each) => now.capabilities.includes(each) === before.capabilities.includes(each));
  return {
    ...(!isAble && { capabilities: now.capabilities }),
    ...(now.contextTokens !== before.contextTokens && { contextTokens: now.contextTokens }),
  };
}

interface Props {
  value: AbilityValues;
  error?: string | undefined;
  onChange(value: AbilityValues): void;
}

/** What a model can do and how much it reads, said by hand. */
export function AbilityFields({ value, error, onChange }: Props) {
  const { t } = useTranslation('models');
  return (
    <>
      <MultiSelect
        label={t('operated.capabilities')}
        data={capabilities.map((each) => ({ value: each, label: t(`operated.able.${each}`) }))}
        value={value.able}
        onChange={(able) => onChange({ ...value, able })}
      />
      <NumberInput
        label={t('operated.contextTokens')}
        value={value.contextTokens}
        onChange={(contextTokens) => onChange({ ...value, contextTokens })}
        error={error}
        min={256}
        max={100_000_000}
        step={1000}
        allowDecimal={false}
        thousandSeparator=","
        required
      />
    </>
  );
}
