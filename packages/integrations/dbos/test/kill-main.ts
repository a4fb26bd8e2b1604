/**
 * Runs tasks of six steps with effects on DBOS, and kills their workers so often per mode: workers that restart, workers that are gone for
 * good, and workers that are stopped until others have taken over.
 *
 * @example npm run dbos-kill -- 100
 */
import { killCommand } from '../../../durable/test/kill-rounds/engine-rounds.ts'
import { killRounds } from './kill-rounds.ts'

await killCommand('dbos-kill', {
  'workers restart with their id': (kills) => killRounds('back', kills),
  'workers never restart': (kills) => killRounds('gone', kills),
  'workers are stopped for a while': (kills) => killRounds('slow', kills),
})
