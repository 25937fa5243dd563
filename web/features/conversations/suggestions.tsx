import { Button, Group } from '@mantine/core';

interface Props {
  label: string;
  texts: string[];
  isBusy?: boolean;
  isCentered?: boolean;
  /** Below an answer, where its text begins. */
  isIndented?: boolean;
  onPick(text: string): void;
}

/** Questions of which one is asked by a press. */
export function Suggestions({ label, texts, isBusy = false, isCentered = false, isIndented = false, onPick }: Props) {
  return (
    <Group
      justify={isCentered ? 'center' : 'flex-start'}
      gap="xs"
      role="group"
      aria-label={label}
      {...(isIndented ? { ml: { base: 0, sm: 32 } } : { mt: 10 })}
    >
      {texts.map((text) => (
        <Button
          key={text}
          variant="default"
          onClick={() => onPick(text)}
          disabled={isBusy}
          h="auto"
          py={5}
          styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.5 } }}
        >
          {text}
        </Button>
      ))}
    </Group>
  );
}
