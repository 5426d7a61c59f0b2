import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { floorPlan } from './eslint.floors.js';

const asText = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: 'Text is rendered as text.',
};

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
      'no-restricted-syntax': ['error', asText],
      'max-lines': ['error', { max: 400 }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/app/routes.tsx', 'src/ui/page/lazy/lazy.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        asText,
        {
          selector:
            "ImportDeclaration[source.value='react'] > ImportSpecifier[imported.name='lazy']",
          message:
            'lazyOnDemand or lazyInBackground: where the server is away, a plain one takes the page with it.',
        },
      ],
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
