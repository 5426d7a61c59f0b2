import { Popover, Tooltip, UnstyledButton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useEscape } from '../../../ui/keys/useEscape.ts';
import classes from '../editor.module.css';
import { lazyOnDemand } from '../../../ui/page/lazy/lazy.ts';

const load = () => import('./AboutForm.tsx').then((module) => ({ default: module.AboutForm }));
const AboutForm = lazyOnDemand(load);

export interface AboutWords {
  name: string;
  description: string;
  tags: string[];
}

/** The words of a workflow and nothing else that is known of it: what is saved is what is changed here. */
const wordsOf = ({ name, description, tags }: AboutWords): AboutWords => ({
  name,
  description,
  tags,
});

/** The workflow's name; a click changes it, its description and its tags. */
export function About({
  graphId,
  start,
  readOnly,
}: {
  graphId: string;
  start: AboutWords;
  readOnly: boolean;
}) {
  const [about, setAbout] = useState(() => wordsOf(start));
  const [open, setOpen] = useState(false);
  useEscape(open, () => setOpen(false));
  const name = <span className="gw-truncate">{about.name}</span>;
  if (readOnly)
    return (
      <h1 dir="auto" className={`${classes.name} gw-truncate`}>
        {about.name}
      </h1>
    );
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      width={320}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <h1 className={classes.name}>
          <Tooltip
            label={about.description || 'Name, description and tags'}
            multiline
            maw={320}
            disabled={open}
          >
            <UnstyledButton
              dir="auto"
              className={classes.nameButton}
              onPointerEnter={() => void load()} // who clicks types at once
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {name}
            </UnstyledButton>
          </Tooltip>
        </h1>
      </Popover.Target>
      <Popover.Dropdown aria-label="About this workflow">
        {open ? (
          <Suspense fallback={null}>
            <AboutForm
              graphId={graphId}
              about={about}
              onDone={(next) => {
                if (next) setAbout(next);
                setOpen(false);
              }}
            />
          </Suspense>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}
