import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// Lowest first: a folder imports only from folders before it. Folders in one row do not know each other.
const layers = [['ui', 'api', 'graph', 'run'], ['store'], ['actions'], ['canvas', 'inspector', 'runs', 'inbox'], ['pages'], ['shell']];

const shared = { api: ['graph', 'run'], ui: ['api'] };
const zones = layers.flatMap((row, level) =>
  row.flatMap((folder) => {
    const above = layers.slice(level + 1).flat();
    const beside = row.filter((other) => other !== folder && !(shared[other] ?? []).includes(folder) && !((shared[folder] ?? []).includes(other)));
    const islands = folder === 'inbox' || folder === 'runs' ? beside.filter((name) => name === 'inspector') : beside;
    return [...above, ...islands].map((from) => ({ target: `./src/${folder}`, from: `./src/${from}` }));
  }),
);

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'src/contract.ts'] },
  ...tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
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
  { files: ['src/run/**', 'src/graph/**'], rules: { 'no-restricted-imports': ['error', { patterns: ['react', 'react-dom', '@mantine/*'] }] } },
);
