import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const eslint = new ESLint();

/** What the rule says of a file that imports this. */
async function said(file: string, source: string): Promise<string[]> {
  const [result] = await eslint.lintText(`import '${source}';\n`, { filePath: file });
  return (result?.messages ?? [])
    .filter(({ ruleId }) => ruleId === 'floors/imports')
    .map(({ message }) => message.split(':')[0] ?? '');
}

describe('the floors of src', () => {
  it.each([
    ['src/run/fold/view.ts', '../../api/types/types.ts', []],
    ['src/run/fold/view.ts', './model.ts', []],
    ['src/api/http/client.ts', '../../run/values/json.ts', ['api does not stand above run']],
    [
      'src/canvas/GraphCanvas.tsx',
      '../features/runs/RunPage.tsx',
      ['canvas does not stand above features/runs'],
    ],
    [
      'src/features/inbox/InboxPage.tsx',
      '../runs/RunPage.tsx',
      ['features/inbox does not stand above features/runs'],
    ],
    ['src/features/runs/panel/RunPanel.tsx', '../../inbox/decide/DecisionPane.tsx', []],
    [
      'src/features/editor/Workbench.tsx',
      '../memory/FactList.tsx',
      ['a feature does not know another'],
    ],
    ['src/app/routes.tsx', '../features/runs/RunPage.tsx', []],
  ])(
    '%s imports %s',
    async (file, source, refusals) => {
      expect(await said(file, source)).toEqual(refusals);
    },
    30_000,
  );

  it('looks at imports that are made later, and at names handed on', async () => {
    const [result] = await eslint.lintText(
      "export * from '../../app/look/theme.ts';\nvoid import('../../store/editor.ts');\n",
      { filePath: 'src/ui/keys/keys.ts' },
    );
    expect(result?.messages.map(({ ruleId }) => ruleId)).toEqual([
      'floors/imports',
      'floors/imports',
    ]);
  });
});
