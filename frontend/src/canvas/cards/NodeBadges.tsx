import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowsJoin2,
  IconArrowsSplit,
  IconCircle,
  IconCircleDot,
  IconCircleFilled,
  IconCoin,
  IconCpu,
  IconDatabaseSearch,
  IconEyeOff,
  IconMessage,
  IconPencil,
  IconPin,
  IconRefresh,
  IconRepeat,
  IconShieldCheck,
  IconShieldExclamation,
  IconShieldOff,
  type Icon,
} from '@tabler/icons-react';
import type { Danger, NodeDoc, Problem } from '../../api/types/types.ts';
import { formatDuration, formatTokens, formatUsd } from '../../ui/format/format.ts';
import classes from '../canvas.module.css';
import type { NodeRunView, TrialMarks } from './context.ts';
import { sidesOfNode } from './nodeSpend.ts';

interface Badge {
  key: string;
  icon: Icon;
  text?: string;
  label: string;
  tone?: 'red' | 'amber' | 'quiet';
}

function settingBadges(doc: NodeDoc): Badge[] {
  const badges: Badge[] = [];
  const { budget, failure_policy: policy } = doc;
  if (doc.disabled)
    badges.push({
      key: 'disabled',
      icon: IconEyeOff,
      text: 'Disabled',
      label: 'Disabled: the run passes over it',
    });
  if (budget?.max_cost_usd)
    badges.push({
      key: 'usd',
      icon: IconCoin,
      text: formatUsd(budget.max_cost_usd),
      label: `Budget ${budget.max_cost_usd} USD`,
    });
  if (budget?.max_tokens)
    badges.push({
      key: 'tokens',
      icon: IconCpu,
      text: formatTokens(budget.max_tokens),
      label: `Budget ${budget.max_tokens.toLocaleString('en')} tokens`,
    });
  if (policy?.max_retries !== undefined)
    badges.push({
      key: 'retries',
      icon: IconRefresh,
      text: `${policy.max_retries}×`,
      label: `${policy.max_retries} retries`,
    });
  if (policy?.circuit_breaker?.enabled)
    badges.push({ key: 'breaker', icon: IconShieldOff, label: 'Circuit breaker' });
  if (doc.memory_query)
    badges.push({ key: 'memory', icon: IconDatabaseSearch, label: 'Recalls facts from memory' });
  if (doc.requires_compensation)
    badges.push({
      key: 'undo',
      icon: IconArrowBackUp,
      label: 'Is undone when the run fails later',
    });
  if (doc.branching === 'all')
    badges.push({
      key: 'branching',
      icon: IconArrowsSplit,
      text: 'all',
      label: 'Takes every wire that fits',
    });
  if (doc.join === 'any')
    badges.push({ key: 'join', icon: IconArrowsJoin2, text: 'any', label: 'Runs at each arrival' });
  return badges;
}

function trialBadges(marks: TrialMarks | undefined): Badge[] {
  const badges: Badge[] = [];
  if (marks?.stale)
    badges.push({
      key: 'stale',
      icon: marks.stale.changed ? IconCircleFilled : IconCircle,
      label: marks.stale.words,
      tone: 'quiet',
    });
  if (marks?.breakpoint)
    badges.push({
      key: 'breakpoint',
      icon: IconCircleDot,
      text: 'Stops before',
      label: 'Test runs stop before it',
      tone: 'red',
    });
  if (marks?.pinned)
    badges.push({
      key: 'pin',
      icon: IconPin,
      text: 'Pinned',
      label: 'In test runs its pinned answer stands in for it',
      tone: 'amber',
    });
  if (marks?.talk)
    badges.push({
      key: 'talk',
      icon: IconMessage,
      text: String(marks.talk.threads),
      label: marks.talk.words,
    });
  return badges;
}

function problemBadge(problems: Problem[] | undefined): Badge[] {
  const worst =
    problems?.find((problem) => problem.severity === 'error') ??
    problems?.find((problem) => problem.severity === 'warning');
  if (!problems || !worst) return [];
  const count = problems.filter((problem) => problem.severity !== 'hint').length;
  const label = problems
    .filter((problem) => problem.severity !== 'hint')
    .map((problem) => (problem.say ?? problem.message).replaceAll('`', ''))
    .join('\n');
  return [
    {
      key: 'problem',
      icon: worst.severity === 'error' ? IconAlertCircle : IconAlertTriangle,
      text: String(count),
      label,
      tone: worst.severity === 'error' ? 'red' : 'amber',
    },
  ];
}

/** What a new node still needs: no mistake before it was left. */
function needBadge(problems: Problem[] | undefined): Badge[] {
  const needs = problems?.filter(
    ({ code, severity }) => code === 'MissingField' && severity === 'hint',
  );
  if (!needs?.length) return [];
  const names = needs.map(({ say }) => say?.replace(/^Needs: /, '') ?? '');
  const text = `Needs: ${names.join(', ')}`;
  return [{ key: 'needs', icon: IconPencil, text, label: text }];
}

function dangerBadge(danger: Danger | undefined): Badge[] {
  if (!danger) return [];
  if (!danger.way)
    return [
      {
        key: 'danger',
        icon: IconShieldCheck,
        label: `${danger.why}. Every way here passes an approval or a verifier.`,
      },
    ];
  return [
    {
      key: 'danger',
      icon: IconShieldExclamation,
      label: `${danger.why}. A way here passes neither an approval nor a verifier.`,
      tone: 'amber',
    },
  ];
}

const UNDO: Record<NonNullable<NodeRunView['undo']>, Pick<Badge, 'text' | 'label' | 'tone'>> = {
  running: { text: 'Being undone', label: 'What it did is being undone', tone: 'amber' },
  completed: { text: 'Undone', label: 'What it did was undone' },
  failed: { text: 'Undo failed', label: 'What it did could not be undone', tone: 'red' },
};

function runBadges(view: NodeRunView | undefined): Badge[] {
  if (!view) return [];
  const badges: Badge[] = [];
  if (view.visits > 1)
    badges.push({
      key: 'visits',
      icon: IconRepeat,
      text: `${view.visits}×`,
      label: `Ran ${view.visits} times`,
    });
  if (view.attempt > 1)
    badges.push({
      key: 'attempt',
      icon: IconRefresh,
      text: `${view.attempt} of ${view.maxAttempts}`,
      label: `Attempt ${view.attempt} of ${view.maxAttempts}`,
      tone: 'amber',
    });
  if (view.circuitOpen)
    badges.push({
      key: 'circuit',
      icon: IconShieldOff,
      text: 'Circuit open',
      label: 'Its circuit is open: it kept failing, attempts are not made',
      tone: 'red',
    });
  if (view.undo) badges.push({ key: 'undo', icon: IconArrowBackUp, ...UNDO[view.undo] });
  return badges;
}

/** What an uncapped node has used and holds; the budget of a capped one says it above. */
function spentText(view: NodeRunView): string {
  const [usd, tokens] = sidesOfNode(view);
  if (usd.share !== null || tokens.share !== null) return '';
  const used = [
    Number(view.usedUsd ?? 0) > 0 ? usd.used : '',
    (view.usedTokens ?? 0) > 0 ? tokens.used : '',
  ];
  const held = [usd.held, tokens.held].filter((each) => each !== null).join(' and ');
  return [...used, held && `${held} held`].filter(Boolean).join(' · ');
}

interface NodeBadgesProps {
  doc: NodeDoc;
  danger: Danger | undefined;
  problems: Problem[] | undefined;
  view: NodeRunView | undefined;
  /** Whether the graph is being drawn: then its problems are told beside what a run says. */
  drawing: boolean;
  marks?: TrialMarks | undefined;
}

/** The small badges at the foot of a card; nothing where nothing is set. In a run: visits, attempt, time and spend. */
export function NodeBadges({ doc, danger, problems, view, drawing, marks }: NodeBadgesProps) {
  const proof = () => [...problemBadge(problems), ...needBadge(problems), ...dangerBadge(danger)];
  const badges = [
    ...trialBadges(marks),
    ...(view
      ? [...(drawing ? proof() : []), ...runBadges(view)]
      : [...proof(), ...settingBadges(doc)]),
  ];
  const time = view?.durationMs ? formatDuration(view.durationMs) : '';
  const spend = view ? spentText(view) : '';
  if (badges.length === 0 && !time && !spend) return null;
  return (
    <div className={classes.foot}>
      {badges.map(({ key, icon: Glyph, text, label, tone }) => (
        <span
          key={key}
          className={classes.badge}
          data-tone={tone}
          aria-label={label}
          role="img"
          title={label}
        >
          <Glyph size={tone === 'quiet' ? 9 : 13} stroke={tone === 'quiet' ? 3 : 1.9} aria-hidden />
          {text ? <span className="gw-truncate">{text}</span> : null}
        </span>
      ))}
      {time || spend ? (
        <span className={classes.measure}>{[time, spend].filter(Boolean).join(' · ')}</span>
      ) : null}
    </div>
  );
}
