import { SegmentedControl, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { templatesQuery } from '../../api/http/lists.ts';
import { nodeTypesQuery } from '../../api/http/queries.ts';
import type { GraphTemplate, NodeTypeInfo } from '../../api/types/types.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { CardSkeleton } from '../../ui/page/Skeletons.tsx';
import { columnsOf, matching, neighbour } from './galleryMoves.ts';
import classes from './gallery.module.css';
import { GraphSketch } from './GraphSketch.tsx';
import { NeedLabel } from './NeedLabel.tsx';
import { TemplatePreview } from './TemplatePreview.tsx';

const ALL = 'All';

function Card({
  template,
  nodeTypes,
  onOpen,
}: {
  template: GraphTemplate;
  nodeTypes: readonly NodeTypeInfo[];
  onOpen: () => void;
}) {
  return (
    <UnstyledButton className={classes.card} data-template={template.id} onClick={onOpen}>
      <span className={classes.drawing}>
        <GraphSketch document={template.document} nodeTypes={nodeTypes} />
      </span>
      <span className={classes.words}>
        <span className={classes.pattern}>{template.pattern}</span>
        <b>{template.name}</b>
        <span className={classes.line}>{template.description}</span>
        <NeedLabel need={template.needs} />
      </span>
    </UnstyledButton>
  );
}

/** The templates as cards with drawings; arrows walk them, Enter looks closer. `onLook`: whether one is looked at. */
export default function TemplateGallery({ onLook }: { onLook: (looking: boolean) => void }) {
  const { data: templates, error, refetch } = useQuery(templatesQuery);
  const { data: nodeTypes } = useQuery(nodeTypesQuery);
  const [search, setSearch] = useState('');
  const [category, setCategory] = useState(ALL);
  const [opened, setOpened] = useState<GraphTemplate | null>(null);
  const last = useRef<string | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!templates || !nodeTypes) return <CardSkeleton />;
  if (templates.length === 0) return <EmptyState icon={IconTemplate} title="No templates here" />;
  const back = () => {
    setOpened(null);
    onLook(false);
    requestAnimationFrame(() =>
      grid.current?.querySelector<HTMLElement>(`[data-template="${last.current ?? ''}"]`)?.focus(),
    );
  };
  if (opened) return <TemplatePreview template={opened} nodeTypes={nodeTypes} onBack={back} />;
  const shown = matching(templates, search, category === ALL ? null : category);
  const move = (event: KeyboardEvent) => {
    const cards = [...(grid.current?.querySelectorAll<HTMLElement>('[data-template]') ?? [])];
    const at = cards.findIndex((card) => card === document.activeElement);
    const next = neighbour(event.key, at, cards.length, columnsOf(grid.current));
    if (next === null) return;
    event.preventDefault();
    cards[next]?.focus();
  };
  const categories = [ALL, ...new Set(templates.map((template) => template.category))];
  return (
    <div className={classes.gallery}>
      <div className={classes.filters} role="search">
        <TextInput
          data-autofocus
          leftSection={<IconSearch size={15} />}
          placeholder="Search patterns and node types"
          aria-label="Search templates"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'ArrowDown' && move(event)}
        />
        <SegmentedControl
          data={categories}
          value={category}
          onChange={setCategory}
          aria-label="Category"
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon={IconSearch}
          title="No template matches"
          text="Search for a pattern such as voting, or for what a node does."
        />
      ) : null}
      <div
        ref={grid}
        className={classes.grid}
        role="group"
        aria-label={`${shown.length} templates`}
        onKeyDown={move}
      >
        {shown.map((template) => (
          <Card
            key={template.id}
            template={template}
            nodeTypes={nodeTypes}
            onOpen={() => {
              last.current = template.id;
              setOpened(template);
              onLook(true);
            }}
          />
        ))}
      </div>
    </div>
  );
}
