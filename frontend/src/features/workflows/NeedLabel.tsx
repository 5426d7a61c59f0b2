import { Anchor, Text } from '@mantine/core';
import { IconCpu, type Icon, IconMessage, IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { modelsQuery } from '../../api/http/queries.ts';
import type { TemplateNeed } from '../../api/types/types.ts';
import classes from './gallery.module.css';

const BUILTIN = 'builtin/';
const needs: Record<TemplateNeed, { text: string; icon: Icon }> = {
  builtin: { text: 'Runs on the built-in model', icon: IconCpu },
  prose: { text: 'Needs a language model', icon: IconMessage },
  tools: { text: 'Needs a model that calls tools', icon: IconTool },
};

/** What a template needs of its models, in a few words. */
export function NeedLabel({ need }: { need: TemplateNeed }) {
  const { text, icon: Glyph } = needs[need];
  return (
    <span className={classes.need} data-need={need}>
      <Glyph size={14} stroke={1.8} aria-hidden />
      {text}
    </span>
  );
}

/** Says how to get what a template needs, where the workspace has only the built-in model as its default. */
export function NeedHint({ need }: { need: TemplateNeed }) {
  const { data } = useQuery(modelsQuery);
  if (need === 'builtin' || !data?.default_model.startsWith(BUILTIN)) return null;
  return (
    <Text size="sm" c="dimmed">
      Here the default is the built-in model, which writes no text of its own. You can draw and
      check with it; for a real run{' '}
      <Anchor component={Link} to="/settings" size="sm">
        choose another model
      </Anchor>{' '}
      first.
    </Text>
  );
}
