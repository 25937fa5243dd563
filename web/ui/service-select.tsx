import { Select, Text, type ComboboxParsedItem } from '@mantine/core';
import classes from './service-select.module.css';

export interface ServiceOption {
  imageSrc?: string;
  name: string;
  tag: string;
  value: string;
  /** What is worth knowing of it. */
  tooltip: string[];
  /** Under which it is listed; those without one come first. */
  group?: string;
  /** It is listed, but does not answer now. */
  isOff?: boolean;
}

interface Props {
  label: string;
  description?: string | undefined;
  nothingFound?: string | undefined;
  options: ServiceOption[];
  value: string;
  error?: string | undefined;
  onChange(value: string): void;
}

/** A list of models to choose from, by group, found by typing what they are called or can do. */
export function ServiceSelect({ label, description, nothingFound, options, value, error, onChange }: Props) {
  const known = new Map(options.map((option) => [option.value, option]));
  const chosen = known.get(value);
  const itemsOf = (group: string | undefined) =>
    options
      .filter((option) => option.group === group)
      .map((option) => ({ value: option.value, label: labelOf(option) }));
  const groups = [...new Set(options.flatMap(({ group }) => group ?? []))];
  return (
    <Select
      label={label}
      description={description}
      data={[...itemsOf(undefined), ...groups.map((group) => ({ group, items: itemsOf(group) }))]}
      value={value}
      onChange={(next) => next && onChange(next)}
      allowDeselect={false}
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage={nothingFound}
      maxDropdownHeight={360}
      error={error}
      leftSection={chosen?.imageSrc && <img src={chosen.imageSrc} alt="" width={20} height={20} />}
      filter={({ options: shown, search }) => {
        const words = fold(search).split(/\s+/).filter(Boolean);
        const fits = ({ value: each }: { value: string }) => {
          const option = known.get(each);
          const text = option ? fold([labelOf(option), option.group, ...option.tooltip].join(' ')) : '';
          return words.every((word) => text.includes(word));
        };
        return shown.flatMap((each): ComboboxParsedItem[] => {
          if (!('group' in each)) return fits(each) ? [each] : [];
          const items = each.items.filter(fits);
          return items.length > 0 ? [{ ...each, items }] : [];
        });
      }}
      renderOption={({ option }) => {
        const shown = known.get(option.value);
        return (
          <span className={classes['option']} data-off={shown?.isOff || undefined}>
            {shown?.imageSrc && <img src={shown.imageSrc} alt="" width={20} height={20} />}
            <span className={classes['name']}>
              {shown?.name}
              {shown?.tag && <span className={classes['tag']}> ({shown.tag})</span>}
            </span>
            <Text component="span" size="xs" c="dimmed" className={classes['facts'] ?? ''}>
              {shown?.tooltip.join(' · ')}
            </Text>
          </span>
        );
      }}
    />
  );
}

const labelOf = ({ name, tag }: ServiceOption) => (tag ? `${name} (${tag})` : name);

const fold = (text: string) => text.normalize('NFKC').toLocaleLowerCase().trim();
