import { Alert, Button, Stack, Text } from '@mantine/core';

interface Props {
  text: string;
  label: string;
  isBusy: boolean;
  problem: string | undefined;
  /** The id of the form, where this stands outside of it. */
  form?: string;
  onAllow(form: HTMLFormElement | null): void;
}

/** Offers to allow the address that a form was refused for. */
export function AddressOffer({ text, label, isBusy, problem, form: id, onAllow }: Props) {
  return (
    <Alert color="yellow" role="status">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        <Button
          size="xs"
          variant="default"
          form={id}
          loading={isBusy}
          onClick={({ currentTarget: { form } }) => onAllow(form)}
        >
          {label}
        </Button>
        {problem && (
          <Text size="sm" c="red" role="alert">
            {problem}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
