import { Box } from '@mantine/core';
import { later } from '../../ui/later.tsx';
import { Section, type SectionProps } from './section.tsx';

const GuardrailsFields = later(async () => (await import('./guardrails-fields.tsx')).GuardrailsFields);

export function GuardrailsSection({ values, set, fieldError }: SectionProps) {
  return (
    <Section name="guardrails">
      {/* Room for what comes, so that nothing below moves. */}
      <Box mih={360}>
        <GuardrailsFields values={values} set={set} fieldError={fieldError} onFail={() => {}} />
      </Box>
    </Section>
  );
}
