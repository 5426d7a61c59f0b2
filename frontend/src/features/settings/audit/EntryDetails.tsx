import { Anchor, Modal, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { AuditEntry } from '../../../api/http/workspace/people/access.ts';
import { formatExact } from '../../../ui/format/format.ts';
import classes from '../settings.module.css';
import { actionName, actorName, subjectName } from './entries.ts';
import { partsOf } from './particulars.ts';

/** What was done; a press shows the whole entry, of which a line has no room, and a phone none at all. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  // a long list makes no dialogs; one that was opened stays, so that the focus comes back
  const [opened, setOpened] = useState<boolean | null>(null);
  const name = actionName(entry.action);
  const parts = partsOf(entry.detail, entry.names);
  return (
    <>
      <UnstyledButton
        className={classes.entry}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <span className={classes.target}>{name}</span>
      </UnstyledButton>
      {opened === null ? null : (
        <Modal opened={opened} onClose={() => setOpened(false)} title={name}>
          <dl className={classes.entryParts}>
            <dt>Of</dt>
            <dd>{subjectName(entry)}</dd>
            <dt>By</dt>
            <dd>{actorName(entry)}</dd>
            <dt>When</dt>
            <dd>{formatExact(new Date(entry.at))}</dd>
            {parts.length > 0 ? <dt>Particulars</dt> : null}
            {parts.map(({ text, to }, place) => (
              // two particulars may say the same
              <dd key={place}>
                {to ? (
                  <Anchor component={Link} to={to} inherit>
                    {text}
                  </Anchor>
                ) : (
                  text
                )}
              </dd>
            ))}
          </dl>
        </Modal>
      )}
    </>
  );
}
