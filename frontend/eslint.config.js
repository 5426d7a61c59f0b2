import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// Lowest first: a folder imports only from folders before it. Folders in one row do not know each other.
const layers = [['ui', 'api', 'graph', 'run'], ['store'], ['actions'], ['canvas', 'inspector', 'runs', 'inbox'], ['pages'], ['shell']];

const shared = { api: ['graph', 'run'], ui: ['api'] };
const forbidden = layers.flatMap((row, level) =>
  row.map((folder) => {
    const above = layers.slice(level + 1).flat();
    const beside = row.filter((other) => other !== folder && !(shared[other] ?? []).includes(folder) && !((shared[folder] ?? []).includes(other)));
    const islands = folder === 'inbox' || folder === 'runs' ? beside.filter((name) => name === 'inspector') : beside;
    return { folder, names: [...above, ...islands] };
  }),
);

const pure = ['graph', 'run'];

/** Imports that a folder may not make: of folders above or beside it, and of React where it is pure. */
function boundaries({ folder, names }) {
  const patterns = names.length
    ? [{ regex: `^(\\.\\./)+(${names.join('|')})(/|$)`, message: `src/${folder} lies below or beside this folder.` }]
    : [];
  if (pure.includes(folder)) patterns.push({ group: ['react', 'react-dom', '@mantine/*'], message: 'This folder is pure.' });
  return {
    files: [`src/${folder}/**/*.{ts,tsx}`],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'src/contract.ts'] },
  ...tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-invalid-void-type': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text is rendered as text.' },
      ],
      'max-lines': ['error', { max: 400 }],
      eqeqeq: 'error',
    },
  },
  ...forbidden.map(boundaries),
);
