import { Box, Center, Group, Paper, Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Mark } from '../../ui/logo.tsx';
import { ColorModeSwitch, LanguageSwitch } from './switches.tsx';

export function LoginLayout() {
  return (
    // Without room for a scroll bar, which would have another ground.
    <Center component="main" id="main" tabIndex={-1} mih="100%" p="md" bg="var(--desk)" data-fills-window>
      <Box w="100%" maw={420}>
        <Group justify="center" gap={8} mb="lg">
          <Mark size={36} />
          <Text fz={26} fw={700}>
            Kotae
          </Text>
        </Group>
        <Paper withBorder shadow="sm" p={{ base: 'lg', sm: 'xl' }}>
          <Outlet />
        </Paper>
        <Group justify="center" mt="md" gap="sm">
          <LanguageSwitch />
          <ColorModeSwitch />
        </Group>
      </Box>
    </Center>
  );
}
