/**
 * Runs tasks of six steps with effects on Restate, and kills their workers so often per mode; with every fifth of them also the server,
 * which starts again.
 *
 * @example npm run restate-kill -- 100
 */
import { killCommand } from '../../../durable/test/kill-rounds/engine-rounds.ts'
import { killRounds } from './kill-rounds.ts'

await killCommand('restate-kill', {
  workflow: (kills) => killRounds('workflow', kills),
  'workflow, one approval per task': (kills) => killRounds('approval', kills),
  'steps, one approval per task': (kills) => killRounds('steps', kills),
  'conversations of two messages': (kills) => killRounds('conversation', kills),
})
