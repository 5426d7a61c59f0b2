import type { BulkPreview } from '../../../api/http/runs/bulk.ts';
import { formatUsd } from '../../../ui/format/format.ts';
import classes from './bulk.module.css';
import { RunNames } from './RunNames.tsx';
import { countedRuns, targetWords } from './words.ts';

/** What would happen: runs that are cancelled, steps that run again, calls that are made again, runs that are left out. */
export function PreviewTable({ preview }: { preview: BulkPreview }) {
  const { again, calls, left_out: left } = preview;
  const unread = preview.action === 'retry' && preview.looked_at < preview.included;
  const named = preview.action === 'cancel' ? preview.first : [];
  if (again.length + calls.length + left.length + named.length === 0) return null;
  return (
    <table className={classes.preview} aria-label="What would happen">
      <tbody>
        {named.length > 0 ? (
          <tr>
            <th scope="row">Cancelled</th>
            <td>
              <RunNames runs={named} count={preview.included} />
            </td>
            <td>{countedRuns(preview.included)}</td>
          </tr>
        ) : null}
        {again.map((step) => (
          <tr key={`again ${step.node}`}>
            <th scope="row">Runs again</th>
            <td>{step.label}</td>
            <td>
              {step.times} ×{Number(step.usd) > 0 ? `, cost ${formatUsd(step.usd)} before` : ''}
            </td>
          </tr>
        ))}
        {calls.map((call) => (
          <tr
            key={`call ${call.node} ${call.method} ${call.target} ${call.consent}`}
            data-consent={call.consent || undefined}
          >
            <th scope="row">{call.consent ? 'Sent again' : 'Made again'}</th>
            <td>
              {targetWords(call)} <span className={classes.dim}>at {call.label}</span>
              <span className={classes.each} data-unsafe={call.unsafe || undefined}>
                {call.unsafe ? 'Unsafe to repeat: each ' : 'Each '}
                {call.consent ? 'was sent before' : 'failed before'}
              </span>
            </td>
            <td>{call.times} ×</td>
          </tr>
        ))}
        {left.map((reason) => (
          <tr key={`left ${reason.code} ${reason.why}`}>
            <th scope="row">Left out</th>
            <td>
              {reason.why}
              <RunNames runs={reason.runs} count={reason.times} />
            </td>
            <td>{countedRuns(reason.times)}</td>
          </tr>
        ))}
        {unread ? (
          <tr>
            <th scope="row">Unread</th>
            <td colSpan={2}>
              {preview.looked_at} of {countedRuns(preview.included)} were looked into. The others
              are judged at their turn; what would be sent twice is left out.
            </td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}
