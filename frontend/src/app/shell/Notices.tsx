import { Notifications } from '@mantine/notifications';

/** Shows notices, above each other in the corner. */
export const Notices = () => <Notifications position="bottom-right" />;
