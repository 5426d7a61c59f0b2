import { Notifications } from '@mantine/notifications';
import classes from './notices.module.css';

/** Menus and lists that were opened lie over notices, dialogs under them. */
const BELOW_MENUS = 290;

/** Shows notices, above each other in the corner. */
export const Notices = () => (
  <Notifications
    position="bottom-right"
    zIndex={BELOW_MENUS}
    classNames={{ root: classes.notices }}
  />
);
