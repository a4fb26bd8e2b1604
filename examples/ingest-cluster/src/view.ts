/**
 * The output of the program.
 */
import type { Progress, RunReport } from './cluster.ts'
import { isRight } from './verify.ts'

const WIDTH = 30

/** Returns a line about a run in progress. */
export function progressLine({ total, queued, running, finished, failed, ...now }: Progress): string {
  const done = total - queued - running
  const bar = '█'.repeat(Math.round((WIDTH * done) / Math.max(1, total))).padEnd(WIDTH, '░')
  const outcomes = Object.entries(finished).map(([outcome, count]) => `${count} ${outcome}`)
  if (failed.length > 0) outcomes.push(`${failed.length} failed`)
  return [
    `${now.run} ${bar} ${done}/${total}`,
    outcomes.join(', ') || 'nothing yet',
    `${running} running, ${queued} queued`,
    `${now.workers.length} workers, ${now.kills} killed`,
    `model: ${now.modelCalls} calls, ${now.refused} refused`,
    `${now.seconds.toFixed(0)} s`,
  ].join(' | ')
}

/** Returns the lines about the result of a run. */
export function reportLines(run: string, report: RunReport): string[] {
  const { state, nodes, missing, different, surplus, brokenSources } = report
  const outcomes = Object.entries(state.finished).map(([outcome, count]) => `${count} ${outcome}`)
  return [
    `${run}: ${state.total} documents in ${report.seconds.toFixed(1)} s: ${outcomes.join(', ')}, ${state.failed.length} failed`,
    `  ${report.kills} workers killed${report.takenOver === null ? '' : `, ${report.takenOver} documents taken over from them`}`,
    `  ${nodes} nodes: ${missing} missing, ${different} different, ${surplus} surplus; ${brokenSources} source records broken`,
    `  model: ${report.modelCalls} calls for ${report.neededCalls} tables, ` +
      `${report.modelCalls - report.neededCalls} beyond the need; ${report.refused} requests refused because of the rate`,
    `  ${isRight(report) && state.failed.length === 0 ? 'everything is there, once' : 'SOMETHING IS WRONG'}`,
  ]
}
