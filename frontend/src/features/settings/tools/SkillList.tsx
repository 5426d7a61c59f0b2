import { Collapse, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type SkillInfo, skillsQuery } from '../../../api/http/workspace/tools/skills.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { Users } from './ToolRow.tsx';
import classes from './tools.module.css';

/** What agents may learn: of the installation, only looked at here; nothing where there is none. */
export function SkillList() {
  const { data, error, refetch } = useQuery(skillsQuery);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || data.results.length === 0) return null;
  return (
    <section className={classes.source} aria-label="Skills">
      <header className={classes.head}>
        <div className={classes.title}>
          <h3>Skills</h3>
          <Text size="xs" c="dimmed">
            {counted(data.results.length, 'skill')} · installed with Graphwright · every agent may
            learn them, unless its step lists other tools
          </Text>
        </div>
      </header>
      <ul className={classes.tools}>
        {data.results.map((skill) => (
          <SkillRow key={skill.name} skill={skill} />
        ))}
      </ul>
    </section>
  );
}

function SkillRow({ skill }: { skill: SkillInfo }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={classes.tool}>
      <div className={classes.row}>
        <UnstyledButton
          className={classes.open}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} />
          <span className={classes.name}>
            <span className="gw-mono">{skill.tool}</span>
            <Text component="span" size="xs" c="dimmed" className={classes.summary}>
              {skill.description.split('\n')[0]}
            </Text>
          </span>
        </UnstyledButton>
      </div>
      <Collapse expanded={isOpen}>
        <Details skill={skill} />
      </Collapse>
    </li>
  );
}

function Details({ skill }: { skill: SkillInfo }) {
  return (
    <div className={classes.details}>
      {skill.description.includes('\n') ? (
        <p className={classes.description}>{skill.description}</p>
      ) : null}
      <dl className={classes.facts}>
        <dt>Unlocks</dt>
        <dd>
          {skill.tools.length > 0 ? (
            <span className="gw-mono">{skill.tools.join(', ')}</span>
          ) : (
            'instructions only'
          )}
        </dd>
        <dt>Size</dt>
        <dd>{counted(skill.characters, 'character')} of instructions, told once it is learned</dd>
        {skill.package ? (
          <>
            <dt>Package</dt>
            <dd className="gw-mono">{skill.package}</dd>
          </>
        ) : null}
        <dt>Named by</dt>
        <dd>
          <Users of={skill} nobody="nobody by its name" />
        </dd>
      </dl>
      <pre className={classes.schema} tabIndex={0} aria-label={`Instructions of ${skill.name}`}>
        {skill.instructions}
      </pre>
    </div>
  );
}

const counted = (count: number, of: string): string =>
  `${count.toLocaleString('en')} ${of}${count === 1 ? '' : 's'}`;
