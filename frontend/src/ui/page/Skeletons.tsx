import { Box, Group, Skeleton, Stack } from '@mantine/core';

const widths = ['38%', '52%', '30%', '46%', '34%', '58%', '41%', '49%'];

/** Rows of a list while it loads, 40 px each. */
export function ListSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Stack gap={0} role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <Group key={index} h={40} px="md" wrap="nowrap" gap="md">
          <Skeleton h={14} w={14} circle />
          <Box flex={1}>
            <Skeleton h={10} w={widths[index % widths.length] ?? '40%'} radius="xl" />
          </Box>
          <Skeleton h={10} w={64} radius="xl" />
        </Group>
      ))}
    </Stack>
  );
}

/** Cards while they load. */
export function CardSkeleton({ cards = 3, height = 120 }: { cards?: number; height?: number }) {
  return (
    <Group gap="md" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: cards }, (_, index) => (
        <Skeleton key={index} h={height} flex="1 1 240px" radius="md" />
      ))}
    </Group>
  );
}

/** A whole page while its code or data loads. */
export function PageSkeleton() {
  return (
    <Stack p="lg" gap="lg" role="status" aria-busy="true" aria-label="Loading">
      <Skeleton h={20} w={180} radius="xl" />
      <ListSkeleton />
    </Stack>
  );
}
