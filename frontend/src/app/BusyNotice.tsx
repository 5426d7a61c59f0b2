import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { onWaiting, untilWaitIsTold } from '../api/http/wait/busy.ts';
import classes from './busyNotice.module.css';

/** Says that the server is busy and that the page goes on by itself, once that takes more than two seconds. */
export function BusyNotice() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    let timer = 0;
    const look = () => {
      window.clearTimeout(timer);
      const ms = untilWaitIsTold();
      setShown(ms === 0);
      if (ms !== null && ms > 0) timer = window.setTimeout(look, ms);
    };
    look();
    const ignore = onWaiting(look);
    return () => {
      window.clearTimeout(timer);
      ignore();
    };
  }, []);
  return (
    <div role="status" className={classes.place}>
      {shown ? (
        <p className={classes.notice}>
          <Loader size={14} aria-hidden />
          The server is busy. This goes on by itself.
        </p>
      ) : null}
    </div>
  );
}
