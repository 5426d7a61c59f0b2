import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const id = 'virtual:common-icons';

/** Icons that node types are likely to use; they come with the bundle. All others are fetched when first met. */
const common = [
  'adjustments', 'alarm', 'alert-triangle', 'api', 'arrow-fork', 'arrow-merge', 'arrow-ramp-right', 'arrows-shuffle', 'arrows-split', 'bell',
  'bolt', 'book', 'box', 'box-multiple', 'brain', 'bulb', 'calculator', 'calendar', 'certificate', 'chart-bar', 'check', 'checklist', 'checkbox',
  'circle', 'circle-check', 'clipboard-check', 'clock', 'clock-pause', 'cloud', 'code', 'components', 'crown', 'database', 'dna', 'dna-2',
  'file-export', 'file-text', 'filter', 'flag', 'flame', 'flask', 'function', 'gavel', 'git-branch', 'git-fork', 'git-merge', 'hand-stop',
  'hierarchy', 'hierarchy-2', 'hierarchy-3', 'hourglass', 'layers-intersect', 'layers-linked', 'layout-grid', 'link', 'list', 'list-check', 'mail',
  'message', 'message-2', 'message-circle', 'message-question', 'message-chatbot', 'notes', 'package', 'player-play', 'player-stop', 'plug',
  'progress-check', 'puzzle', 'question-mark', 'help', 'help-circle', 'refresh', 'repeat', 'robot', 'robot-face', 'route', 'route-2', 'scale', 'search', 'select',
  'send', 'settings', 'shield', 'shield-check', 'shuffle', 'sitemap', 'sparkles', 'square-check', 'stack', 'stack-2', 'subtask', 'switch', 'switch-2',
  'target', 'template', 'tool', 'tools', 'topology-star', 'transform', 'user', 'user-check', 'user-question', 'user-star', 'users', 'users-group',
  'vector', 'wand', 'webhook', 'world', 'world-www', 'zoom-check', 'writing',
];

/** `virtual:common-icons`: the drawings of the common icons, picked from Tabler's own data at build time. */
export function commonIcons(): Plugin {
  return {
    name: 'graphwright-common-icons',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(resolved) {
      if (resolved !== `\0${id}`) return null;
      // By path: the package does not export its data files by name.
      const file = new URL('../node_modules/@tabler/icons/tabler-nodes-outline.json', import.meta.url);
      const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      const picked = Object.fromEntries(common.filter((name) => name in all).map((name) => [name, all[name]]));
      return `export default ${JSON.stringify(picked)};`;
    },
  };
}
