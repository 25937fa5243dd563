import '@mantine/core/styles/NumberInput.css';
import { NumberInput, Switch } from '@mantine/core';

interface Props {
  label: string;
  description: string;
  amountLabel: string;
  /** Null where there is no limit. */
  value: number | null;
  /** What a limit is at first. */
  usual: number;
  max: number;
  error: string | undefined;
  onChange(value: number | null): void;
}

/** A limit that there may be, and how much it is. */
export function CapField({ label, description, amountLabel, value, usual, max, error, onChange }: Props) {
  return (
    <>
      <Switch
        label={label}
        description={description}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usual : null)}
      />
      {value !== null && (
        <NumberInput
          label={amountLabel}
          value={value}
          min={0}
          max={max}
          thousandSeparator=","
          allowDecimal={false}
          allowNegative={false}
          maw={200}
          onChange={(next) => typeof next === 'number' && next >= 0 && next <= max && onChange(next)}
          error={error}
        />
      )}
    </>
  );
}
