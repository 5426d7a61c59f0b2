import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('./src', import.meta.url));

/** The floors of `src`, lowest first: a folder imports only from floors below its own. */
export const floors = [
  ['api'],
  ['graph', 'run', 'ui'],
  ['actions', 'liverun', 'store'],
  ['canvas', 'inspector'],
  [
    'features/memory',
    'features/describe',
    'features/comments',
    'features/triggers',
    'features/called',
    'features/telling',
  ],
  ['features/workflows'],
  ['features/dashboards', 'features/inbox', 'features/settings'],
  ['features/auth', 'features/chat', 'features/runs'],
  ['features/editor'],
  ['app'],
];

/** What else may be imported, and why: from the same floor, or by a feature from another feature. */
export const doors = {
  'graph -> ui': 'a card says a duration as its field does',
  'ui -> run': 'a budget is drawn from exact decimals',
  'features/workflows -> features/describe': 'a workflow begins with words, too',
  'features/inbox -> features/comments': 'who is named in a comment learns of it there',
  'features/inbox -> features/settings': 'who is away reads so above what waits for them',
  'features/editor -> features/describe': 'a draft is changed by words, too',
  'features/settings -> features/called': 'the list of tokens makes them as a workflow does',
  'features/settings -> features/triggers': 'the audit log says of a trigger what its page says',
  'features/settings -> features/telling': 'a workspace sets where it is told of what happens',
  'features/settings -> features/workflows':
    'how long runs are kept is said in the same form for all',
  'features/auth -> features/settings': 'the first start shows the models that were found',
  'features/chat -> features/inbox': 'what a conversation waits for is decided in it',
  'features/runs -> features/triggers': 'a run says above its start what started it',
  'features/runs -> features/inbox': 'what a run waits for is decided beside its canvas',
  'features/editor -> features/comments': 'people speak about the cards that they draw',
  'features/editor -> features/triggers': 'what starts a workflow stands before its start',
  'features/editor -> features/inbox': 'what a test run waits for is decided beside the draft',
  'features/editor -> features/runs': 'a draft is run, stopped and run again from a node',
};

const floorOf = (folder) => floors.findIndex((row) => row.includes(folder));
const isFeature = (folder) => folder.startsWith('features/');

/** The folder of `floors` that holds a file; null for the entry, which stands above them all. */
function folderOf(file) {
  const [first, second] = relative(src, file).split(sep);
  const name = first === 'features' ? `features/${second}` : first;
  return floorOf(name) < 0 ? null : name;
}

/** Why one folder may not import from another; null where it may. */
function refusal(from, to) {
  if (from === null || to === null || from === to || doors[`${from} -> ${to}`]) return null;
  if (floorOf(to) >= floorOf(from)) return `${from} does not stand above ${to}`;
  return isFeature(from) && isFeature(to) ? 'a feature does not know another' : null;
}

const imports = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { floor: '{{why}}: see floors and doors in eslint.floors.js.' },
  },
  create(context) {
    const from = folderOf(context.filename);
    const check = ({ source }) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const why = refusal(from, folderOf(resolve(dirname(context.filename), source.value)));
      if (why !== null) context.report({ node: source, messageId: 'floor', data: { why } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
    };
  },
};

/** The rule `floors/imports`, for the files under `src`. */
export const floorPlan = {
  files: ['src/**/*.{ts,tsx}'],
  plugins: { floors: { rules: { imports } } },
  rules: { 'floors/imports': 'error' },
};
