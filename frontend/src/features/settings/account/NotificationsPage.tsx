import { NotificationSettings } from './NotificationSettings.tsx';
import { Telling } from '../../telling/Telling.tsx';
import pages from '../../../ui/page/pages.module.css';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';

/** Where mails lead that somebody wants fewer of; opening it changes nothing. */
export default function NotificationsPage() {
  return (
    <div className={pages.page}>
      <PageHeader title="Notifications" text="Yours alone: nobody else is told more or less." />
      <div className={pages.body}>
        <NotificationSettings />
        <Telling of="me" />
      </div>
    </div>
  );
}
