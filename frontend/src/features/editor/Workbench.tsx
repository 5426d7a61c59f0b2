import { useMediaQuery } from '@mantine/hooks';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../../api/http/queries.ts';
import type { Danger, GraphDetail, NodeTypeInfo, Problem } from '../../api/types/types.ts';
import canvas from '../../canvas/canvas.module.css';
import { tintColor, tintsOf } from '../../canvas/cards/context.ts';
import type { CanvasHandle } from '../../canvas/EditorCanvas.tsx';
import type { MenuRequest } from '../../canvas/menuRequest.ts';
import { usePalette } from '../../canvas/palette/usePalette.ts';
import { FormContext } from '../../inspector/form/context.ts';
import { useFieldFocus, requestFocus } from '../../inspector/focus.ts';
import { START } from '../../graph/document/document.ts';
import { stopTestRun } from '../runs/control/stopRun.ts';
import { selectedIds, useEditor } from '../../store/editor.ts';
import { focusGraph } from '../../ui/keys/focusGraph.ts';
import { touchAll } from '../../store/untouched.ts';
import { useClipboard } from './transfer/clipboardEvents.ts';
import { writeComment } from '../comments/commenting.ts';
import { CardTalk, TalkPanel } from '../comments/Talk.tsx';
import { useThreads } from '../comments/useThreads.ts';
import classes from './editor.module.css';
import {
  CanvasMenu,
  ConflictStrip,
  ConnectMenu,
  DescribeDrawer,
  ExtractDialog,
  FindNode,
  ManyTools,
  openFind,
  PublishDialog,
  ReplaceDialog,
  RunFromDialog,
  VersionsDrawer,
} from './dialogs/lazyDialogs.ts';
import { FirstStep } from './menu/FirstStep.tsx';
import { OutlineTools, Toolbar } from './Toolbar.tsx';
import { TopBar } from './TopBar.tsx';
import { useAnnouncing } from './actions/announcing.ts';
import { useEditorActions } from './actions/useEditorActions.ts';
import { useLists } from './proof/useLists.ts';
import { ONE_PANEL, useReveal } from './actions/useReveal.ts';
import { useEditorDialogs } from './dialogs/useEditorDialogs.ts';
import { LitCanvas } from './testrun/LitCanvas.tsx';
import { attach, openPanel, startTest, useTesting, wasOpenIn } from './testrun/testing.ts';
import { useFront } from './testrun/sight/useFront.ts';
import { useKeepInSight } from './testrun/sight/useKeepInSight.ts';
import { useWaitingCard } from './testrun/sight/useWaitingCard.ts';
import { useStaleSigns } from './testrun/trials/useMarks.ts';
import { useTestRun } from './testrun/useTestRun.ts';
import { useFormScene, useNames } from './useFormScene.ts';
import { useInspected } from './header/useInspected.ts';
import { useOnlookers, usePresence } from './header/usePresence.ts';
import { useProof } from './proof/useProof.ts';
import { lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

/** The width is known before anything is drawn, so that it is drawn once. */
const AT_ONCE = { getInitialValueInEffect: false };

const loadInspector = () =>
  import('../../inspector/Inspector.tsx').then((module) => ({ default: module.Inspector }));
const Inspector = lazyOnDemand(loadInspector);
const Outline = lazyOnDemand(() =>
  import('./outline/Outline.tsx').then((module) => ({ default: module.Outline })),
);
const PathProof = lazyOnDemand(() =>
  import('./proof/PathProof.tsx').then((module) => ({ default: module.PathProof })),
);
const ProblemsPanel = lazyOnDemand(() =>
  import('./proof/ProblemsPanel.tsx').then((module) => ({ default: module.ProblemsPanel })),
);
const runStale = () => import('./testrun/stale/runStale.ts').then((module) => module.runStale());
const TestPanel = lazyOnDemand(() =>
  import('./testrun/TestPanel.tsx').then((module) => ({ default: module.TestPanel })),
);

/** The editor once its document is loaded: bar, canvas, palette, inspector, dialogs. */
export function Workbench({
  graph: loaded,
  nodeTypes,
}: {
  graph: GraphDetail;
  nodeTypes: readonly NodeTypeInfo[];
}) {
  const [published, setPublished] = useState(loaded.published);
  const graph = useMemo(() => ({ ...loaded, published }), [loaded, published]);
  const handle = useRef<CanvasHandle>(null);
  const panel = useRef<HTMLElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery('(max-width: 1439px)', false, AT_ONCE);
  const phone = useMediaQuery('(max-width: 700px)', false, AT_ONCE);
  const [outlined, setOutlined] = useState<boolean | null>(null);
  const outline = outlined ?? phone;
  const [tool, setTool] = useState<'select' | 'pan'>('select');
  const { open: paletteOpen, toggle: unfold } = usePalette(narrow);
  const [peek, setPeek] = useState(false);
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  const { dialog, setDialog, importFile, exportFile } = useEditorDialogs(graph.id);
  const { selected, subject, openSettings, closeSettings, toggleSettings } = useInspected();
  const form = useFormScene(subject);
  const names = useNames();
  const people = usePresence(graph.id);
  const me = useSession().data?.user?.id ?? '';
  const onlookers = useOnlookers(people, me);
  const test = useTestRun(graph.id, me);
  const testing = useTesting((state) =>
    state.graphId === graph.id ? state.open : wasOpenIn(graph.id),
  );
  const refused = useTesting((state) => state.refusal !== '' || state.problems.length > 0);
  const front = useFront(phone, testing, subject !== null);
  const stale = useStaleSigns(testing);
  const conflict = useEditor((state) => state.conflict !== null);
  const proof = useProof();
  const { show } = proof;
  const lists = useLists(useCallback(() => show(null), [show]));
  const tints = useMemo(() => tintsOf(nodeTypes), [nodeTypes]);
  const tint = useEditor((state) => {
    const node = subject?.kind === 'node' ? state.records.nodes.get(subject.id) : undefined;
    return tintColor(node ? tints.get(state.types.get(node.type)?.category ?? '') : undefined);
  });
  const crowded = narrow && subject !== null;
  const wide = !outline && (crowded ? peek : paletteOpen);

  const reveal = useReveal(lists.any);
  useThreads(graph.id, reveal);
  const jump = useCallback(
    (problem: Problem) => {
      show(problem.node ?? null);
      if (problem.path.startsWith('interface.inputs')) {
        useEditor.getState().select([START]);
        return requestFocus('interface.inputs');
      }
      if (!problem.node && !problem.edge) return openSettings(problem.path);
      const id = problem.node ?? problem.edge ?? '';
      reveal(
        [id],
        problem.code === 'UnguardedEffect'
          ? useEditor.getState().dangers.find((danger) => danger.node === id)?.way?.nodes
          : undefined,
      );
      requestFocus(problem.path);
    },
    [openSettings, reveal, show],
  );
  const showWay = (danger: Danger) => {
    show(danger.node);
    reveal([danger.node], danger.way?.nodes);
  };
  const centre = useCallback(() => handle.current?.centre() ?? { x: 0, y: 0 }, []);
  useClipboard(centre);
  const page = useMemo(
    () => ({
      openQuickPalette: () => handle.current?.openQuickPalette(),
      openMenu: () => handle.current?.openMenu(),
      insert: (edge: string) => handle.current?.insert(edge),
      centre,
      focusInspector: () =>
        panel.current
          ?.querySelector<HTMLElement>(
            'input:not(:disabled):not([type="radio"]), textarea, [contenteditable="true"]',
          )
          ?.focus(),
      rename: () => requestFocus('label'),
      setTool,
      testRun: () => (useTesting.getState().open ? void startTest() : openPanel('input')),
      stop: () => void stopTestRun(graph.id, me),
      publish: () => {
        touchAll();
        setDialog('publish');
      },
      versions: () => setDialog('versions'),
      runFrom: () => setDialog('run-from'),
      runStale: () => void runStale(),
      runTo: () => {
        const [until] = selectedIds(useEditor.getState());
        const { open } = useTesting.getState();
        openPanel('input', until ?? null);
        if (open) void startTest();
      },
      replace: () => setDialog('replace'),
      extract: () => setDialog('extract'),
      describe: () => setDialog('describe'),
      find: openFind,
      settings: () => openSettings(''),
      budget: () => openSettings('limits.budget_usd'),
      togglePalette: unfold,
      toggleOutline: () => setOutlined((open) => !(open ?? phone)),
      problems: lists.toggleProblems,
      closeTop: () => {
        const closed = lists.closeTop();
        if (closed) handle.current?.focus();
        else closeSettings();
        return closed;
      },
      comment: writeComment,
      comments: lists.toggleTalk,
      jump,
    }),
    [centre, graph.id, me, setDialog, jump, openSettings, closeSettings, phone, lists, unfold],
  );
  const togglePalette = useCallback(
    () => (crowded ? setPeek((open) => !open) : unfold()),
    [crowded, unfold],
  );
  useEditorActions(page);
  useAnnouncing(test);
  useKeepInSight(stage, crowded || narrow, useWaitingCard(test, testing));
  useFieldFocus(panel);
  useEffect(() => void loadInspector(), []);
  const closePanel = () => {
    useEditor.getState().select([]);
    closeSettings();
    focusGraph();
  };
  const close = () => setDialog(null);
  return (
    <div
      className={classes.editor}
      style={{ '--gw-right': subject ? ONE_PANEL : '0px' } as React.CSSProperties}
      onClickCapture={front.onSheet}
      onKeyDownCapture={front.onSheet}
    >
      <TopBar
        graph={graph}
        people={people}
        me={me}
        problemsOpen={lists.problems}
        onProblems={page.problems}
        onWorstCase={() => openSettings('limits.budget_usd')}
        onSettings={toggleSettings}
        onVersions={page.versions}
        onTestRun={() => {
          openPanel('input', null);
          front.onPanel();
        }}
        onPublish={page.publish}
        onExport={(format) => void exportFile(format)}
        onImport={() => void importFile()}
      />
      <div
        ref={stage}
        className={classes.stage}
        data-outline={outline}
        data-inspector={subject !== null}
      >
        <LitCanvas
          test={test}
          lit={testing && !refused}
          types={nodeTypes}
          names={names}
          problems={proof.problems}
          dangers={proof.dangers}
          openWays={proof.openWays}
          onlookers={onlookers}
          tool={tool}
          paletteOpen={wide}
          phone={phone}
          covered={phone && outline}
          miniMap={!crowded && !phone}
          handle={handle}
          onTogglePalette={togglePalette}
          onOpen={page.focusInspector}
          onMenu={setMenu}
        >
          <Toolbar tool={tool} />
        </LitCanvas>
        {outline ? (
          <Suspense fallback={null}>
            <Outline
              problems={proof.problems}
              stale={stale}
              focused={outlined === true}
              onClose={page.toggleOutline}
            >
              <OutlineTools />
            </Outline>
          </Suspense>
        ) : null}
        {conflict ? (
          <Suspense fallback={null}>
            <ConflictStrip people={people} me={me} onlookers={onlookers} />
          </Suspense>
        ) : null}
        {phone && outline ? null : (
          <FirstStep onAdd={page.openQuickPalette} onDescribe={page.describe} />
        )}
        {subject && front.sheet ? (
          <aside
            ref={panel}
            className={`${canvas.panel} ${classes.inspector}`}
            aria-label="Inspector"
            data-region="inspector"
            onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && focusGraph()}
          >
            <FormContext value={form}>
              <Suspense fallback={null}>
                <Inspector
                  subject={subject}
                  tint={tint}
                  many={<ManyTools />}
                  below={
                    subject.kind === 'node' ? (
                      <CardTalk graphId={graph.id} node={subject.id} />
                    ) : null
                  }
                  onClose={closePanel}
                />
              </Suspense>
            </FormContext>
          </aside>
        ) : null}
        <TalkPanel graphId={graph.id} onCard={(node) => reveal([node])} />
        {lists.problems ? (
          <Suspense fallback={null}>
            <ProblemsPanel onJump={jump} onClose={() => void page.closeTop()}>
              <PathProof graphId={graph.id} all={proof.all} onAll={proof.setAll} onShow={showWay} />
            </ProblemsPanel>
          </Suspense>
        ) : null}
      </div>
      {testing ? (
        <Suspense fallback={null}>
          <TestPanel
            test={test}
            folded={front.folded}
            onUsed={front.onPanel}
            onNode={(id) => reveal([id])}
            onStop={page.stop}
            onClosed={() => handle.current?.focus()}
            onProblems={lists.showProblems}
          />
        </Suspense>
      ) : null}
      <Suspense fallback={null}>
        {menu ? (
          <CanvasMenu
            key={`${menu.kind} ${menu.at.x} ${menu.at.y}`}
            request={menu}
            onChoose={(action, at) => {
              setMenu(null);
              handle.current?.here(at, action.run);
            }}
            onClose={() => {
              setMenu(null);
              handle.current?.focus();
            }}
          />
        ) : null}
      </Suspense>
      <Suspense fallback={null}>
        <ConnectMenu />
        <FindNode onPick={(id) => reveal([id])} />
      </Suspense>
      <Suspense fallback={null}>
        {dialog === 'run-from' && selected?.kind === 'node' ? (
          <RunFromDialog
            graphId={graph.id}
            node={selected.id}
            onStarted={({ id }) => {
              openPanel();
              attach(id);
            }}
            onClose={close}
          />
        ) : null}
        {dialog === 'replace' ? <ReplaceDialog onClose={close} /> : null}
        {dialog === 'describe' ? (
          <DescribeDrawer graphId={graph.id} onShow={(ids) => reveal(ids)} onClose={close} />
        ) : null}
        {dialog === 'extract' ? <ExtractDialog onClose={close} /> : null}
        {dialog === 'publish' ? (
          <PublishDialog
            graphId={graph.id}
            live={graph.published?.number ?? null}
            onClose={close}
            onPublished={setPublished}
            onProblems={() => {
              close();
              lists.showProblems();
            }}
          />
        ) : null}
        {dialog === 'versions' ? (
          <VersionsDrawer
            graphId={graph.id}
            live={graph.published?.number ?? null}
            onClose={close}
            onPublished={setPublished}
            onRestored={close}
          />
        ) : null}
      </Suspense>
    </div>
  );
}
