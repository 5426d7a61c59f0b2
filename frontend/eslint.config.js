import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// Lowest first: a folder imports only from folders before it. Folders in one row do not know each other,
// except for the pairs in `shared`.
const layers = [['ui', 'api', 'graph', 'run'], ['store', 'liverun'], ['actions'], ['canvas', 'inspector'], ['features'], ['app']];
const shared = { ui: ['api', 'run'], graph: ['api'], run: ['api', 'graph'] };
const withoutReact = ['graph', 'run'];

/** The rule of one folder: which other folders (and packages) it may not import from. */
function zone(folder, row, level) {
  const above = layers.slice(level + 1).flat();
  const beside = row.filter((other) => other !== folder && !(shared[folder] ?? []).includes(other));
  const patterns = [{ group: [...above, ...beside].map((other) => `../**/${other}/**`), message: `src/${folder} is below it, or beside it: see the layers in eslint.config.js.` }];
  if (withoutReact.includes(folder)) patterns.push({ group: ['react', 'react-dom', '@mantine/*', '@xyflow/*'], message: `src/${folder} is pure.` });
  return { files: [`src/${folder}/**/*.{ts,tsx}`], rules: { 'no-restricted-imports': ['error', { patterns }] } };
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
  ...layers.slice(0, -1).flatMap((row, level) => row.map((folder) => zone(folder, row, level))),
);
