import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { floorPlan } from './eslint.floors.js';

export default tseslint.config(
  { ignores: ['node_modules', 'dist', '**/*.gen.ts'] },
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
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Text is rendered as text.',
        },
      ],
      'max-lines': ['error', { max: 400 }],
      eqeqeq: 'error',
    },
  },
  floorPlan,
  {
    files: ['src/{graph,run}/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['react', 'react-dom', '@mantine/*', '@xyflow/*'],
              message: 'What is known of graphs and runs is pure.',
            },
          ],
        },
      ],
    },
  },
);
