/** For a field whose words are code; as a style of the whole field it would reach the label alone. */
export const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
