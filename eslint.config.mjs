import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default defineConfig(
  // The Next app and what packs the consumers have dependencies of their own; their commands check them.
  globalIgnores([
    'dist',
    '.build',
    'coverage',
    'examples/*/dist',
    'examples/next',
    'docs/.vitepress/{dist,cache,.temp}',
    'docs/public/playground-frame.js',
    'test/consumers/app',
    'test/consumers/bundlers.mjs',
  ]),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      // There are no enums here, and to look for them costs a third of the linter's time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Redux's API objects are made to be taken apart.
      '@typescript-eslint/unbound-method': 'off',
      // A name that tells what an override gets, though the standard implementation has no use for it.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // An option that is a type alone, `{} as { userId?: number }`, is necessary to inference, which the rule does not see.
    files: ['test/consumers/**', 'test/servers/models/**'],
    rules: { '@typescript-eslint/no-unnecessary-type-assertion': 'off' },
  },
  {
    // What is said of types here, the compiler checks alone; and for what bundlers and servers declare, it reads for as long as for all of `src`.
    files: ['test/types/**', '.ci/**', 'docs/.vitepress/bundle.ts', 'examples/*/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > ObjectExpression',
          message:
            'Node 20 takes a microsecond for each field that follows such a spread: write the fields themselves (decision 13).',
        },
      ],
    },
  },
  {
    // Whether the compiler can do with tests, too, the project `react-compiler` tells.
    files: ['src/react/**', 'src/devtools/**', 'examples/**'],
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    files: ['test/react/**'],
    plugins: reactHooks.configs.flat.recommended.plugins,
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'warn' },
  },
  {
    // What is deprecated matters where the package and its users' samples would live with it.
    files: ['test/**', 'bench/**', 'scripts/**'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
);
